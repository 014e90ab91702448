"""The Coach's tools for measurements. The only module of coach that knows the measurements package."""

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, cast

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import Field

from coach.contract import Effect, ErrorCode, FieldProblem
from coach.messages import JSONValue
from coach.tools.base import Arguments, CallFacts, Tool, ToolContext, ToolError
from measurements import errors, queries, rules, services
from measurements.format import (
    metric_in_sentence,
    metric_name,
    show_date,
    show_measurement,
    show_snapshot,
    show_time,
    show_value,
)
from measurements.metrics import METRICS
from measurements.models import Measurement, Revision, Source
from measurements.services import Moment, NewValue, Origin
from measurements.units import UNITS, from_canonical

MetricCode = StrEnum("MetricCode", {code.upper(): code for code in METRICS})  # type: ignore[misc]
UnitCode = StrEnum("UnitCode", {f"UNIT_{n}": code for n, code in enumerate(UNITS)})  # type: ignore[misc]

LISTED_AT_MOST = 400
VALUES_AT_MOST = len(METRICS)
LONGEST_SPAN_DAYS = 3_700

Metric = Annotated[MetricCode, Field(strict=False)]
Unit = Annotated[UnitCode, Field(strict=False)]
Date = Annotated[dt.date, Field(description="A calendar day of the person, YYYY-MM-DD.")]
Time = Annotated[dt.time | None, Field(description="The person's wall clock, HH:MM. Leave out when unknown.")]


@dataclass(frozen=True, slots=True)
class Units:
    """The unit codes in which a person reads."""

    mass: str
    length: str


def units_of(user: User) -> Units:
    profile = queries.profile_of(user)
    return Units(profile.mass_unit, profile.length_unit)


def surroundings_of(user: User) -> tuple[str, str]:
    """The person's language (empty: not chosen) and time zone."""
    profile = queries.profile_of(user)
    return profile.language, profile.time_zone


# Reading


class ReadArguments(Arguments):
    date: Date
    metrics: Annotated[
        list[Metric] | None,
        Field(description="Which metrics to read. Leave out for all that the day has.", min_length=1),
    ] = None


def _read(context: ToolContext, arguments: ReadArguments) -> JSONValue:
    of_day = queries.day(context.user, arguments.date)
    if not of_day:
        raise ToolError(ErrorCode.NOT_FOUND, errors.NothingRecorded(arguments.date).message)
    wanted = arguments.metrics
    found = [record for record in of_day if wanted is None or record.metric in wanted]
    if wanted and not found:
        message = errors.MetricNotRecorded(wanted[0], arguments.date).message
        raise ToolError(ErrorCode.METRIC_NOT_RECORDED, message)
    content: dict[str, JSONValue] = {
        "date": arguments.date.isoformat(),
        "measurements": [_as_json(record, with_date=False) for record in found],
    }
    if wanted and (missing := [code for code in wanted if all(r.metric != code for r in found)]):
        content["not_recorded"] = [str(code) for code in missing]
    return content


def _describe_read(arguments: ReadArguments, facts: CallFacts) -> str:
    line = _("Looked up %(date)s") % {"date": show_date(arguments.date)}
    return _with_ending(line, facts)


READ = Tool(
    name="read_measurement",
    description=(
        "Reads what is recorded on one calendar day. The error not_found means that this day has no "
        "record, and says nothing about other days; metric_not_recorded means that the day has records, "
        "but not that metric."
    ),
    arguments=ReadArguments,
    effect=Effect.READ,
    handler=_read,
    describe=_describe_read,
    days_read=lambda arguments: (arguments.date, arguments.date),
)


class ListArguments(Arguments):
    start: Date
    end: Date
    metric: Metric


def _check_span(_context: ToolContext, arguments: ListArguments) -> Sequence[FieldProblem]:
    if arguments.end < arguments.start:
        return [FieldProblem("end", _("The end is before the start."))]
    if (arguments.end - arguments.start).days > LONGEST_SPAN_DAYS:
        return [FieldProblem("start", _("The span is too long: ten years at most."))]
    return []


