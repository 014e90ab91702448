"""Log by form, talk, reload: what a person sees is what is stored."""

import re

from playwright.sync_api import expect

from e2e.conftest import DESKTOP
from e2e.people import Person

WORKED = "consulta el peso de 2020-01-02. Si no existe, consulta 2020-01-01. No crees ni cambies datos."


def log_weight(person: Person, value: str, on: str | None = None) -> None:
    person.open("/")
    if on:
        person.page.locator("details:has([name=date]) > summary").first.click()
        person.page.locator("[name=date]").fill(on)
        person.page.locator("[name=time]").fill("")
    person.page.locator("[name=value]").fill(value)
    person.page.locator("[name=value]").press("Enter")


def test_weight_logged_by_form_is_there_after_a_reload(person: Person) -> None:
    log_weight(person, "81,4")
    expect(person.page.locator(".toast")).to_contain_text("81,4")
    person.page.reload()
    expect(person.page.locator(".figure").first).to_contain_text("81,4")
    person.open("/measurements/")
    expect(person.page.locator("main")).to_contain_text("81,4")


def test_worked_conversation(person: Person) -> None:
    log_weight(person, "76", "2020-01-01")
    expect(person.page.locator(".toast")).to_contain_text("76")
    person.begin(WORKED)
    answer = "Falta el registro de 2020-01-02. El 2020-01-01 hay un peso guardado: 76 kg."
    for _ in range(2):
        expect(person.last_turn).to_contain_text(answer)
        expect(person.last_turn.locator(".call")).to_have_count(2)
        expect(person.last_turn.locator(".receipt")).to_have_count(0)
        expect(person.last_turn.locator(".effect-line")).to_contain_text("2")
        person.page.reload()
    person.open("/measurements/day/2020-01-02/")
    expect(person.page.locator("main")).not_to_contain_text("76")


def test_coach_writes_with_a_receipt_that_a_reload_and_undo_respect(person: Person) -> None:
    person.begin("anota 77,4 kg el 2020-01-04")
    receipt = person.last_turn.locator(".receipt-saved")
    expect(receipt).to_contain_text("77,4")
    person.page.reload()
    expect(receipt).to_contain_text("77,4")
    person.ask("consulta el peso de 2020-01-04")
    expect(person.last_turn).to_contain_text("77,4")

    first = person.page.locator("#transcript > li").first
    first.locator(".receipt-actions button").click()
    expect(first.locator(".receipt-undone")).to_be_visible()
    person.page.reload()
    expect(first.locator(".receipt-undone")).to_be_visible()
    person.ask("consulta el peso de 2020-01-04")
    expect(person.last_turn.locator(".prose")).not_to_contain_text("77,4")


def test_deletion_asks_first(person: Person) -> None:
    person.begin("anota 77,4 kg el 2020-01-04")
    person.send("borra el peso del 2020-01-04")
    question = person.page.locator(".receipt-question")
    expect(question).to_contain_text("77,4")
    person.page.reload()
    question.locator("button[value=no]").click()
    person.answered(2)
    expect(person.last_turn.locator(".receipt-saved")).to_have_count(0)

    person.send("borra el peso del 2020-01-04")
    question.locator("button[value=yes]").click()
    person.answered(3)
    expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")


def test_page_of_the_conversation_holds_on_a_desktop_too(person: Person) -> None:
    person.page.set_viewport_size(DESKTOP)
    person.begin("¿qué puedes hacer?")
    expect(person.page.locator(".conversation-list a[aria-current]")).to_be_visible()


def test_rename_and_delete_a_conversation(person: Person) -> None:
    person.begin("hola")
    person.page.locator(".menu > summary").click()
    person.page.locator("[name=title]").fill("Mi charla")
    person.page.locator("[name=title]").press("Enter")
    expect(person.page.locator("h1")).to_have_text("Mi charla")
    person.page.locator(".menu > summary").click()
    person.page.locator(".button-danger").click()
    expect(person.page).to_have_url(re.compile(r"/coach/$"))
    expect(person.page.locator(".conversation-list")).not_to_contain_text("Mi charla")


def test_the_page_is_no_wider_than_a_phone(person: Person) -> None:
    person.begin(WORKED)
    for path in ("/", "/measurements/", "/settings/", "/coach/"):
        person.open(path)
        wider = person.page.evaluate(
            "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )
        assert not wider, path
