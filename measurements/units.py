"""Units of what a person measures, and exact conversion between them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from types import MappingProxyType

STORED_PLACES = Decimal("0.0001")
POUNDS_IN_STONE = 14


class Dimension(StrEnum):
    MASS = "mass"
    LENGTH = "length"
    SHARE = "share"
    RATING = "rating"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit that is accepted. One of it is `factor` of its dimension's canonical unit, exactly."""

    code: str
    dimension: Dimension
    factor: Decimal
    decimals: int


UNITS: Mapping[str, Unit] = MappingProxyType(
    {
        unit.code: unit
        for unit in (
            Unit("kg", Dimension.MASS, Decimal(1), 1),
            Unit("g", Dimension.MASS, Decimal("0.001"), 0),
            # International pound and inch: exact by definition since 1959.
            Unit("lb", Dimension.MASS, Decimal("0.45359237"), 1),
            Unit("st", Dimension.MASS, POUNDS_IN_STONE * Decimal("0.45359237"), 2),
            # Stones and pounds together, kept as the total of pounds, so that what was typed is kept.
            Unit("st_lb", Dimension.MASS, Decimal("0.45359237"), 1),
            Unit("cm", Dimension.LENGTH, Decimal(1), 1),
            Unit("mm", Dimension.LENGTH, Decimal("0.1"), 0),
            Unit("in", Dimension.LENGTH, Decimal("2.54"), 2),
            Unit("%", Dimension.SHARE, Decimal(1), 1),
            Unit("rating", Dimension.RATING, Decimal(1), 0),
        )
    }
)

CANONICAL: Mapping[Dimension, str] = MappingProxyType(
    {Dimension.MASS: "kg", Dimension.LENGTH: "cm", Dimension.SHARE: "%", Dimension.RATING: "rating"}
)


def to_canonical(value: Decimal, unit: str) -> Decimal:
    """`value` of `unit` in its dimension's canonical unit, to four places. KeyError for an unknown unit."""
    return (value * UNITS[unit].factor).quantize(STORED_PLACES, ROUND_HALF_UP)


def from_canonical(value: Decimal, unit: str) -> Decimal:
    """A canonical `value` in `unit`, to four places. KeyError for an unknown unit."""
    return (value / UNITS[unit].factor).quantize(STORED_PLACES, ROUND_HALF_UP)


def convert(value: Decimal, unit: str, to: str) -> Decimal:
    """`value` unchanged where the unit stays: what was typed is what is shown."""
    return value if unit == to else from_canonical(value * UNITS[unit].factor, to)


def split_stones(pounds: Decimal, places: int = 1) -> tuple[int, Decimal]:
    """Total pounds as stones and pounds. Rounds first, so that 13.96 lb is the next stone, never 14 lb."""
    rounded = pounds.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    stones, rest = divmod(rounded, POUNDS_IN_STONE)
    return int(stones), rest
