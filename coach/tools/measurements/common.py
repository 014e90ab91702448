"""What the tools of measurements have in common: how metrics, units and records are spelt for a model."""

import datetime as dt
import re
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from django.utils.translation import gettext as _
from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from coach.contract import ErrorCode
from coach.messages import JSONValue
from coach.tools.base import CallFacts
from measurements.format import (
    show_time,
)
from measurements.metrics import METRICS
from measurements.models import Measurement
from measurements.units import UNITS

# Enumerations made from data, which mypy cannot follow: models then see the codes in the schema.
MetricCode = StrEnum("MetricCode", {code.upper(): code for code in METRICS})  # type: ignore[misc]
UnitCode = StrEnum("UnitCode", {f"UNIT_{n}": code for n, code in enumerate(UNITS)})  # type: ignore[misc]

LONGEST_SPAN_DAYS = 3_700

Metric = Annotated[MetricCode, Field(strict=False)]
Unit = Annotated[UnitCode, Field(strict=False)]


def _day_as_written(day: object) -> object:
    # A text of digits would be taken for seconds since 1970, and so for some other day.
    if not isinstance(day, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", day):
        raise PydanticCustomError("day", "Give the date as YYYY-MM-DD")
    return day


def _on_the_clock(time: dt.time | None) -> dt.time | None:
    # An offset would be lost in silence: the record is made in the person's own time zone.
    if time is not None and (time.tzinfo or time.second or time.microsecond):
        raise PydanticCustomError(
            "clock", "Give the time of the person's clock as HH:MM, without a time zone"
        )
    return time


Date = Annotated[
    dt.date,
    BeforeValidator(_day_as_written),
    Field(strict=False, description="A calendar day of the person, YYYY-MM-DD."),
]
Time = Annotated[
    dt.time | None,
    AfterValidator(_on_the_clock),
    Field(description="The person's wall clock, HH:MM. Leave out when unknown."),
]


def as_json(record: Measurement, *, with_date: bool = True, with_metric: bool = True) -> JSONValue:
    content: dict[str, JSONValue] = {}
    if with_metric:
        content["metric"] = record.metric
    if with_date:
        content["date"] = record.measured_on.isoformat()
    if time := record.local_time:
        content["time"] = show_time(time)
    content["value"] = plain(record.entered_value)
    content["unit"] = record.entered_unit
    if record.note:
        content["note"] = record.note
    return content


def plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def rounded(value: Decimal) -> str:
    return plain(round(value, 2))


def with_ending(line: str, facts: CallFacts) -> str:
    match facts.error:
        case ErrorCode.NOT_FOUND | ErrorCode.METRIC_NOT_RECORDED:
            return _("%(line)s: no record") % {"line": line}
        case ErrorCode.READ_FAILED:
            return _("%(line)s: could not be read") % {"line": line}
        case "":
            return line
        case _:
            return _("%(line)s: not done") % {"line": line}
