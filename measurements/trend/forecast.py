"""Where the trend goes if nothing changes, and how far off that may be. Pure."""

import math
from dataclasses import dataclass
from datetime import date, timedelta

from measurements.trend.kalman import WIDTH_95, LocalLinear
from measurements.trend.rate import LEAST_DAYS, LEAST_SPAN_DAYS

# The slope fades by this time constant (Gardner & McKenzie 1985, Management Science 31:1237: damped
# trends beat straight ones). Of a rate of today 72 % is left after 30 days and 37 % after 90.
SLOPE_FADES_DAYS = 90.0
# A forecast goes on with the mean slope of so many days.
SLOPE_OF_DAYS = 28
# Further ahead the fan is too wide to say anything.
HORIZON_DAYS = 180


@dataclass(frozen=True, slots=True)
class FanPoint:
    """The level that is expected on a day, and the ends of its 95 % interval. Single days stray further."""

    day: date
    centre: float
    low: float
    high: float


def fan(trend: LocalLinear, until: date) -> list[FanPoint]:
    """One point a day, from the day after the last value to `until`.

    It ends sooner where it would look further ahead than the values reach back, or more than 180
    days. Empty with fewer than three days, or with less than a week between the first and the last.
    """
    states = trend.states
    if len(states) < LEAST_DAYS:
        return []
    last, span = states[-1].day, (states[-1].day - states[0].day).days
    if span < LEAST_SPAN_DAYS:
        return []
    slope = _recent_slope(trend)
    reach = min((until - last).days, span, HORIZON_DAYS)
    return [_ahead(trend, slope, days) for days in range(1, reach + 1)]


def _recent_slope(trend: LocalLinear) -> float:
    """The mean slope a day of the last weeks: one odd value moves it less than it moves the last day's."""
    last = trend.states[-1].day
    recent = last - timedelta(SLOPE_OF_DAYS)
    first = next(i for i, state in enumerate(trend.states) if state.day >= recent)
    first = min(first, len(trend.states) - LEAST_DAYS)
    change, _ = trend.change(first, len(trend.states) - 1)
    return change / (last - trend.states[first].day).days


def _ahead(trend: LocalLinear, slope: float, days: int) -> FanPoint:
    """The last level carried on for `days` by `slope`, which fades.

    The model expects the last day's own slope instead, as an Ornstein-Uhlenbeck process; the interval
    is of the mean square error about that: its variance, and the square of what the two differ by.
    """
    last, fades = trend.states[-1], SLOPE_FADES_DAYS
    level, both, of_slope = last.spread
    left = math.exp(-days / fades)
    # ∫ of a slope that starts at 1, and the variance that the slope's own drift adds to the level.
    run = fades * (1 - left)
    drifted = fades**2 * (days - 2 * run + fades / 2 * (1 - left**2))
    variance = level + 2 * run * both + run**2 * of_slope
    variance += days * trend.drift.level + drifted * trend.drift.slope
    centre = last.level + run * slope
    width = WIDTH_95 * math.hypot(math.sqrt(variance), run * (last.slope - slope))
    return FanPoint(last.day + timedelta(days), centre, centre - width, centre + width)
