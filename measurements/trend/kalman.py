"""The local linear trend: a level and a slope that drift, found by a Kalman filter and smoother. Pure.

The model is the local linear trend of Harvey (1989, *Forecasting, Structural Time Series Models and
the Kalman Filter*, 2.3 and 9.2), in continuous time, so that days without a value need no state:

    value = level + noise           noise ~ Student t (4 degrees of freedom, scale r)
    d level = slope dt + √q₁ dW     d slope = √q₂ dW

Smoothed backwards by Rauch, Tung & Striebel (1965, AIAA J. 3:1445). The heavy tails of the noise are
fitted by reweighting (Lange, Little & Taylor 1989, JASA 84:881): what is far from the trend counts
for little. All variances are proportional to the square of the values' unit, so that a conversion of
units changes nothing but the unit. Each pass takes time proportional to the number of days.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from measurements.trend.noise import noise_of, typical
from measurements.trend.series import Point

# Half the width of a 95 % interval, in standard deviations of a normal variable.
WIDTH_95 = 1.96
# The slope's drift: in a month, a rate changes by 0 ± 0.5 % of the value a week. A diet that starts is
# one or two of these, an ordinary month less than one. With a noise of 0.5 kg at 80 kg the trend then
# bends within (r²/q₂)^¼ = 7 days: it follows a new diet within two weeks, and not a weekend.
SLOPE_DRIFT_SHARE = 0.005 / 7 / math.sqrt(30)
# The level's own drift, a share of the value a day: water and food that stay for some days, which are
# neither noise of a day nor slope. At 80 kg, 0.04 kg a day and 0.1 kg a week.
LEVEL_DRIFT_SHARE = 0.0005
# Before there is any data: a slope of 0 ± 1 % of the value a week. Faster is rare, and two days alone
# should not be taken for it.
SLOPE_SHARE_A_WEEK = 0.01
DEGREES_OF_FREEDOM = 4
# Each pass reweights by the last one's residuals; a few are enough for an odd value to lose its pull.
PASSES = 4

# Variances of level and slope, and their covariance: (level, both, slope).
type Spread = tuple[float, float, float]
# How a smoothed state follows the one after it: rows of a matrix.
type Gain = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class State:
    """What is known of a day with a value, from all days: level, slope a day, and how they vary."""

    day: date
    level: float
    slope: float
    spread: Spread

    @property
    def low(self) -> float:
        """The lower end of the level's 95 % band."""
        return self.level - WIDTH_95 * math.sqrt(self.spread[0])

    @property
    def high(self) -> float:
        """The upper end of the level's 95 % band."""
        return self.level + WIDTH_95 * math.sqrt(self.spread[0])


@dataclass(frozen=True, slots=True)
class Drift:
    """How much the trend may move in a day: variances a day of the level and of the slope."""

    level: float
    slope: float


@dataclass(frozen=True, slots=True)
class LocalLinear:
    """The smoothed trend of a series: one state for each of its days, and what the model took for given."""

    states: list[State]
    gains: list[Gain]
    noise: float
    drift: Drift
    typical: float

    def change(self, first: int, last: int) -> tuple[float, float]:
        """The level of state `last` minus that of `first`, and the standard deviation of that.

        The levels of two days are told by much the same values: their covariance, which makes the
        difference surer than each of them, is the last spread carried back through the gains
        (de Jong & Mackinnon 1988, Biometrika 75:601).
        """
        start, end = self.states[first], self.states[last]
        level, slope = end.spread[0], end.spread[1]
        for a, b, c, d in reversed(self.gains[first:last]):
            level, slope = a * level + b * slope, c * level + d * slope
        variance = start.spread[0] + end.spread[0] - 2 * level
        return end.level - start.level, math.sqrt(max(variance, 0.0))


