"""Each page in each language fits the narrowest phone: nothing has to be scrolled sideways."""

import pytest
from playwright.sync_api import Page

from e2e.conftest import NewPerson
from e2e.surfaces import ASKED, OPEN_PAGES, PAGES

NARROW = {"width": 320, "height": 640}
# What sticks out to the right, apart from what scrolls by itself (a table) or is hidden on purpose.
STICKS_OUT = """() => {
  const scrolls = (node) => node && node !== document.body
    && (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(node).overflowX)
      || scrolls(node.parentElement));
  return [...document.body.querySelectorAll('*')]
    .filter((node) => node.getBoundingClientRect().right > innerWidth + 1 && !scrolls(node.parentElement)
      && getComputedStyle(node).visibility !== 'hidden')
    .map((node) => `${node.tagName} ${node.className} ${node.textContent.trim().slice(0, 60)}`);
}"""


def fits(page: Page, where: str) -> list[str]:
    """What is wrong with the width of an open page."""
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    found: list[str] = page.evaluate(STICKS_OUT)
    return [f"{where}: {what}" for what in (["scrolls sideways"] if wide > 0 else []) + found]


@pytest.mark.parametrize("language", ASKED)
def test_every_page_fits_the_narrowest_phone(new_person: NewPerson, language: str) -> None:
    person = new_person(locale=language, viewport=NARROW)
    person.complaints.expected.append("404")
    too_wide = []
    for path in OPEN_PAGES:
        person.open(path)
        too_wide += fits(person.page, path)
    person.sign_up()
    for path in PAGES:
        person.open(path)
        too_wide += fits(person.page, path)
    person.begin(ASKED[language][0])
    person.ask(ASKED[language][1])
    too_wide += fits(person.page, "conversation")
    for path in PAGES[:3]:
        person.open(path)
        too_wide += fits(person.page, f"{path} with records")
    assert too_wide == []
