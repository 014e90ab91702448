"""The page of figures that follow from measurements."""

import datetime as dt

from django.contrib.auth.models import User
from django.test import Client

from measurements.models import Measurement, Profile, Revision
from tests.measurements.conftest import Record
from tests.pages import text

PAGE = "/measurements/derived/"


def test_a_figure_names_the_records_it_came_from_and_their_age(page: Client, record: Record) -> None:
    weight, height = record("81.4", "2026-01-02"), record("178", "2020-01-02", metric="height", unit="cm")
    shown = text(page.get(PAGE))
    assert "25.7" in shown
    assert f'href="/measurements/{weight.pk}/"' in shown
    assert f'href="/measurements/{height.pk}/"' in shown
    assert "days ago" in shown
    assert "Your date of birth is not in Settings." in shown


def test_what_cannot_be_computed_says_why_and_what_to_do(page: Client) -> None:
    shown = text(page.get(PAGE))
    assert "No height is recorded yet." in shown
    assert "You can say which to use in Settings." in shown
    assert 'href="/settings/#about-you"' in shown


def test_nobody_under_18_gets_a_bmi(page: Client, reader: User, record: Record) -> None:
    record("60", "2026-01-02")
    record("170", "2026-01-02", metric="height", unit="cm")
    Profile.objects.filter(user=reader).update(birth_date=dt.date.today() - dt.timedelta(days=15 * 365))
    shown = text(page.get(PAGE))
    assert "for people under 18 it would mislead" in shown
    assert "20.8" not in shown


def test_hidden_numbers_stay_hidden(page: Client, reader: User, record: Record) -> None:
    record("81.4", "2026-01-02")
    record("178", "2026-01-02", metric="height", unit="cm")
    Profile.objects.filter(user=reader).update(hide_numbers=True)
    shown = text(page.get(PAGE))
    assert not any(figure in shown for figure in ("25.7", "81.4", "178"))


def test_anothers_records_count_for_nothing(page: Client, record: Record, stranger: User) -> None:
    record("178", "2026-01-02", metric="height", unit="cm", user=stranger)
    assert "No height is recorded yet." in text(page.get(PAGE))


def test_nothing_is_stored(page: Client, record: Record) -> None:
    record("81.4", "2026-01-02")
    page.get(PAGE)
    assert (Measurement.objects.count(), Revision.objects.count()) == (1, 1)
