"""Conversion is exact, what was typed is kept, and stones never show fourteen pounds."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurements.metrics import METRICS
from measurements.units import CANONICAL, UNITS, convert, from_canonical, split_stones, to_canonical

TYPED = st.decimals(min_value="0.1", max_value="999", places=2, allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("value", "unit", "canonical"),
    [
        ("1", "lb", "0.4536"),
        ("1", "st", "6.3503"),
        ("175", "st_lb", "79.3787"),
        ("1", "in", "2.54"),
        ("880", "mm", "88"),
        ("81400", "g", "81.4"),
        ("18.4", "%", "18.4"),
    ],
)
def test_units_convert_by_their_definition(value: str, unit: str, canonical: str) -> None:
    assert to_canonical(Decimal(value), unit) == Decimal(canonical)


def test_a_unit_is_left_alone_when_it_is_the_one_asked_for() -> None:
    assert convert(Decimal("90.0"), "lb", "lb") == Decimal("90.0")


@given(TYPED, st.sampled_from(sorted(UNITS)))
def test_conversion_there_and_back_loses_less_than_anyone_can_type(value: Decimal, unit: str) -> None:
    canonical = to_canonical(value, unit)
    assert abs(from_canonical(canonical, unit) - value) <= Decimal("0.00006") / UNITS[unit].factor + Decimal(
        "0.0001"
    )


@pytest.mark.parametrize(
    ("pounds", "shown"),
    [
        ("175", (12, "7.0")),
        ("139.97", (10, "0.0")),
        ("139.94", (9, "13.9")),
        ("0", (0, "0.0")),
        ("14", (1, "0.0")),
    ],
)
def test_stones_and_pounds(pounds: str, shown: tuple[int, str]) -> None:
    assert split_stones(Decimal(pounds)) == (shown[0], Decimal(shown[1]))


def test_63_49_kg_is_ten_stone_and_nothing() -> None:
    stones, pounds = split_stones(from_canonical(Decimal("63.49"), "st_lb"))
    assert (stones, pounds) == (10, Decimal("0.0"))


@given(st.decimals(min_value=0, max_value=2000, places=4, allow_nan=False, allow_infinity=False))
def test_pounds_beside_stones_are_always_fewer_than_fourteen(pounds: Decimal) -> None:
    stones, rest = split_stones(pounds)
    assert 0 <= rest < 14
    assert abs(stones * 14 + rest - pounds) <= Decimal("0.05")


def test_every_metric_accepts_the_canonical_units_of_its_dimensions() -> None:
    for metric in METRICS.values():
        assert {CANONICAL[dimension] for dimension in metric.dimensions} <= set(metric.units)
        for limits in metric.limits.values():
            assert limits.hard.low <= limits.soft.low < limits.soft.high <= limits.hard.high
