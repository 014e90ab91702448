"""What can be measured: each metric's dimensions and the ranges in which a value is believed. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from measurements.units import CANONICAL, UNITS, Dimension


@dataclass(frozen=True, slots=True)
class Range:
    """Both ends belong to it. In the dimension's canonical unit."""

    low: Decimal
    high: Decimal

    def __contains__(self, value: Decimal) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Limits:
    """Outside `hard` a value is refused; outside `soft` the person is asked first."""

    hard: Range
    soft: Range


@dataclass(frozen=True, slots=True)
class Metric:
    """One kind of quantity. Most have one dimension; body composition comes as a share or as a mass."""

    code: str
    limits: Mapping[Dimension, Limits]

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return tuple(self.limits)

    @property
    def units(self) -> tuple[str, ...]:
        """The codes of the accepted units."""
        return tuple(code for code, unit in UNITS.items() if unit.dimension in self.limits)

    @property
    def canonical_unit(self) -> str:
        """The canonical unit of its first dimension."""
        return CANONICAL[self.dimensions[0]]


def _limits(hard: tuple[str, str], soft: tuple[str, str]) -> Limits:
    return Limits(Range(Decimal(hard[0]), Decimal(hard[1])), Range(Decimal(soft[0]), Decimal(soft[1])))


def _length(hard: tuple[str, str], soft: tuple[str, str]) -> Mapping[Dimension, Limits]:
    return MappingProxyType({Dimension.LENGTH: _limits(hard, soft)})


def _composition(share: tuple[str, str], mass: tuple[str, str]) -> Mapping[Dimension, Limits]:
    return MappingProxyType(
        {
            Dimension.SHARE: _limits(("0.1", "99"), share),
            Dimension.MASS: _limits(("0.1", "500"), mass),
        }
    )


def _all() -> Iterable[Metric]:
    # The hard limits hold the extremes on record of living adults and children; the soft ones what
    # is common enough not to ask about.
    yield Metric("weight", MappingProxyType({Dimension.MASS: _limits(("1", "650"), ("30", "250"))}))
    yield Metric("body_fat", _composition(("3", "60"), ("1", "150")))
    yield Metric("muscle", _composition(("15", "95"), ("8", "120")))
    yield Metric("water", _composition(("25", "80"), ("10", "120")))
    yield Metric("bone", _composition(("1", "15"), ("0.5", "8")))
    yield Metric("visceral_fat", MappingProxyType({Dimension.RATING: _limits(("1", "60"), ("1", "30"))}))
    yield Metric("neck", _length(("10", "100"), ("25", "60")))
    yield Metric("chest", _length(("30", "300"), ("60", "170")))
    yield Metric("waist", _length(("20", "350"), ("45", "180")))
    yield Metric("hips", _length(("30", "350"), ("60", "180")))
    yield Metric("biceps", _length(("8", "100"), ("15", "60")))
    yield Metric("thigh", _length(("15", "150"), ("30", "100")))
    yield Metric("calf", _length(("10", "100"), ("20", "65")))
    yield Metric("height", _length(("40", "280"), ("130", "220")))


METRICS: Mapping[str, Metric] = MappingProxyType({metric.code: metric for metric in _all()})


def jump_allowed(value: Decimal, dimension: Dimension, days: int) -> Decimal:
    """How far a value may be from the nearest earlier or later one, `days` apart, without being asked about.

    A rule of thumb of this project: 4 % and half a percent more for each day, at most 25 %; for
    shares and ratings 4 points and half a point a day, at most 15.
    """
    if dimension in (Dimension.SHARE, Dimension.RATING):
        return min(Decimal(4) + Decimal("0.5") * days, Decimal(15))
    return value * min(Decimal("0.04") + Decimal("0.005") * days, Decimal("0.25"))
