"""The uncertain write: said, verified, never repeated by itself, and shown as it is after a reload."""

from playwright.sync_api import expect

from e2e.people import Person
from e2e.server import Server


def test_write_that_failed_before_its_commit(person: Person, server: Server) -> None:
    server.faults(in_handler="raise:network timeout")
    person.begin("anota 77,4 kg el 2020-01-03")
    for _ in range(2):
        expect(person.last_turn.locator(".notice-unconfirmed")).to_be_visible()
        expect(person.last_turn.locator(".receipt-notsaved")).to_be_visible()
        expect(person.last_turn.locator(".receipt-saved")).to_have_count(0)
        expect(person.last_turn.locator(".call")).to_have_count(1)
        person.page.reload()
    conversation = person.page.url
    person.open("/measurements/day/2020-01-03/")
    expect(person.page.locator("main")).not_to_contain_text("77,4")

    server.faults()
    person.page.goto(conversation)
    person.ask("anota 77,4 kg el 2020-01-04")
    expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")
    person.page.reload()
    person.ask("consulta el peso de 2020-01-04")
    expect(person.last_turn.locator(".prose")).to_contain_text("77,4")
    person.ask("consulta el peso de 2020-01-03")
    expect(person.last_turn.locator(".prose")).not_to_contain_text("77,4")


def test_write_that_failed_after_its_commit_is_verified_saved(person: Person, server: Server) -> None:
    server.faults(after_commit="raise")
    person.begin("anota 77,4 kg el 2020-01-03")
    for _ in range(2):
        expect(person.last_turn.locator(".notice-unconfirmed")).to_be_visible()
        expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")
        expect(person.last_turn.locator("[data-verdict=saved]")).to_be_visible()
        expect(person.last_turn.locator(".receipt-notsaved")).to_have_count(0)
        person.page.reload()
    person.open("/measurements/day/2020-01-03/")
    expect(person.page.locator("main")).to_contain_text("77,4")


def test_write_that_was_not_saved_is_repeated_at_the_person_s_word_alone(
    person: Person, server: Server
) -> None:
    server.faults(before_commit="raise")
    person.begin("anota 77,4 kg el 2020-01-03")
    server.faults()
    person.last_turn.locator(".receipt-notsaved button").click()
    expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")
    person.page.reload()
    expect(person.last_turn.locator(".receipt-saved")).to_have_count(1)
    expect(person.last_turn.locator(".receipt-notsaved")).to_have_count(0)


def test_failed_read_is_not_shown_as_an_absence(person: Person, server: Server) -> None:
    server.faults(storage_read="raise")
    person.begin("consulta el peso de 2020-01-02")
    expect(person.last_turn.locator(".call")).to_have_count(1)
    expect(person.last_turn.locator(".prose")).not_to_contain_text("Falta el registro")