def local_linear(days: Sequence[Point]) -> LocalLinear:
    """The trend of `days` (one point a day, in order). Of no days: no states."""
    if not days:
        return LocalLinear([], [], 0.0, Drift(0.0, 0.0), 0.0)
    noise, size = noise_of(days), typical(days)
    drift = Drift((LEVEL_DRIFT_SHARE * size) ** 2, (SLOPE_DRIFT_SHARE * size) ** 2)
    first_slope = (SLOPE_SHARE_A_WEEK * size / 7) ** 2
    weights = [1.0] * len(days)
    for left in reversed(range(PASSES)):
        states, gains = _smooth(days, *_filter(days, weights, noise, drift, first_slope))
        if left:
            weights = _weights(days, states, noise)
    return LocalLinear(states, gains, noise, drift, size)


def _weights(days: Sequence[Point], states: Sequence[State], noise: float) -> list[float]:
    """How much each value counts: as Student's t expects it, given how far it is from the level."""
    return [
        (DEGREES_OF_FREEDOM + 1)
        / (DEGREES_OF_FREEDOM + ((value - state.level) ** 2 + state.spread[0]) / noise**2)
        for (_, value), state in zip(days, states, strict=True)
    ]


# Level and slope with their spread: before a day's value, and after it.
type _Known = tuple[float, float, float, float, float]


def _filter(
    days: Sequence[Point], weights: Sequence[float], noise: float, drift: Drift, first_slope: float
) -> tuple[list[_Known], list[_Known]]:
    """What is known of each day from those before it, and then from its own value too.

    Written out for two by two: nothing else takes so long.
    """
    (last_day, level), variance = days[0], noise**2
    slope, ll, lb, bb = 0.0, variance / weights[0], 0.0, first_slope
    before: list[_Known] = [(level, slope, ll, lb, bb)]
    after: list[_Known] = [(level, slope, ll, lb, bb)]
    for (day, value), weight in zip(days[1:], weights[1:], strict=True):
        gap, last_day = (day - last_day).days, day
        level += gap * slope
        ll += gap * (2 * lb + gap * bb) + gap * drift.level + gap**3 / 3 * drift.slope
        lb += gap * bb + gap**2 / 2 * drift.slope
        bb += gap * drift.slope
        before.append((level, slope, ll, lb, bb))
        surprise, total = value - level, ll + variance / weight
        to_level, to_slope = ll / total, lb / total
        level, slope = level + to_level * surprise, slope + to_slope * surprise
        ll, lb, bb = ll - to_level * ll, lb - to_level * lb, bb - to_slope * lb
        after.append((level, slope, ll, lb, bb))
    return before, after


def _smooth(
    days: Sequence[Point], before: Sequence[_Known], after: Sequence[_Known]
) -> tuple[list[State], list[Gain]]:
    """What is known of each day from all days, backwards from the last."""
    level, slope, ll, lb, bb = after[-1]
    states = [State(days[-1][0], level, slope, (ll, lb, bb))]
    gains: list[Gain] = []
    for i in range(len(days) - 2, -1, -1):
        then_level, then_slope, pll, plb, pbb = before[i + 1]
        now_level, now_slope, fll, flb, fbb = after[i]
        gap = (days[i + 1][0] - days[i][0]).days
        # Gain: spread after · transitionᵀ · (spread before the next)⁻¹.
        determinant = pll * pbb - plb * plb
        ml, mb = fll + gap * flb, flb + gap * fbb
        a, b = (ml * pbb - flb * plb) / determinant, (flb * pll - ml * plb) / determinant
        c, d = (mb * pbb - fbb * plb) / determinant, (fbb * pll - mb * plb) / determinant
        gains.append((a, b, c, d))
        off_level, off_slope = level - then_level, slope - then_slope
        level, slope = now_level + a * off_level + b * off_slope, now_slope + c * off_level + d * off_slope
        xll, xlb, xbb = ll - pll, lb - plb, bb - pbb
        ll, lb, bb = (
            fll + a * (a * xll + b * xlb) + b * (a * xlb + b * xbb),
            flb + c * (a * xll + b * xlb) + d * (a * xlb + b * xbb),
            fbb + c * (c * xll + d * xlb) + d * (c * xlb + d * xbb),
        )
        states.append(State(days[i][0], level, slope, (ll, lb, bb)))
    return states[::-1], gains[::-1]
