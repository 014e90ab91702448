from decimal import Decimal

import pytest

from coach.providers.builtin.grammar import GRAMMARS
from coach.providers.builtin.quantities import parse_number, same_kind, take_amounts, usual_unit
from coach.providers.builtin.text import Draft


@pytest.mark.parametrize(
    ("text", "mark", "value"),
    [
        ("81,4", ".", "81.4"),
        ("81.4", ",", "81.4"),
        ("81.45", ".", "81.45"),
        ("1,081.4", ".", "1081.4"),
        ("1.081,4", ".", "1081.4"),
        ("1.081,4", ",", "1081.4"),
        ("1,081", ".", "1081"),
        ("1,081", ",", "1.081"),
        ("1.081", ",", "1081"),
        ("1.081", ".", "1.081"),
        ("0.500", ",", "0.500"),
        ("1,081,400", ".", "1081400"),
        ("81", ".", "81"),
    ],
)
def test_a_number_is_read_with_either_mark(text: str, mark: str, value: str) -> None:
    assert parse_number(text, mark) == Decimal(value)


@pytest.mark.parametrize("text", ["1,2,3", "81.4.2", "1.2,3.4", "81.12345", "12345678", "1,08,4.5"])
def test_an_unsound_number_is_none(text: str) -> None:
    assert parse_number(text, ".") is None


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("81.4 kg", "81.4", "kg"),
        ("81.4kg", "81.4", "kg"),
        ("82 kilos", "82", "kg"),
        ("80 quilos", "80", "kg"),
        ("175 lbs", "175", "lb"),
        ("175 libras", "175", "lb"),
        ("12.5 st", "12.5", "st"),
        ("12 st 7 lb", "175", "st_lb"),
        ("12st 7", "175", "st_lb"),
        ("12 stone and 7 pounds", "175", "st_lb"),
        ("12 st 7.5 lb", "175.5", "st_lb"),
        ("18 %", "18", "%"),
        ("18%", "18", "%"),
        ("18 por ciento", "18", "%"),
        ("88 cm", "88", "cm"),
        ("34.5 in", "34.5", "in"),
        ('34.5"', "34.5", "in"),
        ("34 pulgadas", "34", "in"),
        ("880 mm", "880", "mm"),
        ("1,78 m", "178", "cm"),
        ("81400 g", "81400", "g"),
        ("81.4 in the morning", "81.4", None),
    ],
)
def test_an_amount_is_read_with_its_unit(text: str, value: str, unit: str | None) -> None:
    (amount,) = take_amounts(Draft(text), GRAMMARS["en"])
    assert (amount.value, amount.unit) == (Decimal(value), unit)


def test_a_share_after_stones_is_not_their_pounds() -> None:
    amounts = take_amounts(Draft("12 st, 18 % fat"), GRAMMARS["en"])
    assert [(amount.value, amount.unit) for amount in amounts] == [
        (Decimal(12), "st"),
        (Decimal(18), "%"),
    ]


@pytest.mark.parametrize("text", ["-81.4", "+81.4", "81.4.2", "x81", "3/4", "25:61"])
def test_what_is_no_amount_is_left_standing(text: str) -> None:
    draft = Draft(text)
    assert take_amounts(draft, GRAMMARS["en"]) == []
    assert draft.leftover()


def test_fourteen_pounds_are_no_rest_of_a_stone() -> None:
    draft = Draft("12 st 14 lb")
    assert [amount.unit for amount in take_amounts(draft, GRAMMARS["en"])] != ["st_lb"]


@pytest.mark.parametrize(
    ("metric", "mass_unit", "unit"),
    [
        ("weight", "kg", "kg"),
        ("weight", "lb", "lb"),
        ("weight", "st_lb", "st"),
        ("waist", "kg", "in"),
        ("body_fat", "kg", "%"),
        ("visceral_fat", "kg", "rating"),
        ("muscle", "kg", None),
        ("bone", "kg", None),
    ],
)
def test_the_unit_that_goes_without_saying(metric: str, mass_unit: str, unit: str | None) -> None:
    assert usual_unit(metric, Decimal("12.5"), mass_unit=mass_unit, length_unit="in") == unit


def test_pounds_are_not_guessed_for_a_person_of_stones() -> None:
    assert usual_unit("weight", Decimal(175), mass_unit="st_lb", length_unit="in") is None


def test_units_of_one_kind() -> None:
    assert same_kind("st_lb", "kg")
    assert same_kind("cm", "in")
    assert not same_kind("kg", "%")
    assert not same_kind("%", "rating")
