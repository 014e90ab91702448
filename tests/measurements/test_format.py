"""How values, dates and times are written, in the language of the person who reads them."""

import datetime as dt
from decimal import Decimal

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from measurements.format import show_date, show_measurement, show_number, show_time, show_value
from measurements.models import Measurement
from measurements.numbers import parse_decimal
from measurements.units import UNITS

LANGUAGES = ["en", "es", "pt-br"]


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def typed(value: str, unit: str) -> Measurement:
    return Measurement(metric="weight", entered_value=Decimal(value), entered_unit=unit)


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        ("76.0000", "kg", "76 kg"),
        ("81.4", "kg", "81.4 kg"),
        ("81.4567", "kg", "81.4567 kg"),
        ("90.0", "lb", "90 lb"),
        ("100", "g", "100 g"),
        ("175", "st_lb", "12 st 7 lb"),
        ("175.25", "st_lb", "12 st 7.25 lb"),
        ("18.4", "%", "18.4 %"),
        ("9", "rating", "9"),
    ],
)
def test_a_value_is_shown_as_it_was_typed(value: str, unit: str, shown: str) -> None:
    assert plain(show_value(Decimal(value), unit)) == shown
    assert plain(show_measurement(typed(value, unit))) == shown
    assert plain(show_measurement(typed(value, unit), unit)) == shown


@pytest.mark.parametrize(
    ("value", "unit", "asked", "shown"),
    [
        ("80", "kg", "lb", "176.4 lb"),
        ("63.49", "kg", "st_lb", "10 st 0 lb"),
        ("175", "st_lb", "kg", "79.4 kg"),
        ("18.4", "%", "kg", "18.4 %"),
    ],
)
def test_in_another_unit_it_is_rounded_and_never_in_one_of_another_kind(
    value: str, unit: str, asked: str, shown: str
) -> None:
    assert plain(show_measurement(typed(value, unit), asked)) == shown


@pytest.mark.parametrize(("language", "shown"), [("en", "81.4"), ("es", "81,4"), ("pt-br", "81,4")])
def test_the_decimal_sign_is_the_language_s(language: str, shown: str) -> None:
    with translation.override(language):
        assert show_number(Decimal("81.4"), 1) == shown


@given(st.decimals(0, 999, places=4), st.sampled_from(LANGUAGES))
def test_a_number_that_is_shown_is_read_back(value: Decimal, language: str) -> None:
    with translation.override(language):
        assert parse_decimal(show_number(value, 4), language) == value


@given(st.decimals(0, 9999, places=4), st.sampled_from(sorted(UNITS)))
def test_no_value_is_ever_written_with_an_exponent_or_fourteen_pounds(value: Decimal, unit: str) -> None:
    shown = show_value(value, unit)
    assert "E" not in shown
    assert " 14 lb" not in plain(shown)


def test_a_date_is_in_words() -> None:
    assert show_date(dt.date(2020, 1, 2)) == "Thu 2 Jan 2020"


def test_a_time_is_of_twenty_four_hours() -> None:
    assert show_time(dt.time(21, 5, 59)) == "21:05"
