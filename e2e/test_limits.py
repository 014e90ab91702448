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
