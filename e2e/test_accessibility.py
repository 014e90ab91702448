"""axe-core finds nothing to mend, on any page and state, in both themes."""

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from e2e.conftest import DESKTOP, PHONE, NewPerson
from e2e.people import Person
from e2e.server import Server
from e2e.surfaces import ASKED, OPEN_PAGES, PAGES
from e2e.test_import import SAMPLE

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}

type Theme = Literal["dark", "light"]


class Inspector:
    """Collects what axe says of one page after another."""

    def __init__(self, axe: Axe) -> None:
        self.axe = axe
        self.found: list[str] = []

    def look_at(self, page: Page, where: str) -> None:
        answer: dict[str, Any] = self.axe.run(page, options=RULES).response
        for violation in answer["violations"]:
            for node in violation["nodes"]:
                self.found.append(f"{where}: {violation['id']}: {node['target']}: {node['html'][:120]}")

    def open(self, person: Person, path: str) -> None:
        person.open(path)
        self.look_at(person.page, path)


@pytest.fixture(scope="module")
def axe() -> Axe:
    return Axe()


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing(
    new_person: NewPerson, server: Server, axe: Axe, theme: Theme, viewport: Any
) -> None:
    inspector = Inspector(axe)
    person = new_person(locale="en-US", viewport=viewport, color_scheme=theme, reduced_motion="reduce")
    person.complaints.expected += ["404", "422"]
    for path in OPEN_PAGES:
        inspector.open(person, path)
    person.sign_up()
    for path in PAGES:
        inspector.open(person, path)
    _import_a_file(person, inspector)
    _log_what_is_refused_and_what_is_asked(person, inspector)
    _talk(person, server, inspector)
    for path in PAGES[:5]:
        person.open(path)
        inspector.look_at(person.page, f"{path} with records")
    assert inspector.found == []


def _import_a_file(person: Person, inspector: Inspector) -> None:
    page = person.page
    person.open("/measurements/import/")
    page.locator("input[type=file]").set_input_files(SAMPLE)
    page.get_by_role("button", name="Show what is in it").click()
    expect(page.get_by_role("heading", name=SAMPLE.name)).to_be_visible()
    inspector.look_at(page, "preview of an import")
    page.get_by_role("button", name="Import 5 values").click()
    expect(page.get_by_role("button", name="Undo the whole import")).to_be_visible()
    inspector.look_at(page, "report of an import")


def _log_what_is_refused_and_what_is_asked(person: Person, inspector: Inspector) -> None:
    page = person.page
    person.open("/")
    for value, shown in (("heavy", "#log .field-error"), ("310", "#log .notice")):
        page.locator("#log [name=value]").fill(value)
        page.locator("#log [name=value]").press("Enter")
        expect(page.locator(shown).first).to_be_visible()
        inspector.look_at(page, f"Today, {value} typed")


def _talk(person: Person, server: Server, inspector: Inspector) -> None:
    page = person.page
    write, read, removal = ASKED["en-US"]
    person.begin(write)
    person.ask(read)
    page.locator(".call summary").first.click()
    inspector.look_at(page, "conversation, a line opened")
    turns = page.locator("#transcript > li").count()
    person.send(removal)
    expect(page.locator(".receipt-question")).to_be_visible()
    inspector.look_at(page, "conversation, asked for a yes")
    page.locator(".receipt-question button[value=yes]").click()
    person.answered(turns + 1)
    server.faults(in_handler="raise:network timeout")
    person.ask(write)
    server.faults()
    expect(person.last_turn.locator(".notice-unconfirmed")).to_be_visible()
    inspector.look_at(page, "conversation, a write not confirmed")
