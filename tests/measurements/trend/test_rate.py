"""The rate a week: what it says of simulated weights, and what it never claims."""

import datetime as dt
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given

from measurements.trend import Point, Verdict, judge, local_linear, rate_of
from tests.measurements.trend.series import FIRST, LOGGED, Truth, drifting, simulate, straight, swinging

POUND = 0.45359237


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.9, -0.5, Verdict.FALLING),
        (0.5, 0.9, Verdict.RISING),
        (-0.15, 0.1, Verdict.STEADY),
        (-0.2, 0.2, Verdict.STEADY),
        (-0.3, 0.1, Verdict.UNCLEAR),
        (-0.1, 0.3, Verdict.UNCLEAR),
        (-0.1, 0.0, Verdict.STEADY),
        (-0.1, -0.05, Verdict.FALLING),
    ],
)
def test_only_what_the_whole_interval_supports_is_said(low: float, high: float, verdict: Verdict) -> None:
    assert judge(low, high, margin=0.2) is verdict


def test_a_plain_loss_is_told_with_its_interval() -> None:
    days = [(FIRST + dt.timedelta(n), 80 - 0.1 * n + (n * 7 % 5 - 2) * 0.2) for n in range(60)]
    rate = rate_of(local_linear(days), FIRST + dt.timedelta(32))
    assert rate is not None
    assert rate.per_week == pytest.approx(-0.7, abs=0.1)
    assert -1 < rate.low < rate.per_week < rate.high < -0.4
    assert rate.verdict is Verdict.FALLING


def test_two_months_of_the_same_weight_are_steady() -> None:
    days = [(FIRST + dt.timedelta(n), 80.0) for n in range(60)]
    rate = rate_of(local_linear(days), FIRST + dt.timedelta(32))
    assert rate is not None
    assert rate.verdict is Verdict.STEADY


@pytest.mark.parametrize("offsets", [[], [0], [0, 12], [0, 1, 6]])
def test_too_few_days_or_too_close_together_have_no_rate(offsets: list[int]) -> None:
    days = [(FIRST + dt.timedelta(n), 80 - 0.1 * n) for n in offsets]
    assert rate_of(local_linear(days), FIRST) is None


def test_days_before_the_span_do_not_count_as_days_of_it() -> None:
    days = [(FIRST + dt.timedelta(n), 80.0) for n in range(30)]
    assert rate_of(local_linear(days), FIRST + dt.timedelta(28)) is None


@given(LOGGED)
def test_conversion_commutes_with_the_rate(series: list[Point]) -> None:
    rate = rate_of(local_linear(series), FIRST)
    pounds = rate_of(local_linear([(day, value / POUND) for day, value in series]), FIRST)
    assert (rate is None) == (pounds is None)
    if rate and pounds:
        assert pounds.per_week * POUND == pytest.approx(rate.per_week, abs=1e-6)
        assert pounds.low * POUND == pytest.approx(rate.low, abs=1e-6)


@pytest.mark.parametrize("truth", [straight, swinging, drifting])
@pytest.mark.parametrize("noise", [0.3, 0.6])
def test_the_interval_covers_the_true_rate_about_95_times_in_100(
    truth: Callable[[Random], Truth], noise: float
) -> None:
    chance = Random(11)
    within: list[bool] = []
    for _ in range(100):
        simulated = simulate(chance, truth(chance), noise=noise, logged=0.8)
        trend = local_linear(simulated.days)
        last = trend.states[-1].day
        first = next(state.day for state in trend.states if state.day >= last - dt.timedelta(27))
        rate = rate_of(trend, first)
        assert rate is not None
        true = 7 * (simulated.true_on(last) - simulated.true_on(first)) / (last - first).days
        within.append(rate.low <= true <= rate.high)
    assert sum(within) / len(within) >= 0.9
