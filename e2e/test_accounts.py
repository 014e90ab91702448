"""Coming in and going out."""

from playwright.sync_api import expect

from e2e.conftest import DESKTOP, NewPerson


def test_sign_up_sign_out_and_sign_in_again(new_person: NewPerson) -> None:
    person = new_person()
    person.sign_up()
    person.sign_out()
    person.open("/")
    expect(person.page).to_have_url(f"{person.server.url}/accounts/login/?next=/")
    person.sign_in(person.name)


def test_demo_account_comes_with_two_years_of_measurements(new_person: NewPerson) -> None:
    visitor = new_person(locale="en-GB", viewport=DESKTOP)
    visitor.sign_in("demo", "demo")
    expect(visitor.page.locator(".figure").first).to_contain_text("kg")
    visitor.open("/measurements/")
    expect(visitor.page.locator("main svg, main canvas").first).to_be_visible()
