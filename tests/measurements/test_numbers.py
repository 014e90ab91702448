"""Numbers as people type them."""

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurements.numbers import NumberProblem, Reason, parse_decimal

LANGUAGES = ["en", "es", "pt-br"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("81,4", "81.4"),
        ("81.4", "81.4"),
        (" 81.45 ", "81.45"),
        ("81.4000", "81.4"),
        (".5", "0.5"),
        ("0,081", "0.081"),
        ("1,081.4", "1081.4"),
        ("1.081,4", "1081.4"),
        ("1 081,4", "1081.4"),
        ("1\u00a0081.4", "1081.4"),
        ("12.345.678", "12345678"),
        ("８１.４", "81.4"),
        ("1000", "1000"),
        ("-3", "-3"),
    ],
)
def test_a_number_is_understood_in_every_language(typed: str, meant: str, language: str) -> None:
    assert parse_decimal(typed, language) == Decimal(meant)


@pytest.mark.parametrize(
    ("typed", "language", "meant"),
    [
        ("1,081", "en", "1081"),
        ("1.081", "en", "1.081"),
        ("1,081", "es", "1.081"),
        ("1.081", "es", "1081"),
        ("1,081", "pt-br", "1.081"),
        ("1.081", "pt-br", "1081"),
    ],
)
def test_the_language_decides_when_one_sign_could_be_either(typed: str, language: str, meant: str) -> None:
    assert parse_decimal(typed, language) == Decimal(meant)


@pytest.mark.parametrize(
    "typed",
    ["", "abc", "81 kg", "8 1", "1,08,1", "81.4.5", "1,,2", "12,34.5", "1.2,3.4", "-", ".", "1e3", "∞"],
)
def test_nonsense_is_refused_as_no_number(typed: str) -> None:
    with pytest.raises(NumberProblem) as problem:
        parse_decimal(typed, "en")
    assert problem.value.reason is Reason.NOT_A_NUMBER


def test_more_decimals_than_are_kept_are_refused_rather_than_rounded() -> None:
    with pytest.raises(NumberProblem) as problem:
        parse_decimal("81.12345", "en")
    assert problem.value.reason is Reason.TOO_MANY_DECIMALS


def test_more_digits_than_can_be_kept_are_refused() -> None:
    with pytest.raises(NumberProblem) as problem:
        parse_decimal("1234567890", "en")
    assert problem.value.reason is Reason.TOO_MANY_DIGITS


@given(st.text(max_size=30), st.sampled_from(LANGUAGES))
def test_any_text_gives_a_number_or_a_reason(typed: str, language: str) -> None:
    with suppress(NumberProblem):
        assert parse_decimal(typed, language).is_finite()


@given(st.decimals(min_value=0, max_value=999, places=4), st.sampled_from(LANGUAGES))
def test_what_is_written_with_a_point_or_a_comma_is_read_back(value: Decimal, language: str) -> None:
    written = f"{value:.4f}"
    assert parse_decimal(written, language) == value
    assert parse_decimal(written.replace(".", ","), language) == value
