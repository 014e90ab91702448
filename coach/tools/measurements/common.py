"""What the tools of measurements have in common: how metrics, units and records are spelt for a model."""

import datetime as dt
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from django.utils.translation import gettext as _
from pydantic import Field

from coach.contract import ErrorCode
from coach.messages import JSONValue
from coach.tools.base import CallFacts
from measurements.format import (
    show_time,
)
from measurements.metrics import METRICS
from measurements.models import Measurement
from measurements.units import UNITS

MetricCode = StrEnum("MetricCode", {code.upper(): code for code in METRICS})  # type: ignore[misc]
UnitCode = StrEnum("UnitCode", {f"UNIT_{n}": code for n, code in enumerate(UNITS)})  # type: ignore[misc]

LONGEST_SPAN_DAYS = 3_700

Metric = Annotated[MetricCode, Field(strict=False)]
Unit = Annotated[UnitCode, Field(strict=False)]
Date = Annotated[dt.date, Field(description="A calendar day of the person, YYYY-MM-DD.")]
Time = Annotated[dt.time | None, Field(description="The person's wall clock, HH:MM. Leave out when unknown.")]


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
