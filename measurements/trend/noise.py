"""How much a single day's value strays from the trend, estimated from the series itself. Pure."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean, median

from measurements.trend.series import Point

# Day-to-day spread of a body mass measured under the same conditions: about 0.66 % (Cheuvront, Carter,
# Montain & Sawka 2004, Int. J. Sport Nutr. Exerc. Metab. 14:532). It stands in until the series has
# told enough about itself: as much as `EXPECTED_WEIGHT` triples of days.
EXPECTED_SHARE = 0.0066
EXPECTED_WEIGHT = 5
# No scale or tape is more exact: 0.1 kg steps at 80 kg have a standard deviation of 0.04 %.
LEAST_SHARE = 0.0005
# Over more days the trend itself bends too much for a difference to be called noise.
TRIPLE_DAYS = 21
# The median of |z| of a normal variable is 0.6745 of its standard deviation.
SD_PER_MEDIAN = 1.4826


def typical(days: Sequence[Point]) -> float:
    """The size of the values, which all shares are of: so that a change of unit changes nothing else."""
    sizes = [abs(value) for _, value in days]
    return median(sizes) or fmean(sizes) or 1.0


def noise_of(days: Sequence[Point]) -> float:
    """The standard deviation of a day's value about the trend, in the unit of the values.

    From each three neighbouring days: how far the middle one is from the straight line between the
    others, scaled to the noise of one day; the median of these, which a few odd values do not move.
    It is pooled with what is expected, so that few days, or days that are all alike, do not pass for
    exact.
    """
    size = typical(days)
    strays = list(_strays(days))
    expected = EXPECTED_WEIGHT * (EXPECTED_SHARE * size) ** 2
    seen = len(strays) * (SD_PER_MEDIAN * median(strays)) ** 2 if strays else 0.0
    pooled = math.sqrt((expected + seen) / (EXPECTED_WEIGHT + len(strays)))
    return max(pooled, LEAST_SHARE * size)


def _strays(days: Sequence[Point]) -> Iterator[float]:
    for (first, second), (_, third) in pairwise(pairwise(days)):
        before, after = (second[0] - first[0]).days, (third[0] - second[0]).days
        span = before + after
        if span <= TRIPLE_DAYS:
            between = (after * first[1] + before * third[1]) / span
            yield abs(second[1] - between) / math.sqrt(1 + (after**2 + before**2) / span**2)
