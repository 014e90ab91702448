"""The demo account: once, through the importer, and only while DEMO is on."""

import csv
import datetime as dt

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import call_command
from pytest_django.fixtures import Settings

from gymnasia import demo
from gymnasia.demo_diary import openscale_export
from measurements import queries
from measurements.models import ImportBatch, Measurement, Source

LAST_DAY = dt.date(2026, 11, 30)


def enters() -> bool:
    return authenticate(username="demo", password="demo") is not None


def test_diary_is_the_same_each_time_and_covers_two_years() -> None:
    text = openscale_export(LAST_DAY)
    assert text == openscale_export(LAST_DAY)
    days = [dt.date.fromisoformat(row["DATE"]) for row in csv.DictReader(text.splitlines())]
    assert days == sorted(days)
    assert (days[0], days[-1]) == (LAST_DAY - dt.timedelta(days=730), LAST_DAY)
    assert 500 < len(set(days)) < 730


@pytest.mark.django_db
def test_account_comes_with_imported_data_up_to_yesterday() -> None:
    demo.open_account()
    user = User.objects.get(username="demo")
    records = Measurement.objects.visible_to(user.pk)
    assert records.count() > 1000
    assert not records.exclude(source=Source.IMPORT).exists()
    assert records.in_order().reverse()[0].measured_on == queries.profile_of(user).today() - dt.timedelta(
        days=1
    )
    assert ImportBatch.objects.get(user=user).report["rejected"] == []
    assert enters()


@pytest.mark.django_db
def test_second_start_changes_nothing() -> None:
    demo.open_account()
    user = User.objects.get(username="demo")
    Measurement.objects.visible_to(user.pk).first().delete()  # type: ignore[union-attr]
    count = Measurement.objects.count()
    demo.open_account()
    assert Measurement.objects.count() == count


@pytest.mark.django_db
def test_public_password_opens_nothing_without_demo(settings: Settings) -> None:
    settings.DEMO = True
    call_command("prepare")
    assert enters()
    settings.DEMO = False
    call_command("prepare")
    assert not enters()
    settings.DEMO = True
    call_command("prepare")
    assert enters()


@pytest.mark.django_db
def test_account_of_somebody_who_chose_that_name_is_left_alone() -> None:
    User.objects.create_user("demo", password="a-real-password")
    demo.open_account()
    demo.close_account()
    assert authenticate(username="demo", password="a-real-password") is not None
    assert not Measurement.objects.exists()
