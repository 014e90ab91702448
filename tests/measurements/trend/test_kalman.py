"""The local linear trend: what must hold for any series, and that its band tells the truth."""

import datetime as dt
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurements.trend import Kind, Point, daily_means, line, local_linear
from tests.measurements.trend.series import (
    FIRST,
    LOGGED,
    SERIES,
    VALUES,
    Truth,
    drifting,
    simulate,
    straight,
    swinging,
)

POUND = 0.45359237


def levels(days: list[Point]) -> list[float]:
    return [state.level for state in local_linear(days).states]


def widths(days: list[Point]) -> list[float]:
    return [state.high - state.low for state in local_linear(days).states]


def test_no_days_have_no_trend() -> None:
    assert local_linear([]).states == []


def test_one_day_is_its_own_trend_with_a_band() -> None:
    (state,) = local_linear([(FIRST, 80.0)]).states
    assert state.level == 80
    assert state.slope == 0
    # What days of a weight stray by when nothing else is known: 0.66 %.
    assert state.high - state.level == pytest.approx(1.96 * 0.0066 * 80, rel=0.01)


def test_two_days_far_apart_in_value_are_no_certain_slope() -> None:
    first, second = local_linear([(FIRST, 80.0), (FIRST + dt.timedelta(1), 78.0)]).states
    assert first.level > second.level
    assert abs(second.slope) < 0.5


@given(SERIES, VALUES)
def test_a_constant_series_is_its_own_trend(series: list[Point], value: float) -> None:
    states = local_linear([(day, value) for day, _ in series]).states
    assert [state.level for state in states] == pytest.approx([value] * len(series))
    assert all(state.low < value < state.high for state in states)


def test_values_of_nothing_but_zero_have_a_trend() -> None:
    assert levels([(FIRST, 0.0), (FIRST + dt.timedelta(1), 0.0)]) == [0, 0]


@given(LOGGED, st.integers(-3000, 3000))
def test_shift_in_time_changes_nothing(series: list[Point], days: int) -> None:
    moved = [(day + dt.timedelta(days), value) for day, value in series]
    assert levels(moved) == levels(series)


@given(st.permutations([(FIRST + dt.timedelta(n // 2), 80 + n % 3) for n in range(12)]))
def test_order_of_entry_changes_nothing(points: list[Point]) -> None:
    assert levels(daily_means(points)) == levels(daily_means(sorted(points)))


@given(LOGGED)
def test_conversion_commutes_with_the_trend(series: list[Point]) -> None:
    states = local_linear(series).states
    pounds = local_linear([(day, value / POUND) for day, value in series]).states
    for kilograms, converted in zip(states, pounds, strict=True):
        assert converted.level * POUND == pytest.approx(kilograms.level, rel=1e-6)
        assert converted.low * POUND == pytest.approx(kilograms.low, rel=1e-6)
        assert converted.slope * POUND == pytest.approx(kilograms.slope, abs=1e-6)


@given(LOGGED)
def test_the_trend_leaves_the_data_by_their_range_at_most(series: list[Point]) -> None:
    """A slope may overshoot where it turns: the local linear trend is no mean of the values."""
    values = [value for _, value in series]
    least, most = min(values), max(values)
    room = most - least + 1e-6
    assert all(least - room <= level <= most + room for level in levels(series))


@given(LOGGED)
def test_every_spread_is_one(series: list[Point]) -> None:
    for state in local_linear(series).states:
        level, both, slope = state.spread
        assert level > 0
        assert slope > 0
        assert both**2 <= level * slope * (1 + 1e-9)


def test_the_band_is_wider_beside_a_gap_and_widest_alone_in_one() -> None:
    days = [(FIRST + dt.timedelta(n), 80.0 + n % 2) for n in range(90)]
    gap = [point for n, point in enumerate(days) if not 30 <= n < 60 or n == 45]
    whole, with_gap = widths(days), widths(gap)
    assert with_gap[29] > 1.2 * whole[29]
    assert with_gap[30] > 1.2 * with_gap[29]
    assert with_gap[30] == max(with_gap[5:-5])  # the ends have neighbours on one side alone


@pytest.mark.parametrize("odd", [20, 45, 59])
@pytest.mark.parametrize("by", [3.0, -3.0, 30.0])
def test_one_odd_weigh_in_barely_moves_the_trend(odd: int, by: float) -> None:
    days = [(FIRST + dt.timedelta(n), 80 - 0.05 * n + (n * 7 % 5 - 2) * 0.2) for n in range(60)]
    with_odd = [(day, value + by if n == odd else value) for n, (day, value) in enumerate(days)]
    moved = [abs(a - b) for a, b in zip(levels(days), levels(with_odd), strict=True)]
    assert max(moved) < 0.2


def test_a_steady_loss_is_followed_without_lag() -> None:
    days = [(FIRST + dt.timedelta(n), 80 - 0.1 * n) for n in range(60)]
    assert levels(days)[10:] == pytest.approx([value for _, value in days[10:]], abs=0.1)


def test_a_lasting_jump_is_followed_though_smoothed_over_a_week_or_two() -> None:
    days = [(FIRST + dt.timedelta(n), (80.0 if n < 30 else 77.0) + n % 2 * 0.4) for n in range(60)]
    assert levels(days)[18] == pytest.approx(80.2, abs=0.4)
    assert levels(days)[42] == pytest.approx(77.2, abs=0.4)


def test_a_back_dated_entry_does_not_reach_months_away() -> None:
    days = [(FIRST + dt.timedelta(n), 80.0 + n * 7 % 5 * 0.2) for n in range(200) if n != 20]
    later = sorted([*days, (FIRST + dt.timedelta(20), 81.5)])
    before, after = (
        dict(zip(dict(days), levels(days), strict=True)),
        dict(zip(dict(later), levels(later), strict=True)),
    )
    far = [day for day in before if (day - FIRST).days > 110]
    assert [after[day] for day in far] == pytest.approx([before[day] for day in far], abs=0.01)


@pytest.mark.parametrize("truth", [straight, swinging, drifting])
@pytest.mark.parametrize("noise", [0.3, 0.6])
@pytest.mark.parametrize("logged", [1.0, 0.4])
def test_the_band_covers_the_truth_about_95_times_in_100(
    truth: Callable[[Random], Truth], noise: float, logged: float
) -> None:
    chance = Random(7)
    within: list[bool] = []
    for _ in range(40):
        simulated = simulate(chance, truth(chance), noise=noise, logged=logged)
        within += [
            state.low <= simulated.true_on(state.day) <= state.high
            for state in local_linear(simulated.days).states
        ]
    assert sum(within) / len(within) >= 0.9


def test_both_kinds_of_line_have_a_point_for_each_day_and_one_has_a_band() -> None:
    days = [(FIRST, 80.0), (FIRST + dt.timedelta(1), 81.0), (FIRST + dt.timedelta(4), 79.0)]
    plain, banded = line(days, Kind.EXPONENTIAL), line(days, Kind.KALMAN)
    assert [point.day for point in plain] == [point.day for point in banded] == [day for day, _ in days]
    assert all(point.low is None and point.high is None for point in plain)
    assert all(p.low is not None and p.high is not None and p.low < p.level < p.high for p in banded)
