"""Series for the tests of trends: of any shape, and simulated ones of which the truth is known."""

import datetime as dt
import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from measurements.trend import Point

FIRST = dt.date(2026, 1, 1)
DAYS = st.dates(dt.date(2000, 1, 1), dt.date(2040, 1, 1))
VALUES = st.floats(20, 300)
SERIES = st.dictionaries(DAYS, VALUES, min_size=1, max_size=40).map(lambda found: sorted(found.items()))
# As people log: within some months, a day's value some per cent from the next.
LOGGED = st.dictionaries(st.integers(0, 120), st.floats(76, 84), min_size=1, max_size=50).map(
    lambda found: [(FIRST + dt.timedelta(day), value) for day, value in sorted(found.items())]
)

type Truth = Callable[[int], float]


@dataclass(frozen=True)
class Simulated:
    """Days of a true weight that were logged with noise."""

    truth: Truth
    days: list[Point]

    def true_on(self, day: dt.date) -> float:
        return self.truth((day - FIRST).days)


def simulate(chance: Random, truth: Truth, *, noise: float, logged: float, length: int = 120) -> Simulated:
    """`logged`: the share of days that have a value."""
    days = [
        (FIRST + dt.timedelta(day), truth(day) + chance.gauss(0, noise))
        for day in range(length)
        if chance.random() < logged
    ]
    return Simulated(truth, days)


def straight(chance: Random) -> Truth:
    """A weight that falls or rises by up to a kilogram a week."""
    slope = chance.uniform(-1, 1) / 7
    return lambda day: 80 + slope * day


def swinging(chance: Random) -> Truth:
    """A weight that goes up and down by 3 kg in four months."""
    start = chance.uniform(0, 2 * math.pi)
    return lambda day: 80 + 1.5 * math.sin(start + day / 20)


def drifting(chance: Random) -> Truth:
    """A weight that moves as the model of the local linear trend has it."""
    level, slope, levels = 80.0, chance.gauss(0, 0.05), list[float]()
    for _ in range(400):
        levels.append(level)
        level += slope + chance.gauss(0, 0.04)
        slope += chance.gauss(0, 0.4 / 7 / math.sqrt(30))
    return lambda day: levels[day]
