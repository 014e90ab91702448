"""The answer as it comes: stopped, reloaded in the middle, followed from elsewhere, past a dead server."""

from playwright.sync_api import Locator, Page, expect

from e2e.conftest import Install, NewPerson
from e2e.people import Person
from e2e.server import Server

LONG_ANSWER = "¿qué puedes hacer?"
GONE = ["ERR_CONNECTION", "WebSocket connection to", "ERR_EMPTY_RESPONSE", "ERR_SOCKET", "htmx:ws:error"]


def turns(page: Page) -> Locator:
    return page.locator("#transcript > li")


def unfinished(page: Page) -> Locator:
    return page.locator("#transcript > [data-unfinished]")


def test_stop_ends_the_answer_and_a_reload_says_so(person: Person, server: Server) -> None:
    person.begin("hola")
    server.faults(mid_stream="hang:1")
    person.send(LONG_ANSWER)
    expect(unfinished(person.page)).to_have_count(1)
    person.page.locator("#stop").click()
    person.answered(2)
    for _ in range(2):
        expect(person.last_turn.locator(".notice")).to_have_count(1)
        person.page.reload()
    server.faults()
    person.ask("hola")


def test_reload_in_the_middle_shows_what_there_is_and_goes_on(person: Person, server: Server) -> None:
    person.begin("hola")
    server.faults(mid_stream="hang:1")
    person.send(LONG_ANSWER)
    expect(unfinished(person.page).locator(".prose").first).not_to_be_empty()
    person.page.reload()
    expect(turns(person.page)).to_have_count(2)
    expect(unfinished(person.page).locator(".prose").first).not_to_be_empty()
    server.faults()
    person.answered(2)
    streamed = person.last_turn.inner_text()
    person.page.reload()
    assert person.last_turn.inner_text() == streamed


def test_second_tab_follows_live_and_ends_with_the_same(person: Person, server: Server) -> None:
    person.begin("hola")
    other = person.tab()
    other.goto(person.page.url)
    expect(turns(other)).to_have_count(1)
    server.faults(mid_stream="hang:1")
    person.send(LONG_ANSWER)
    expect(unfinished(other)).to_have_count(1)
    server.faults()
    person.answered(2)
    expect(unfinished(other)).to_have_count(0)
    assert turns(other).all_inner_texts() == turns(person.page).all_inner_texts()


def test_answer_goes_on_when_its_tab_is_closed(person: Person, server: Server) -> None:
    person.begin("hola")
    address = person.page.url
    server.faults(mid_stream="hang:1")
    person.send("anota 77,4 kg el 2020-01-04")
    expect(turns(person.page)).to_have_count(2)
    person.page.close()
    server.faults()
    person.page = person.tab()
    person.page.goto(address)
    person.answered(2)
    expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")


def test_sending_twice_at_once_is_one_message(person: Person) -> None:
    person.begin("hola")
    person.page.locator("#message").fill("anota 77,4 kg el 2020-01-04")
    person.page.locator("#composer").evaluate("form => { form.requestSubmit(); form.requestSubmit(); }")
    person.answered(2)
    person.page.reload()
    expect(turns(person.page)).to_have_count(2)


def test_message_whose_taking_was_not_heard_of_is_not_shown_twice(person: Person, server: Server) -> None:
    person.begin("hola")
    server.faults(mid_stream="hang:1")
    person.page.evaluate(
        """() => document.addEventListener("htmx:ws:before:message:incoming", (event) => {
            if (event.detail.message.data.includes("data-taken")) {
                event.preventDefault();
                event.detail.connection.socket.close();
            }
        }, {once: false})"""
    )
    person.send(LONG_ANSWER)
    expect(unfinished(person.page)).to_have_count(1)
    person.page.reload()
    expect(unfinished(person.page)).to_have_count(1)
    expect(person.page.locator("#pending > li")).to_have_count(0)
    expect(unfinished(person.page)).to_have_count(1)
    server.faults()
    person.answered(2)


def test_message_written_while_the_server_is_gone_is_sent_once(
    install: Install, new_person: NewPerson
) -> None:
    server = install()
    person = new_person(server)
    person.sign_up()
    person.begin("hola")
    person.complaints.expected += GONE

    server.kill()
    expect(person.page.locator("#connection")).to_be_visible()
    person.send("anota 77,4 kg el 2020-01-04")
    expect(person.page.locator("#pending > li")).to_have_count(1)

    server.start()
    expect(person.page.locator("#pending > li")).to_have_count(0, timeout=30_000)
    person.answered(2)
    expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")
    person.page.reload()
    expect(turns(person.page)).to_have_count(2)
    expect(person.page.locator("#pending > li")).to_have_count(0)


def test_what_one_person_could_not_send_is_never_sent_by_the_next(new_person: NewPerson) -> None:
    person = new_person()
    person.sign_up()
    first = person.name
    person.complaints.expected += ["ERR_FAILED", "status of 404"]
    person.context.route("**/coach/say/", lambda route: route.abort())
    person.open("/coach/")
    person.send("anota 77,4 kg el 2020-01-04")
    expect(person.page.locator("#pending > li")).to_have_count(1)
    person.sign_out()
    person.context.unroute("**/coach/say/")

    person.sign_up()
    person.open("/coach/")
    expect(person.page.locator("#pending > li")).to_have_count(0)
    expect(person.page.locator("#message")).to_have_value("")
    person.begin("hola")
    person.sign_out()

    person.sign_in(first)
    person.open("/coach/")
    person.page.wait_for_url("**/coach/*/")
    person.answered(1)
    expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")


def test_message_of_somebody_signed_out_elsewhere_waits_for_the_sign_in(person: Person) -> None:
    person.open("/coach/")
    other = person.tab()
    other.goto(f"{person.server.url}/accounts/logout/")
    other.locator("form[action='/accounts/logout/'] button").click()
    expect(other).to_have_url(f"{person.server.url}/accounts/login/")
    person.complaints.expected.append("status of 403")
    person.send("anota 77,4 kg el 2020-01-04")
    expect(person.page).to_have_url(f"{person.server.url}/accounts/login/?next=/coach/")

    person.sign_in(person.name)
    person.open("/coach/")
    person.page.wait_for_url("**/coach/*/")
    person.answered(1)
    expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")


def test_number_is_said_whole(new_person: NewPerson, server: Server) -> None:
    person = new_person(locale="en-US")
    person.sign_up()
    person.begin("log 77.4 kg on 2020-01-04")
    server.faults(mid_stream="hang:0.05")
    person.ask("what did I weigh on 2020-01-04?")
    said = person.page.locator("#spoken > span").all_text_contents()
    assert "77.4" in "".join(said)
    assert [part for part in said if part.endswith("77.")] == []
