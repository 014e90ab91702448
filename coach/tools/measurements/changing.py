"""The tools that record and delete."""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any

from django.utils.translation import gettext as _
from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from coach.contract import Effect, ErrorCode, FieldProblem
from coach.messages import JSONValue
from coach.tools.base import Arguments, CallFacts, Tool, ToolContext, ToolError
from coach.tools.measurements.common import Date, Metric, Time, Unit, plain
from measurements import errors, queries, rules, services
from measurements.format import (
    metric_in_sentence,
    show_date,
    show_measurement,
    show_time,
    show_value,
)
from measurements.metrics import METRICS
from measurements.models import Measurement, Source
from measurements.services import Moment, NewValue, Origin

VALUES_AT_MOST = len(METRICS)


class Value(Arguments):
    metric: Metric
    value: Annotated[Decimal, Field(max_digits=12, decimal_places=4, allow_inf_nan=False)]
    unit: Annotated[Unit, Field(description="st_lb takes the total in pounds: 12 st 7 lb is 175.")]


def _keepable(note: str | None) -> str | None:
    if note and "\0" in note:
        raise PydanticCustomError("note", "A note cannot hold the character NUL")
    return note


class WriteArguments(Arguments):
    date: Date
    time: Time = None
    values: Annotated[list[Value], Field(min_length=1, max_length=VALUES_AT_MOST)]
    note: Annotated[str | None, Field(max_length=2000), AfterValidator(_keepable)] = None
    replace: Annotated[
        bool | None,
        Field(description="True only when the person asked to replace the value that stands there."),
    ] = None


def _moment(arguments: WriteArguments) -> Moment:
    return Moment(arguments.date, arguments.time)


def _values(arguments: WriteArguments) -> list[NewValue]:
    return [NewValue(str(v.metric), v.value, str(v.unit)) for v in arguments.values]


def _check_write(context: ToolContext, arguments: WriteArguments) -> Sequence[FieldProblem]:
    codes = [value.metric for value in arguments.values]
    if len(set(codes)) < len(codes):
        return [FieldProblem("values", _("A metric stands there twice. Give each once."))]
    try:
        rules.check(queries.profile_of(context.user), _moment(arguments), _values(arguments))
    except errors.MeasurementError as error:
        return [FieldProblem(error.field or "values", error.message)]
    return []


def _ask_write(context: ToolContext, arguments: WriteArguments) -> str | None:
    profile = queries.profile_of(context.user)
    questions = [d.message for d in rules.doubts(profile, _moment(arguments), _values(arguments))]
    return "\n".join(questions) or None


def _write(context: ToolContext, arguments: WriteArguments) -> JSONValue:
    try:
        revisions = services.record_measurements(
            context.user,
            moment=_moment(arguments),
            values=_values(arguments),
            note=arguments.note or "",
            replace=bool(arguments.replace),
            origin=Origin(Source.COACH, context.identity),
        )
    except errors.AlreadyRecorded as error:
        raise ToolError(ErrorCode.ALREADY_RECORDED, error.message) from None
    except errors.MeasurementError as error:
        # Midnight may have passed since the check.
        raise _invalid(error) from None
    changes = {r.metric: "created" if r.before is None else "replaced" for r in revisions}
    return {
        "saved": [
            {
                "metric": str(value.metric),
                "value": plain(value.value),
                "unit": str(value.unit),
                "date": arguments.date.isoformat(),
                **({"time": show_time(arguments.time)} if arguments.time else {}),
                "change": changes.get(str(value.metric), "unchanged"),
            }
            for value in arguments.values
        ]
    }


def _describe_write(arguments: WriteArguments, facts: CallFacts) -> str:
    shown = ", ".join(
        f"{metric_in_sentence(str(v.metric))} {show_value(v.value, str(v.unit))}" for v in arguments.values
    )
    words = {"values": shown, "date": show_date(arguments.date)}
    if facts.saved and all(saved["change"] == "unchanged" for saved in json.loads(facts.content)["saved"]):
        return _("Already saved on %(date)s: %(values)s") % words
    if facts.saved:
        return _("Saved %(values)s on %(date)s") % words
    return _("Wanted to save %(values)s on %(date)s") % words


WRITE = Tool(
    name="write_measurement",
    description=(
        "Records one or more values of one moment, all or none. The same value again changes nothing; "
        "where a different one stands, the error already_recorded gives it: ask the person before you "
        "call again with replace."
    ),
    arguments=WriteArguments,
    effect=Effect.WRITE,
    check=_check_write,
    consent=_ask_write,
    handler=_write,
    describe=_describe_write,
)


class DeleteArguments(Arguments):
    date: Date
    metric: Metric
    time: Time = None


def _find(context: ToolContext, arguments: DeleteArguments) -> Measurement:
    moment = Moment(arguments.date, arguments.time)
    try:
        return services.find_at(context.user, metric=arguments.metric, moment=moment)
    except errors.MeasurementError as error:
        raise _missing(error) from None


def _missing(error: errors.MeasurementError) -> ToolError:
    match error:
        case errors.NothingRecorded():
            return ToolError(ErrorCode.NOT_FOUND, error.message)
        case errors.MetricNotRecorded():
            return ToolError(ErrorCode.METRIC_NOT_RECORDED, error.message)
        case _:
            return _invalid(error)


def _invalid(error: errors.MeasurementError) -> ToolError:
    problem = FieldProblem(error.field or "arguments", error.message)
    return ToolError(ErrorCode.INVALID_ARGUMENTS, error.message, [problem])


def _ask_delete(context: ToolContext, arguments: DeleteArguments) -> str | None:
    record = _find(context, arguments)
    return _("Delete %(metric)s %(value)s of %(date)s?") % {
        "metric": metric_in_sentence(record.metric),
        "value": show_measurement(record),
        "date": show_date(record.measured_on),
    }


def _delete(context: ToolContext, arguments: DeleteArguments) -> JSONValue:
    try:
        revision = services.remove_at(
            context.user,
            metric=arguments.metric,
            moment=Moment(arguments.date, arguments.time),
            origin=Origin(Source.COACH, context.identity),
        )
    except errors.MeasurementError as error:
        raise _missing(error) from None
    before: dict[str, Any] = revision.before or {}
    return {
        "deleted": {
            "metric": revision.metric,
            "value": before["entered_value"],
            "unit": before["entered_unit"],
            "date": before["measured_on"],
        }
    }


def _describe_delete(arguments: DeleteArguments, facts: CallFacts) -> str:
    words = {"metric": metric_in_sentence(arguments.metric), "date": show_date(arguments.date)}
    if facts.saved:
        return _("Deleted %(metric)s of %(date)s") % words
    if facts.error == ErrorCode.DECLINED:
        return _("You declined to delete %(metric)s of %(date)s") % words
    return _("Wanted to delete %(metric)s of %(date)s") % words


DELETE = Tool(
    name="delete_measurement",
    description=(
        "Deletes one record. The person is asked for consent in the page before it runs. Name the time "
        "when the day has several records of the metric."
    ),
    arguments=DeleteArguments,
    effect=Effect.WRITE,
    consent=_ask_delete,
    handler=_delete,
    describe=_describe_delete,
)
