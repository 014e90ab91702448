"""The exponential trend's golden numbers, and what must hold for any series."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurements.trend import Point, change_per_week, daily_means, exponential
from tests.measurements.trend.series import DAYS, SERIES, VALUES

GOLDEN: list[Point] = [
    (dt.date(2026, 1, 1), 80.0),
    (dt.date(2026, 1, 2), 81.0),
    (dt.date(2026, 1, 5), 79.0),
    (dt.date(2026, 1, 6), 79.5),
]


def test_golden_numbers() -> None:
    levels = [round(level, 4) for _, level in exponential(GOLDEN)]
    assert levels == [80.0, 80.1331, 79.7382, 79.7065]


def test_a_steady_loss_is_shown_about_a_week_late() -> None:
    days = [(dt.date(2026, 1, 1) + dt.timedelta(n), 80 - 0.1 * n) for n in range(60)]
    assert exponential(days)[-1][1] - days[-1][1] == pytest.approx(0.1 * 7, abs=0.06)


@given(SERIES)
def test_trend_stays_within_the_data(series: list[Point]) -> None:
    values = [value for _, value in series]
    for _, level in exponential(series):
        assert min(values) - 1e-9 <= level <= max(values) + 1e-9


@given(SERIES, VALUES)
def test_constant_series_is_its_own_trend(series: list[Point], value: float) -> None:
    constant = [(day, value) for day, _ in series]
    assert [level for _, level in exponential(constant)] == pytest.approx([value] * len(series))


@given(SERIES, st.integers(-3000, 3000))
def test_shift_in_time_changes_nothing(series: list[Point], days: int) -> None:
    moved = [(day + dt.timedelta(days), value) for day, value in series]
    assert [level for _, level in exponential(moved)] == [level for _, level in exponential(series)]
    if len(series) > 1:
        assert change_per_week(moved) == pytest.approx(change_per_week(series))


@given(st.lists(st.tuples(DAYS, VALUES), min_size=1, max_size=30), st.randoms())
def test_order_of_entry_changes_nothing(points: list[Point], chance: st.DataObject) -> None:
    shuffled = list(points)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis's own Random
    assert daily_means(points) == daily_means(shuffled)


@given(SERIES)
def test_conversion_commutes_with_the_trend(series: list[Point]) -> None:
    pounds = [(day, value / 0.45359237) for day, value in series]
    assert [level * 0.45359237 for _, level in exponential(pounds)] == pytest.approx(
        [level for _, level in exponential(series)]
    )


def test_change_per_week_of_a_straight_line() -> None:
    line = [(dt.date(2026, 1, 1) + dt.timedelta(days), 80 - 0.1 * days) for days in (0, 3, 4, 10)]
    assert change_per_week(line) == pytest.approx(-0.7)
    assert change_per_week(line[:1]) is None


@given(SERIES.filter(lambda series: len(series) > 1), DAYS, VALUES)
def test_a_back_dated_entry_changes_nothing_before_it(
    series: list[Point], day: dt.date, value: float
) -> None:
    later = sorted({**dict(series), day: value}.items())
    before = [point for point in exponential(series) if point[0] < day]
    assert [point for point in exponential(later) if point[0] < day] == before
