"""Settings: how a person reads and writes."""

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.test import Client

from measurements.models import Profile
from tests.pages import text

CHOSEN = {
    "language": "pt-br",
    "time_zone": "Asia/Tokyo",
    "mass_unit": "st_lb",
    "length_unit": "in",
    "day_value": "first",
    "theme": "light",
    "hide_numbers": "on",
}


def test_every_choice_is_kept_and_shown_again(page: Client, reader: User) -> None:
    response = page.post("/settings/", CHOSEN, follow=True)
    profile = Profile.objects.get(user=reader)
    assert (profile.language, profile.time_zone, profile.mass_unit) == ("pt-br", "Asia/Tokyo", "st_lb")
    assert profile.day_value == "first"
    assert (profile.length_unit, profile.theme, profile.hide_numbers) == ("in", "light", True)
    shown = text(response)
    assert '<option value="Asia/Tokyo" selected>' in shown
    assert '<html lang="pt-br" data-theme="light">' in shown


def test_the_theme_is_in_the_page_from_its_first_byte(page: Client, reader: User) -> None:
    Profile.objects.filter(user=reader).update(theme="dark")
    assert 'data-theme="dark"' in text(page.get("/"))
    Profile.objects.filter(user=reader).update(theme="system")
    assert "data-theme" not in text(page.get("/"))


@pytest.mark.parametrize(
    ("field", "value"), [("time_zone", "Mars/Olympus"), ("theme", "neon"), ("language", "tlh")]
)
def test_what_is_no_choice_is_refused(page: Client, reader: User, field: str, value: str) -> None:
    assert page.post("/settings/", CHOSEN | {field: value}).status_code == 422
    assert Profile.objects.get(user=reader).theme == "system"


def test_languages_are_named_in_their_own_language(page: Client) -> None:
    shown = text(page.get("/settings/"))
    assert all(name in shown for name in ("English", "Español", "Português"))


def test_reading_settings_writes_nothing(page: Client, reader: User) -> None:
    Profile.objects.filter(user=reader).delete()
    page.get("/settings/")
    assert not Profile.objects.exists()


def test_sex_and_birth_are_asked_and_may_stay_empty(page: Client, reader: User) -> None:
    page.post("/settings/", CHOSEN | {"sex": "female", "birth_date": "1990-02-03"})
    profile = Profile.objects.get(user=reader)
    assert (profile.sex, profile.birth_date) == ("female", dt.date(1990, 2, 3))
    assert 'value="1990-02-03"' in text(page.get("/settings/"))
    page.post("/settings/", CHOSEN | {"sex": "", "birth_date": ""})
    profile.refresh_from_db()
    assert (profile.sex, profile.birth_date) == ("", None)


@pytest.mark.parametrize("born", ["2999-01-01", "1850-01-01", "yesterday"])
def test_a_birth_that_cannot_be_is_refused_and_stays_in_the_form(page: Client, born: str) -> None:
    response = page.post("/settings/", CHOSEN | {"birth_date": born})
    assert response.status_code == 422
    assert f'value="{born}"' in text(response)
