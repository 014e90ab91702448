"""Reads numbers as people type them, with a decimal comma or point, in any language. Pure."""

import re
import unicodedata
from decimal import Decimal
from enum import StrEnum

DECIMAL_COMMA_LANGUAGES = frozenset({"es", "pt"})
MOST_DECIMALS = 4
MOST_DIGITS = 9

_SHAPE = re.compile(r"[+-]?[0-9]*(?:[.,][0-9]+)*")


class Reason(StrEnum):
    NOT_A_NUMBER = "not_a_number"
    TOO_MANY_DECIMALS = "too_many_decimals"
    TOO_MANY_DIGITS = "too_many_digits"


class NumberProblem(ValueError):
    """What was typed cannot be taken as a number that can be kept."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


def parse_decimal(text: str, language: str) -> Decimal:
    """The number in `text`. Raises NumberProblem.

    Comma and point are both taken as the decimal sign in every language. Where both stand, the last
    is the decimal sign and the other groups thousands; one that stands several times groups. A single
    one before exactly three digits could be either ("1,081"): there the language decides.
    """
    plain = unicodedata.normalize("NFKC", text)
    plain = re.sub(r"(?<=[0-9])[\s'’](?=[0-9]{3}(?![0-9]))", "", plain.strip())
    if not _SHAPE.fullmatch(plain) or not re.search("[0-9]", plain):
        raise NumberProblem(Reason.NOT_A_NUMBER)
    sign = _decimal_sign(plain, language)
    whole, _sign, decimals = plain.rpartition(sign) if sign else (plain, "", "")
    grouping = re.sub(r"[^.,]", "", whole)
    if grouping and not _is_grouped(whole):
        raise NumberProblem(Reason.NOT_A_NUMBER)
    if len(decimals.rstrip("0")) > MOST_DECIMALS:
        raise NumberProblem(Reason.TOO_MANY_DECIMALS)
    digits = re.sub(r"[.,]", "", whole)
    if len(digits.lstrip("+-0")) > MOST_DIGITS:
        raise NumberProblem(Reason.TOO_MANY_DIGITS)
    return Decimal(f"{digits or '0'}.{decimals.rstrip('0') or '0'}").normalize() + 0


def _decimal_sign(plain: str, language: str) -> str:
    """The character that separates the decimals, or nothing."""
    signs = re.findall(r"[.,]", plain)
    if not signs:
        return ""
    if len(set(signs)) == 2:
        return signs[-1] if signs.count(signs[-1]) == 1 else ""
    if len(signs) > 1:
        return ""
    could_group = re.fullmatch(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}", plain)
    usual = "," if language.partition("-")[0] in DECIMAL_COMMA_LANGUAGES else "."
    return "" if could_group and signs[0] != usual else signs[0]


def _is_grouped(whole: str) -> bool:
    """Thousands in groups of three, all with the same sign: 1,081 or 1.081.400."""
    return re.fullmatch(r"[+-]?[0-9]{1,3}(?:(,[0-9]{3})+|(\.[0-9]{3})+)", whole) is not None
