"""Values with their units, as typed into one field."""

from decimal import Decimal

import pytest
from django.utils import translation

from measurements.forms import read_value
from measurements.numbers import NumberProblem


@pytest.mark.parametrize(
    ("typed", "chosen", "value", "unit"),
    [
        ("81,4", "kg", "81.4", "kg"),
        ("180 lb", "kg", "180", "lb"),
        ("180lbs", "kg", "180", "lb"),
        ("81.4 KG", "lb", "81.4", "kg"),
        ("36 in", "cm", "36", "in"),
        ("21.5 %", "kg", "21.5", "%"),
        ("12 st 7", "st_lb", "175", "st_lb"),
        ("12st 7.5lb", "st_lb", "175.5", "st_lb"),
        ("12 7", "st_lb", "175", "st_lb"),
        ("12 st", "st_lb", "168", "st_lb"),
        ("12", "st_lb", "168", "st_lb"),
        ("79 kg", "st_lb", "79", "kg"),
    ],
)
def test_the_unit_typed_after_a_number_goes_before_the_chosen_one(
    typed: str, chosen: str, value: str, unit: str
) -> None:
    with translation.override("en"):
        assert read_value(typed, chosen) == (Decimal(value), unit)


@pytest.mark.parametrize("typed", ["twelve st", "kg", "12 st 7 7", "180 lb lb"])
def test_what_is_no_value_is_refused(typed: str) -> None:
    with translation.override("en"), pytest.raises(NumberProblem):
        read_value(typed, "st_lb")