def _list(context: ToolContext, arguments: ListArguments) -> JSONValue:
    found = queries.between(context.user, arguments.metric, arguments.start, arguments.end)
    if not found:
        message = _(
            "No %(metric)s is recorded between %(start)s and %(end)s. This says nothing about other dates."
        ) % {
            "metric": metric_in_sentence(arguments.metric),
            "start": show_date(arguments.start),
            "end": show_date(arguments.end),
        }
        raise ToolError(ErrorCode.NOT_FOUND, message)
    # The most recent ones, when there are too many to send.
    shown = found[-LISTED_AT_MOST:]
    return {
        "metric": str(arguments.metric),
        "start": arguments.start.isoformat(),
        "end": arguments.end.isoformat(),
        "count": len(found),
        "measurements": [_as_json(record, with_metric=False) for record in shown],
        "truncated": len(shown) < len(found),
    }


def _describe_list(arguments: ListArguments, facts: CallFacts) -> str:
    line = _("Looked up %(metric)s from %(start)s to %(end)s") % {
        "metric": metric_in_sentence(arguments.metric),
        "start": show_date(arguments.start),
        "end": show_date(arguments.end),
    }
    return _with_ending(line, facts)


LIST = Tool(
    name="list_measurements",
    description="Lists the records of one metric between two days, both included, oldest first.",
    arguments=ListArguments,
    effect=Effect.READ,
    check=_check_span,
    handler=_list,
    describe=_describe_list,
    days_read=lambda arguments: (arguments.start, arguments.end),
)


class SummarizeArguments(Arguments):
    metric: Metric
    days: Annotated[int, Field(ge=1, le=LONGEST_SPAN_DAYS, description="How many days back from today.")]


def _summarize(context: ToolContext, arguments: SummarizeArguments) -> JSONValue:
    end = queries.profile_of(context.user).today()
    start = end - dt.timedelta(days=arguments.days - 1)
    found = queries.summary(context.user, arguments.metric, start, end)
    if not found.first or not found.last or not found.least or not found.most or found.mean is None:
        message = ngettext(
            "No %(metric)s is recorded in the last %(days)s day. This says nothing about earlier dates.",
            "No %(metric)s is recorded in the last %(days)s days. This says nothing about earlier dates.",
            arguments.days,
        ) % {"metric": metric_in_sentence(arguments.metric), "days": arguments.days}
        raise ToolError(ErrorCode.NOT_FOUND, message)
    unit = _shown_unit(context.user, found.unit)
    change = found.change_per_week
    return {
        "metric": str(arguments.metric),
        "days": arguments.days,
        "start": start.isoformat(),
        "end": end.isoformat(),
        "count": found.count,
        "missing_days": found.missing_days,
        "first": _as_json(found.first, with_metric=False),
        "last": _as_json(found.last, with_metric=False),
        "min": _as_json(found.least, with_metric=False),
        "max": _as_json(found.most, with_metric=False),
        "mean": _rounded(from_canonical(found.mean, unit)),
        "change_per_week": None if change is None else _rounded(from_canonical(change, unit)),
        "unit": unit,
    }


def _describe_summary(arguments: SummarizeArguments, facts: CallFacts) -> str:
    line = ngettext(
        "Summed up %(metric)s over the last %(days)s day",
        "Summed up %(metric)s over the last %(days)s days",
        arguments.days,
    ) % {"metric": metric_in_sentence(arguments.metric), "days": arguments.days}
    return _with_ending(line, facts)


SUMMARIZE = Tool(
    name="summarize_trend",
    description=(
        "Sums up one metric over the last days, up to today: first, last, least and greatest value, mean, "
        "change per week (least squares), how many records and how many days without one. All computed "
        "by the program."
    ),
    arguments=SummarizeArguments,
    effect=Effect.READ,
    handler=_summarize,
    describe=_describe_summary,
)


