"""The fan: where it starts and ends, how it widens, and how little one odd weigh-in moves it."""

import datetime as dt
from random import Random
from statistics import median

import pytest

from measurements.trend import FanPoint, Point, fan, local_linear
from tests.measurements.trend.series import FIRST, simulate, straight


def ahead(days: list[Point], by: int) -> list[FanPoint]:
    return fan(local_linear(days), days[-1][0] + dt.timedelta(by))


def falling(count: int) -> list[Point]:
    return [(FIRST + dt.timedelta(n), 80 - 0.1 * n + (n * 7 % 5 - 2) * 0.2) for n in range(count)]


def test_the_fan_has_every_day_after_the_last_value() -> None:
    days = falling(60)
    points = ahead(days, 30)
    assert [point.day for point in points] == [days[-1][0] + dt.timedelta(n) for n in range(1, 31)]


def test_the_fan_widens_day_by_day() -> None:
    widths = [point.high - point.low for point in ahead(falling(60), 60)]
    assert widths == sorted(widths)
    assert all(point.low < point.centre < point.high for point in ahead(falling(60), 60))


def test_the_rate_goes_on_and_fades() -> None:
    points = ahead(falling(120), 100)
    first, last = points[0].centre - points[1].centre, points[-2].centre - points[-1].centre
    assert first == pytest.approx(0.1, abs=0.02)
    assert 0 < last < first / 2


def test_no_fan_reaches_further_ahead_than_the_values_reach_back() -> None:
    assert len(ahead(falling(15), 300)) == 14
    assert len(ahead(falling(400), 400)) == 180


def test_a_date_that_is_past_has_no_fan() -> None:
    assert ahead(falling(60), 0) == ahead(falling(60), -5) == []


@pytest.mark.parametrize("count", [1, 2, 7])
def test_too_few_days_have_no_fan(count: int) -> None:
    assert ahead(falling(count), 30) == []


def test_two_days_far_apart_have_no_fan() -> None:
    assert ahead([(FIRST, 80.0), (FIRST + dt.timedelta(30), 78.0)], 10) == []


def test_a_weight_of_long_ago_does_not_hide_that_the_last_weeks_have_few() -> None:
    days = [*falling(30), (FIRST + dt.timedelta(300), 78.0)]
    assert ahead(days, 30)[-1].high - ahead(days, 30)[-1].low > 5


def test_an_odd_weigh_in_of_3_kg_moves_the_forecast_of_30_days_little() -> None:
    """Mostly by less than 0.3 kg, in 95 of 100 by less than 0.7, never by 1.5."""
    chance = Random(3)
    moves: list[float] = []
    for _ in range(40):
        days = simulate(chance, straight(chance), noise=0.5, logged=0.9, length=60).days
        for odd in (-1, -2, -5):
            for by in (3.0, -3.0):
                changed = list(days)
                changed[odd] = (days[odd][0], days[odd][1] + by)
                moves.append(abs(ahead(changed, 30)[-1].centre - ahead(days, 30)[-1].centre))
    moves.sort()
    assert median(moves) < 0.3
    assert moves[int(len(moves) * 0.95)] < 0.7
    assert moves[-1] < 1.5


def test_the_fan_covers_what_comes_of_a_weight_that_goes_on() -> None:
    chance = Random(5)
    within: list[bool] = []
    for _ in range(60):
        simulated = simulate(chance, straight(chance), noise=0.5, logged=0.8, length=90)
        point = ahead(simulated.days, 30)[-1]
        within.append(point.low <= simulated.true_on(point.day) <= point.high)
    assert sum(within) / len(within) >= 0.95
