"""How fast a trend goes, how sure that is, and what may be said of it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from statistics import fmean

from measurements.trend.kalman import WIDTH_95, LocalLinear
from measurements.trend.series import Point

# With fewer days, or closer together, the expected noise and slope of the model would speak, not the data.
LEAST_DAYS = 3
LEAST_SPAN_DAYS = 7
# What is as good as no change in a week: 0.25 % of the value, about 1 % in four weeks. A third of the
# 3 % that Stevens, Truesdale, McClain & Cai (2006, Int. J. Obes. 30:391) take for weight maintenance.
STEADY_SHARE_A_WEEK = 0.0025


class Verdict(StrEnum):
    FALLING = "falling"
    RISING = "rising"
    STEADY = "steady"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Rate:
    """Change a week, with the ends of its 95 % interval, in the unit of the values."""

    per_week: float
    low: float
    high: float
    verdict: Verdict


def judge(low: float, high: float, *, margin: float) -> Verdict:
    """What the interval of a change supports. A direction only if it excludes zero, and "steady" only if
    it lies within `margin` of zero; else nothing is clear yet. Where both hold, the direction is said.
    """
    if high < 0:
        return Verdict.FALLING
    if low > 0:
        return Verdict.RISING
    return Verdict.STEADY if -margin <= low and high <= margin else Verdict.UNCLEAR


def rate_of(trend: LocalLinear, since: date) -> Rate | None:
    """The mean rate of the trend from its first day on or after `since` to its last day.

    None with fewer than three days there, or with less than a week between the first and the last.
    """
    states = trend.states
    first = next((i for i, state in enumerate(states) if state.day >= since), len(states))
    if len(states) - first < LEAST_DAYS:
        return None
    span = (states[-1].day - states[first].day).days
    if span < LEAST_SPAN_DAYS:
        return None
    change, deviation = trend.change(first, len(states) - 1)
    weeks = span / 7
    per_week, reach = change / weeks, WIDTH_95 * deviation / weeks
    low, high = per_week - reach, per_week + reach
    return Rate(per_week, low, high, judge(low, high, margin=STEADY_SHARE_A_WEEK * trend.typical))


def change_per_week(days: Sequence[Point]) -> float | None:
    """The slope of the least-squares line through the days, times seven; None for fewer than two days."""
    if len(days) < 2:
        return None
    start = days[0][0]
    xs = [float((day - start).days) for day, _ in days]
    ys = [value for _, value in days]
    mean_x, mean_y = fmean(xs), fmean(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return 7 * sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
