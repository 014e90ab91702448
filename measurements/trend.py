"""The trend of a series of values: what the body does behind what the scale says. Pure."""

import math
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter
from statistics import fmean

TIME_CONSTANT_DAYS = 7.0

type Point = tuple[date, float]


def daily_means(points: Iterable[Point]) -> list[Point]:
    """One point for each day that has any, in order: their mean. The order of the input is of no account."""
    by_day = groupby(sorted(points), key=itemgetter(0))
    return [(day, fmean(value for _, value in group)) for day, group in by_day]


def exponential(days: Sequence[Point], *, time_constant: float = TIME_CONSTANT_DAYS) -> list[Point]:
    """The exponentially smoothed value on each day of `days` (one point a day, in order).

    A point `Δt` days after the one before weighs p = 1 − e^(−Δt/τ): the exact step of a first-order
    low-pass filter with time constant τ. After a gap the new value counts for more, and no missing
    day has to be invented.
    """
    trend: list[Point] = []
    for day, value in days:
        if trend:
            last_day, last = trend[-1]
            weight = 1 - math.exp(-(day - last_day).days / time_constant)
            value = last + weight * (value - last)
        trend.append((day, value))
    return trend


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