# Changing


class Value(Arguments):
    metric: Metric
    value: Annotated[Decimal, Field(max_digits=12, decimal_places=4, allow_inf_nan=False)]
    unit: Annotated[Unit, Field(description="st_lb takes the total in pounds: 12 st 7 lb is 175.")]


class WriteArguments(Arguments):
    date: Date
    time: Time = None
    values: Annotated[list[Value], Field(min_length=1, max_length=VALUES_AT_MOST)]
    note: Annotated[str | None, Field(max_length=2000)] = None
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
                "value": _plain(value.value),
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


# What both have in common


def _as_json(record: Measurement, *, with_date: bool = True, with_metric: bool = True) -> JSONValue:
    content: dict[str, JSONValue] = {}
    if with_metric:
        content["metric"] = record.metric
    if with_date:
        content["date"] = record.measured_on.isoformat()
    if time := record.local_time:
        content["time"] = show_time(time)
    content["value"] = _plain(record.entered_value)
    content["unit"] = record.entered_unit
    if record.note:
        content["note"] = record.note
    return content


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _rounded(value: Decimal) -> str:
    return _plain(round(value, 2))


def _shown_unit(user: User, canonical: str) -> str:
    units = units_of(user)
    return {"kg": units.mass, "cm": units.length}.get(canonical, canonical)


def _with_ending(line: str, facts: CallFacts) -> str:
    match facts.error:
        case ErrorCode.NOT_FOUND | ErrorCode.METRIC_NOT_RECORDED:
            return _("%(line)s: no record") % {"line": line}
        case ErrorCode.READ_FAILED:
            return _("%(line)s: could not be read") % {"line": line}
        case "":
            return line
        case _:
            return _("%(line)s: not done") % {"line": line}


# What the page shows of a change


@dataclass(frozen=True, slots=True)
class Receipt:
    """One change of one record, as a card: what it is now, what it was, and whether it can be taken back."""

    revision_id: int
    metric: str
    on: dt.date
    date: str
    value: str
    was: str
    is_undone: bool
    can_undo: bool

    @property
    def is_removal(self) -> bool:
        return not self.value


def receipts(user: User, identities: Sequence[str]) -> dict[str, list[Receipt]]:
    """The changes made by each of the calls with these identities, oldest first."""
    found = queries.revisions_for(user, identities)
    return {identity: [_receipt(revision) for revision in revisions] for identity, revisions in found.items()}


def _receipt(revision: Revision) -> Receipt:
    return Receipt(
        revision_id=revision.pk,
        metric=metric_name(revision.metric),
        on=revision.measured_on,
        date=show_date(revision.measured_on),
        value=show_snapshot(revision.after) if revision.after else "",
        was=show_snapshot(revision.before) if revision.before else "",
        is_undone=cast(Any, revision).is_undone,
        can_undo=revision.can_undo,
    )


def overtaken_turns(user: User, identities: Sequence[str]) -> set[int]:
    """The turns whose receipts lost their Undo to a change that the calls with these identities made."""
    references = queries.references_overtaken(user, identities)
    turns = (reference.partition(".")[0] for reference in references)
    return {int(turn) for turn in turns if turn.isdecimal()}


def revision_reference(user: User, revision_id: int) -> str:
    """The identity of the call that made a change of this person; empty for any other change."""
    revision = queries.revision(user, revision_id)
    return revision.reference if revision and revision.source == Source.COACH else ""


def undo(user: User, revision_id: int) -> str | None:
    """Takes back a change of the Coach; gives the identity of its call, or None when it cannot be done."""
    identity = revision_reference(user, revision_id)
    if not identity:
        return None
    try:
        services.undo(user, revision_id=revision_id, origin=Origin(Source.FORM))
    except errors.MeasurementError:
        return None
    return identity
