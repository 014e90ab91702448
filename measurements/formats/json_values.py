"""Values of JSON files, which may be of any type whatever they are called. Pure."""

from decimal import Decimal
from typing import Any

from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.spelling import Spelling

POINT = Spelling(comma=False)


def number_in(value: Any) -> Decimal | None:
    """A number, also as text; None where there is none. Raises Problem."""
    if value is None or value == "":
        return None
    if isinstance(value, Decimal):
        return value
    if isinstance(value, str):
        return POINT.number(value.strip()) if value.strip() else None
    raise Problem(ProblemCode.NOT_A_NUMBER, str(value))


def text_in(value: Any) -> str:
    """A text; nothing where there is none."""
    return value if isinstance(value, str) else ""
