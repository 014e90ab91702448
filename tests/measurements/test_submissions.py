"""What is sent twice under one key has one effect."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from measurements import services, submissions
from measurements.errors import KeyReused, OutOfRange
from measurements.models import Measurement, Source, Submission
from measurements.services import Moment, NewValue, Origin

pytestmark = pytest.mark.django_db

DAY = dt.date(2026, 1, 1)


def send(user: User, value: str = "80", *, key: str = "k", kind: str = "log") -> dict[str, Any]:
    def do() -> dict[str, Any]:
        revisions = services.record_measurements(
            user,
            moment=Moment(DAY),
            values=[NewValue("weight", Decimal(value), "kg")],
            replace=True,
            origin=Origin(Source.API),
        )
        return {"saved": [revision.record_id for revision in revisions]}

    return submissions.once(user, key=key, kind=kind, content={"value": value}, do=do)


def test_the_same_key_again_gives_the_first_result_and_does_nothing(person: User) -> None:
    first = send(person)
    send(person, "81", key="another")
    assert send(person) == first
    assert Measurement.objects.get().value == 81


def test_the_order_of_fields_makes_no_other_content(person: User) -> None:
    def sent(content: dict[str, int]) -> int:
        return submissions.once(person, key="k", kind="log", content=content, do=lambda: len(content))

    assert sent({"a": 1, "b": 2}) == sent({"b": 2, "a": 1}) == 2


@pytest.mark.parametrize("other", [{"value": "81"}, {"kind": "change"}])
def test_the_same_key_with_something_else_is_refused(person: User, other: dict[str, str]) -> None:
    send(person)
    with pytest.raises(KeyReused):
        send(person, **other)
    assert Measurement.objects.get().value == 80


def test_each_person_has_keys_of_their_own(person: User, stranger: User) -> None:
    assert send(person) != send(stranger, "90")
    assert Measurement.objects.count() == 2


def test_what_was_refused_leaves_the_key_free(person: User) -> None:
    with pytest.raises(OutOfRange):
        send(person, "2000")
    assert not Submission.objects.exists()
    assert send(person)["saved"]


def test_a_key_is_forgotten_after_its_time_and_no_earlier(person: User, stranger: User) -> None:
    old, recent = (timezone.now() - submissions.KEPT + dt.timedelta(minutes=m) for m in (-1, 1))
    for user, key, created_at in ((person, "old", old), (person, "recent", recent), (stranger, "old", old)):
        Submission.objects.create(
            user=user, key=key, kind="log", fingerprint="", result={}, created_at=created_at
        )
    send(person, key="new")
    assert set(Submission.objects.filter(user=person).values_list("key", flat=True)) == {"recent", "new"}
    assert Submission.objects.filter(user=stranger).exists()


@pytest.mark.django_db(transaction=True)
def test_many_at_the_same_moment_have_one_effect(person: User) -> None:
    barrier = Barrier(6)
    effects: list[int] = []

    def attempt(number: int) -> int:
        def do() -> int:
            effects.append(number)
            return number

        try:
            barrier.wait(10)
            return submissions.once(person, key="k", kind="log", content=None, do=do)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(attempt, range(6)))
    assert len(effects) == 1
    assert set(results) == set(effects)
