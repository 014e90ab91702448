"""What the tests of measurements share."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.test import Client

from measurements import services
from measurements.models import Measurement, Profile, Source
from measurements.services import Moment, NewValue, Origin

type Record = Callable[..., Measurement]


@pytest.fixture
def reader(db: None) -> User:
    """Somebody in Madrid who reads English, in kilograms."""
    user = User.objects.create_user("eve", password="a-long-password")
    Profile.objects.create(user=user, language="en", time_zone="Europe/Madrid")
    return user


@pytest.fixture
def page(reader: User) -> Client:
    """The browser of `reader`."""
    client = Client()
    client.force_login(reader)
    return client


@pytest.fixture
def htmx(reader: User) -> Client:
    """The same browser asking for fragments."""
    client = Client(headers={"HX-Request": "true"})
    client.force_login(reader)
    return client


@pytest.fixture
def record(reader: User) -> Record:
    """Records one value: `record("80.1", "2020-01-02")`."""

    def record_value(
        value: str,
        on: str,
        *,
        at: str | None = None,
        metric: str = "weight",
        unit: str = "kg",
        user: User = reader,
        source: Source = Source.FORM,
    ) -> Measurement:
        revisions = services.record_measurements(
            user,
            moment=Moment(dt.date.fromisoformat(on), dt.time.fromisoformat(at) if at else None),
            values=[NewValue(metric, Decimal(value), unit)],
            origin=Origin(source),
        )
        return Measurement.objects.get(pk=revisions[0].record_id)

    return record_value
