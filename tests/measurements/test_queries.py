"""What pages and tools ask: always of one person, always by the days of that person's calendar."""

import datetime as dt
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from measurements import queries, services
from measurements.models import Profile, Source
from measurements.services import Moment, NewValue, Origin

pytestmark = pytest.mark.django_db

FORM, COACH = Origin(Source.FORM), Origin(Source.COACH, "1.1")


def day(number: int) -> dt.date:
    return dt.date(2026, 1, number)


def record(
    user: User,
    value: str,
    on: dt.date,
    *,
    at: dt.time | None = None,
    metric: str = "weight",
    unit: str = "kg",
    origin: Origin = FORM,
) -> int:
    (revision,) = services.record_measurements(
        user, moment=Moment(on, at), values=[NewValue(metric, Decimal(value), unit)], origin=origin
    )
    return revision.pk


def test_nobody_sees_the_records_of_another(reader: User, stranger: User) -> None:
    revision = record(stranger, "60", day(1), origin=COACH)
    standing = queries.day(stranger, day(1))[0]
    assert queries.day(reader, day(1)) == []
    assert queries.between(reader, "weight", day(1), day(9)) == []
    assert queries.latest(reader, "weight") is None
    assert queries.record(reader, standing.pk) is None
    assert queries.metrics_in_use(reader) == []
    assert queries.summary(reader, "weight", day(1), day(9)).count == 0
    assert queries.days_page(reader).days == []
    assert queries.revisions_for(reader, ["1.1"]) == {"1.1": []}
    assert queries.recent_coach_changes(reader) == []
    assert queries.revision(reader, revision) is None


def test_who_never_chose_reads_the_defaults_and_nothing_is_stored(reader: User) -> None:
    Profile.objects.all().delete()
    assert queries.profile_of(reader).mass_unit == "kg"
    assert not Profile.objects.exists()


def test_the_latest_is_the_last_by_day_and_clock_not_by_when_it_was_typed(reader: User) -> None:
    record(reader, "81", day(2), at=dt.time(21))
    record(reader, "82", day(2), at=dt.time(7))
    record(reader, "83", day(1))
    latest = queries.latest(reader, "weight")
    assert latest is not None
    assert latest.value == 81


class TestSummary:
    def test_golden_numbers(self, reader: User) -> None:
        for on, value in ((1, "80"), (2, "81"), (5, "79"), (6, "79.5")):
            record(reader, value, day(on))
        found = queries.summary(reader, "weight", day(1), day(7))
        assert (found.count, found.missing_days, found.unit) == (4, 3, "kg")
        assert found.first is not None
        assert found.last is not None
        assert found.least is not None
        assert found.most is not None
        assert [found.first.value, found.last.value] == [Decimal(80), Decimal("79.5")]
        assert [found.least.value, found.most.value] == [Decimal(79), Decimal(81)]
        assert found.mean == Decimal("79.875")
        # Least squares by hand: Σ(x−x̄)(y−ȳ) = −4.25 and Σ(x−x̄)² = 17 of x = 0, 1, 4, 5.
        assert found.change_per_week == Decimal("-1.75")

    def test_of_nothing_is_nothing(self, reader: User) -> None:
        found = queries.summary(reader, "weight", day(1), day(7))
        assert (found.count, found.missing_days, found.mean, found.change_per_week) == (0, 7, None, None)

    def test_of_one_day_has_no_slope(self, reader: User) -> None:
        record(reader, "80", day(1), at=dt.time(7))
        record(reader, "82", day(1), at=dt.time(21))
        found = queries.summary(reader, "weight", day(1), day(1))
        assert (found.mean, found.change_per_week, found.missing_days) == (Decimal(81), None, 0)

    def test_shares_and_masses_are_never_averaged(self, reader: User) -> None:
        record(reader, "15", day(1), metric="body_fat", unit="kg")
        record(reader, "20", day(2), metric="body_fat", unit="%")
        found = queries.summary(reader, "body_fat", day(1), day(2))
        assert (found.count, found.unit, found.mean) == (1, "%", Decimal(20))


class TestDaysPage:
    def test_goes_from_page_to_page_and_loses_no_day(self, reader: User) -> None:
        for number in range(1, 8):
            record(reader, "80", day(number), at=dt.time(7))
            record(reader, "81", day(number), at=dt.time(21))
        seen: list[int] = []
        before: dt.date | None = None
        while True:
            page = queries.days_page(reader, before=before, size=3)
            assert all(len(shown.records) == 2 for shown in page.days)
            seen += [shown.on.day for shown in page.days]
            before = page.older
            if before is None:
                break
        assert seen == [7, 6, 5, 4, 3, 2, 1]

    def test_asks_twice_however_many_days_it_shows(
        self, reader: User, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        for number in range(1, 20):
            record(reader, "80", day(number))
        with django_assert_num_queries(2):
            queries.days_page(reader, size=10)


def test_changes_of_the_coach_come_with_their_undo_state_in_one_question(
    reader: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    taken_back = record(reader, "80", day(1), origin=COACH)
    services.undo(reader, revision_id=taken_back, origin=FORM)
    record(reader, "81", day(2), origin=COACH)
    with django_assert_num_queries(1):
        changes = queries.recent_coach_changes(reader)
        states = [(change.measured_on.day, change.can_undo) for change in changes]
    assert states == [(2, True), (1, False)]
    found = queries.revisions_for(reader, ["1.1", "9.9"])
    assert [change.measured_on.day for change in found["1.1"]] == [1, 2]
    assert found["9.9"] == []
