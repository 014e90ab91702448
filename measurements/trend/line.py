"""The line that a chart draws through a series, of either kind. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from measurements.trend.exponential import exponential
from measurements.trend.kalman import local_linear
from measurements.trend.series import Point


class Kind(StrEnum):
    EXPONENTIAL = "exponential"
    KALMAN = "kalman"


@dataclass(frozen=True, slots=True)
class LinePoint:
    """A day's level, and its 95 % band where the kind of trend knows one."""

    day: date
    level: float
    low: float | None
    high: float | None


def line(days: Sequence[Point], kind: Kind) -> list[LinePoint]:
    """One point for each of `days` (one a day, in order)."""
    match kind:
        case Kind.EXPONENTIAL:
            return [LinePoint(day, level, None, None) for day, level in exponential(days)]
        case Kind.KALMAN:
            states = local_linear(days).states
            return [LinePoint(state.day, state.level, state.low, state.high) for state in states]
