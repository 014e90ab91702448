"""What is too much is refused in words, and nothing typed is lost by it."""

from playwright.sync_api import expect

from e2e.people import Person


def test_message_that_is_too_long_is_given_back(person: Person) -> None:
    person.begin("hola")
    person.complaints.expected += ["422"]
    long = "peso " * 2_000
    person.send(long)
    expect(person.page.locator("#composer-state")).not_to_be_empty()
    expect(person.page.locator("#message")).to_have_value(long.strip())
    expect(person.page.locator("#pending > li")).to_have_count(0)
    person.ask("hola")


def test_page_that_is_one_too_many_says_so_and_works_all_the_same(person: Person) -> None:
    person.begin("hola")
    person.complaints.expected += ["htmx:ws:error"]
    address = person.page.evaluate("document.getElementById('socket').getAttribute('hx-ws:connect')")
    person.page.evaluate(
        """address => Promise.all(Array.from({length: 19}, () => new Promise(opened => {
            const socket = new WebSocket(address);
            (window.kept ??= []).push(socket);
            socket.onopen = opened;
        })))""",
        address,
    )
    other = person.tab()
    other.goto(person.page.url)
    told = other.locator("#talk").get_attribute("data-crowded")
    assert told
    expect(other.locator("#connection")).to_have_text(told)
    other.locator("#message").fill("anota 77,4 kg el 2020-01-04")
    other.locator("#message").press("Enter")
    expect(other.locator("#transcript .receipt-saved")).to_contain_text("77,4")
    expect(other.locator("#pending > li")).to_have_count(0)
