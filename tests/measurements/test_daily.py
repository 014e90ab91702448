"""One value a day, worked out in the database, and the trend of a range."""

import datetime as dt
import math
import random
from collections.abc import Sequence
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from pytest_django import DjangoAssertNumQueries

from measurements import queries, trend
from measurements.daily import WARM_UP, daily, trended
from measurements.models import Measurement, Profile, Source
from tests.measurements.conftest import Record

START = dt.date(2020, 1, 1)
END = dt.date(2020, 12, 31)
FIRST, LAST, MEAN = Profile.DayValue.FIRST, Profile.DayValue.LAST, Profile.DayValue.MEAN

type Row = tuple[dt.date, Decimal, int | None]


def fill(user: User, rows: Sequence[Row], metric: str = "weight") -> None:
    """Straight into the table: day, kilograms, minute of the day (None: no time)."""
    Measurement.objects.bulk_create(
        Measurement(
            user=user,
            metric=metric,
            value=value,
            entered_value=value,
            entered_unit="kg",
            measured_on=on,
            measured_at=None
            if minute is None
            else dt.datetime.combine(on, dt.time(minute // 60, minute % 60), dt.UTC),
            utc_offset_minutes=None if minute is None else 0,
            source=Source.FORM,
        )
        for on, value, minute in rows
    )


def every_day(user: User, days: int, *, until: dt.date = END, metric: str = "weight") -> None:
    values = random.Random(7)
    fill(
        user,
        [
            (until - dt.timedelta(days=back), Decimal(f"{values.uniform(70, 90):.1f}"), 420)
            for back in range(days)
        ],
        metric,
    )


def test_nobody_sees_the_days_of_another(reader: User, stranger: User, record: Record) -> None:
    record("60", "2020-01-02", user=stranger)
    assert daily(reader, "weight", START, END) == []
    assert trended(reader, "weight", None, END).days == []


@pytest.mark.parametrize(("choice", "value"), [(FIRST, 80), (LAST, 84), (MEAN, 81)])
def test_the_person_chooses_which_value_of_a_day_counts(
    reader: User, record: Record, choice: str, value: float
) -> None:
    record("84", "2020-01-02", at="21:00")
    record("79", "2020-01-02", at="07:00")
    record("80", "2020-01-02")
    (day,) = daily(reader, "weight", START, END, choice)
    assert (day.on, day.value, day.low, day.high) == (dt.date(2020, 1, 2), value, 79, 84)


@pytest.mark.parametrize("choice", [FIRST, LAST, MEAN])
def test_a_day_names_all_its_sources(reader: User, record: Record, choice: str) -> None:
    record("84", "2020-01-02", at="21:00", source=Source.IMPORT)
    record("79", "2020-01-02", at="07:00", source=Source.COACH)
    record("79", "2020-01-03", at="07:00", source=Source.API)
    days = daily(reader, "weight", START, END, choice)
    assert [day.sources for day in days] == [("coach", "import"), ("api",)]


@pytest.mark.parametrize("choice", [FIRST, LAST, MEAN])
def test_of_shares_and_masses_the_last_ones_kind_is_taken(reader: User, record: Record, choice: str) -> None:
    record("20", "2020-01-02", at="07:00", metric="body_fat", unit="%")
    record("16", "2020-01-02", at="08:00", metric="body_fat", unit="kg")
    record("21", "2020-01-03", metric="body_fat", unit="%")
    assert [day.value for day in daily(reader, "body_fat", START, END, choice)] == [20, 21]
    assert trended(reader, "body_fat", None, END, choice).unit == "%"
    assert trended(reader, "body_fat", None, dt.date(2020, 1, 2), choice).unit == "kg"


def test_both_ends_of_a_range_belong_to_it(reader: User) -> None:
    every_day(reader, 10)
    days = daily(reader, "weight", END - dt.timedelta(days=3), END - dt.timedelta(days=1))
    assert [(END - day.on).days for day in days] == [3, 2, 1]


def test_a_year_of_an_impossible_beginning_is_answered(reader: User, record: Record) -> None:
    record("80", "2020-01-02")
    assert len(trended(reader, "weight", dt.date.min, END).days) == 1


@pytest.mark.parametrize("choice", [FIRST, LAST, MEAN])
def test_asks_twice_at_ten_days_and_at_ten_years(
    reader: User, django_assert_num_queries: DjangoAssertNumQueries, choice: str
) -> None:
    for days in (10, 3650):
        Measurement.objects.all().delete()
        every_day(reader, days)
        with django_assert_num_queries(2):
            assert len(daily(reader, "weight", dt.date.min, END, choice)) == days
        with django_assert_num_queries(2):
            trended(reader, "weight", END - dt.timedelta(days=90), END, choice)


def test_golden_level_of_a_range(reader: User, record: Record) -> None:
    for on, value in (("01", "80"), ("02", "81"), ("05", "79"), ("06", "79.5")):
        record(value, f"2020-01-{on}")
    found = trended(reader, "weight", dt.date(2020, 1, 6), END)
    assert [day.value for day in found.days] == [79.5]
    assert [round(level, 4) for level in found.levels] == [79.7065]


@pytest.mark.parametrize("missing", [0.0, 0.6, 0.97])
def test_the_trend_of_a_range_is_that_of_the_whole_history(reader: User, missing: float) -> None:
    dice = random.Random(3)
    history = [
        (END - dt.timedelta(days=back), Decimal(f"{dice.uniform(60, 120):.1f}"), None)
        for back in range(3000)
        if dice.random() >= missing
    ]
    fill(reader, history)
    whole = dict(trend.exponential([(on, float(value)) for on, value, _at in reversed(history)]))
    for back in (0, 30, 91, 365, 2990):
        part = trended(reader, "weight", END - dt.timedelta(days=back), END)
        assert [day.on for day in part.days] == [on for on in whole if (END - on).days <= back]
        for day, level in zip(part.days, part.levels, strict=True):
            assert math.isclose(level, whole[day.on], rel_tol=1e-15), day.on


def test_a_range_reads_no_more_than_itself_and_the_warm_up(
    reader: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    every_day(reader, 2000)
    seen: list[int] = []
    real = trend.exponential

    def counting(days: Sequence[trend.Point]) -> list[trend.Point]:
        seen.append(len(days))
        return real(days)

    monkeypatch.setattr(trend, "exponential", counting)
    trended(reader, "weight", END - dt.timedelta(days=29), END)
    assert seen == [30 + WARM_UP.days]


def test_a_summary_reads_a_row_a_day_and_asks_the_same_number_of_times(
    reader: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for days in (10, 3650):
        Measurement.objects.all().delete()
        every_day(reader, days)
        with django_assert_num_queries(8):
            assert queries.summary(reader, "weight", dt.date(1990, 1, 1), END).count == days


class Invariants(TestCase):
    @settings(max_examples=40, deadline=None)
    @given(
        st.dictionaries(
            st.tuples(st.integers(0, 20), st.one_of(st.none(), st.integers(0, 1439))),
            st.decimals(min_value=1, max_value=650, places=4),
            min_size=1,
            max_size=30,
        ),
        st.sampled_from(Profile.DayValue.values),
        st.randoms(),
    )
    def test_what_counts_is_within_its_day_whatever_the_order_of_entry(
        self, values: dict[tuple[int, int | None], Decimal], choice: str, dice: random.Random
    ) -> None:
        rows: list[Row] = [
            (START + dt.timedelta(days=day), value, minute) for (day, minute), value in values.items()
        ]
        answers = []
        for name in ("one", "two"):
            user, _made = User.objects.get_or_create(username=name)
            Measurement.objects.filter(user=user).delete()
            dice.shuffle(rows)
            fill(user, rows)
            answers.append(trended(user, "weight", None, END, choice))
        one, two = answers
        assert [day.on for day in one.days] == sorted({on for on, _value, _at in rows})
        for day, level in zip(one.days, one.levels, strict=True):
            of_day = [float(value) for on, value, _at in rows if on == day.on]
            assert (day.low, day.high) == (min(of_day), max(of_day))
            assert day.low <= day.value <= day.high
            slack = 1e-9
            assert min(d.low for d in one.days) - slack <= level <= max(d.high for d in one.days) + slack
        for ours, theirs in zip(one.days, two.days, strict=True):
            assert math.isclose(ours.value, theirs.value, rel_tol=1e-12)
