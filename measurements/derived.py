"""Figures that follow from what was measured: BMI, two ratios and an estimate of body fat. Pure.

They are computed whenever they are looked at and never stored. Each carries the records that it came
from, and where it cannot be computed, what is missing. Lengths are in centimetres, masses in kilograms.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from math import log10

ADULT_YEARS = 18
CM_PER_INCH = Decimal("2.54")
# Outside it the girths do not belong to one body: a tape in another unit, or two people's records.
BELIEVABLE_BODY_FAT = (Decimal(2), Decimal(75))


class Lack(StrEnum):
    """Why a figure cannot be computed. The names of metrics are those of `measurements.metrics`."""

    MINOR = "minor"
    SEX = "sex"
    WEIGHT = "weight"
    HEIGHT = "height"
    NECK = "neck"
    WAIST = "waist"
    HIPS = "hips"
    DO_NOT_FIT = "do_not_fit"


@dataclass(frozen=True, slots=True)
class Input:
    """A record that a figure came from, with its value in the canonical unit."""

    metric: str
    value: Decimal
    record_id: int
    on: dt.date


@dataclass(frozen=True, slots=True)
class Person:
    """What the formulas need to know. Sex is "", "female" or "male" and is asked, never assumed."""

    sex: str
    birth_date: dt.date | None

    def is_minor(self, today: dt.date) -> bool | None:
        """None where no birth date says it."""
        return None if self.birth_date is None else age(self.birth_date, today) < ADULT_YEARS


@dataclass(frozen=True, slots=True)
class Derived:
    """One figure. `value` is None exactly when `lacks` says why.

    `unit` is "" for a plain number and "%" for a share; `assumes_adult` says that the formula is for
    adults and nothing says whether this person is one.
    """

    code: str
    unit: str
    places: int
    value: Decimal | None
    inputs: tuple[Input, ...]
    lacks: tuple[Lack, ...] = ()
    is_estimate: bool = False
    assumes_adult: bool = False


def derive(person: Person, latest: Mapping[str, Input], today: dt.date) -> list[Derived]:
    """All figures from the latest record of each metric, in the order in which they are shown."""
    return [
        _bmi(person, latest, today),
        _ratio("waist_to_height", "waist", "height", latest),
        _ratio("waist_to_hip", "waist", "hips", latest),
        _body_fat(person, latest, today),
    ]


def age(born: dt.date, today: dt.date) -> int:
    """Completed years. Who was born on 29 February turns older on 1 March of other years."""
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def bmi(weight: Decimal, height: Decimal) -> Decimal:
    """Body mass index in kg/m² (Quetelet; WHO Technical Report 894). For adults. Height must be above 0."""
    return weight / (height / 100) ** 2


def navy_body_fat(
    sex: str, *, height: Decimal, neck: Decimal, waist: Decimal, hips: Decimal | None = None
) -> Decimal | None:
    """The U.S. Navy's estimate of body fat in percent; None where the girths do not fit together.

    The equations in inches of DoD Instruction 1308.3, fitted to those of Hodgdon and Beckett (1984,
    Naval Health Research Center, reports 84-29 for women and 84-11 for men). In their samples the
    standard error was 3 to 4 points. Raises ValueError for another sex, and for a woman without hips.
    """
    if sex == "male":
        girth, slope, tall, base = waist - neck, 86.010, 70.041, 36.76
    elif sex == "female" and hips is not None:
        girth, slope, tall, base = waist + hips - neck, 163.205, 97.684, -78.387
    else:
        raise ValueError("the formula is for women, with hips, or men")
    if girth <= 0 or height <= 0:
        return None
    share = Decimal(slope * log10(girth / CM_PER_INCH) - tall * log10(height / CM_PER_INCH) + base)
    least, most = BELIEVABLE_BODY_FAT
    return share if least <= share <= most else None


def _bmi(person: Person, latest: Mapping[str, Input], today: dt.date) -> Derived:
    minor = person.is_minor(today)
    lacks = _minor(minor) + _missing(latest, "weight", "height")
    value = None if lacks else bmi(latest["weight"].value, latest["height"].value)
    return Derived(
        "bmi",
        "",
        1,
        _rounded(value, 1),
        _inputs(latest, "weight", "height"),
        lacks,
        assumes_adult=minor is None,
    )


def _ratio(code: str, over: str, under: str, latest: Mapping[str, Input]) -> Derived:
    lacks = _missing(latest, over, under)
    value = None if lacks else latest[over].value / latest[under].value
    return Derived(code, "", 2, _rounded(value, 2), _inputs(latest, over, under), lacks)


def _body_fat(person: Person, latest: Mapping[str, Input], today: dt.date) -> Derived:
    minor = person.is_minor(today)
    metrics = ("height", "neck", "waist", *(("hips",) if person.sex == "female" else ()))
    lacks = _minor(minor) + (() if person.sex else (Lack.SEX,)) + _missing(latest, *metrics)
    value = None
    if not lacks:
        girths = {metric: latest[metric].value for metric in metrics}
        value = navy_body_fat(person.sex, **girths)
        lacks = () if value is not None else (Lack.DO_NOT_FIT,)
    return Derived(
        "body_fat_estimate",
        "%",
        1,
        _rounded(value, 1),
        _inputs(latest, *metrics),
        lacks,
        is_estimate=True,
        assumes_adult=minor is None,
    )


def _minor(minor: bool | None) -> tuple[Lack, ...]:
    return (Lack.MINOR,) if minor else ()


def _missing(latest: Mapping[str, Input], *metrics: str) -> tuple[Lack, ...]:
    return tuple(Lack(metric) for metric in metrics if metric not in latest)


def _inputs(latest: Mapping[str, Input], *metrics: str) -> tuple[Input, ...]:
    return tuple(latest[metric] for metric in metrics if metric in latest)


def _rounded(value: Decimal | None, places: int) -> Decimal | None:
    return None if value is None else value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
