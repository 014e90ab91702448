"""Bringing a file, as people do: chosen, looked at, imported, taken back. Without any script."""

from pathlib import Path

from playwright.sync_api import expect

from e2e.conftest import NewPerson

SAMPLE = Path(__file__).resolve().parent.parent / "tests" / "data" / "openscale3.csv"


def test_a_file_comes_in_and_goes_again(new_person: NewPerson) -> None:
    person = new_person(locale="en-GB", java_script_enabled=False)
    person.sign_up()
    page = person.page
    person.open("/measurements/")
    page.get_by_role("link", name="Import and export").click()
    page.locator("input[type=file]").set_input_files(SAMPLE)
    page.get_by_role("button", name="Show what is in it").click()
    expect(page.get_by_role("heading", name="openscale3.csv")).to_be_visible()
    page.get_by_role("button", name="Import 5 values").click()
    expect(page.locator("#toasts")).to_contain_text("5 values were imported.")
    page.get_by_role("button", name="Undo the whole import").click()
    expect(page.get_by_role("heading", name="This import was undone")).to_be_visible()
    person.open("/measurements/")
    expect(page.locator("#days")).to_contain_text("Nothing is recorded yet")


def test_what_is_exported_is_recorded_already(new_person: NewPerson) -> None:
    person = new_person(locale="en-GB")
    person.sign_up()
    page = person.page
    person.open("/measurements/import/")
    page.locator("input[type=file]").set_input_files(SAMPLE)
    page.get_by_role("button", name="Show what is in it").click()
    page.get_by_role("button", name="Import 5 values").click()
    person.open("/measurements/import/")
    with page.expect_download() as exported:
        page.get_by_role("link", name="CSV", exact=True).click()
    page.locator("input[type=file]").set_input_files(exported.value.path())
    page.get_by_role("button", name="Show what is in it").click()
    expect(page.get_by_role("heading", name="Everything in the file is recorded already")).to_be_visible()
