"""Who uses the product in these tests, and how they come in."""

import itertools
from dataclasses import dataclass

from playwright.sync_api import Page, expect

PASSWORD = "correct-horse-staple"

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Person:
    name: str
    password: str = PASSWORD


def sign_up(page: Page) -> Person:
    """Creates an account through the page; ends on Today."""
    person = Person(f"person{next(_numbers)}")
    page.goto("/accounts/signup/")
    page.locator("input[name=username]").fill(person.name)
    page.locator("input[name=password1]").fill(person.password)
    page.locator("input[name=password2]").fill(person.password)
    page.locator("main form button").click()
    expect(page).to_have_url("/")
    return person


def sign_in(page: Page, person: Person) -> None:
    """Signs in through the page; ends on Today."""
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill(person.name)
    page.locator("input[name=password]").fill(person.password)
    page.locator("main form button").click()
    expect(page).to_have_url("/")
