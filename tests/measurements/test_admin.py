"""An operator reads measurements and their changes in the admin; the one door for changes is elsewhere."""

import datetime as dt
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from measurements.models import ImportBatch, Measurement, Revision, Source
from measurements.services import Moment, NewValue, Origin, record_measurements
from tests.pages import text

pytestmark = pytest.mark.django_db

LISTS = ["measurement", "revision", "profile", "importbatch"]


@pytest.fixture
def operator() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("operator", password="a-long-password"))
    return client


def weigh(user: User, days: int) -> None:
    for n in range(days):
        record_measurements(
            user,
            moment=Moment(dt.date(2020, 1, 1) + dt.timedelta(n)),
            values=[NewValue("weight", Decimal(70 + n), "kg")],
            origin=Origin(Source.COACH, f"1.{n}"),
            replace=True,
        )


@pytest.mark.parametrize("name", LISTS)
def test_list_asks_as_often_for_many_rows_as_for_few(operator: Client, person: User, name: str) -> None:
    counts = []
    for days in (2, 9):
        weigh(person, days)
        for _n in range(days):
            ImportBatch.objects.create(user=person, file_name="f.csv", format="own", report={"read": 1})
        with CaptureQueriesContext(connection) as captured:
            assert operator.get(reverse(f"admin:measurements_{name}_changelist")).status_code == 200
        counts.append(len(captured))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("name", LISTS)
def test_nothing_can_be_added(operator: Client, name: str) -> None:
    assert operator.get(reverse(f"admin:measurements_{name}_add")).status_code == 403


def test_measurement_can_neither_be_changed_nor_deleted(operator: Client, person: User) -> None:
    weigh(person, 1)
    record = Measurement.objects.get()
    change = reverse("admin:measurements_measurement_change", args=[record.pk])
    assert 'name="_save"' not in text(operator.get(change))
    assert operator.post(change, {"value": "1"}).status_code == 403
    delete = reverse("admin:measurements_measurement_delete", args=[record.pk])
    assert operator.post(delete, {"post": "yes"}).status_code == 403
    assert Measurement.objects.get().value == 70


def test_changes_are_found_by_what_made_them(operator: Client, person: User) -> None:
    weigh(person, 3)
    page = text(operator.get(reverse("admin:measurements_revision_changelist"), {"q": "1.2"}))
    wanted = Revision.objects.get(reference="1.2")
    assert f"/revision/{wanted.pk}/change/" in page
    assert page.count("field-__str__") == 1


def test_measurements_are_found_by_metric(operator: Client, person: User) -> None:
    weigh(person, 1)
    listing = reverse("admin:measurements_measurement_changelist")
    assert "field-measured_on" in text(operator.get(listing, {"metric": "weight"}))
    assert "field-measured_on" not in text(operator.get(listing, {"metric": "waist"}))


def test_report_of_an_import_is_shown(operator: Client, person: User) -> None:
    batch = ImportBatch.objects.create(user=person, file_name="f.csv", format="own", report={"read": 4711})
    page = text(operator.get(reverse("admin:measurements_importbatch_change", args=[batch.pk])))
    assert '"read": 4711' in page
