"""The exponential trend: a running mean that forgets, with a lag of about its time constant. Pure."""

import math
from collections.abc import Sequence

from measurements.trend.series import Point

TIME_CONSTANT_DAYS = 7.0


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
