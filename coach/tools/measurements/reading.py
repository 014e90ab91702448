"""The tools that look and change nothing."""

import datetime as dt
import json
from collections.abc import Sequence
from typing import Annotated

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import Field

from coach.contract import Effect, ErrorCode, FieldProblem
from coach.messages import JSONValue
from coach.tools.base import Arguments, CallFacts, Days, Tool, ToolContext, ToolError
from coach.tools.measurements.common import (
    LONGEST_SPAN_DAYS,
    Date,
    Metric,
    as_json,
    rounded,
    with_ending,
)
from coach.tools.measurements.person import shown_unit
from measurements import errors, queries
from measurements.format import (
    metric_in_sentence,
    show_date,
)
from measurements.units import from_canonical

LISTED_AT_MOST = 400


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
        "measurements": [as_json(record, with_date=False) for record in found],
    }
    if wanted and (missing := [code for code in wanted if all(r.metric != code for r in found)]):
        content["not_recorded"] = [str(code) for code in missing]
    return content


def _describe_read(arguments: ReadArguments, facts: CallFacts) -> str:
    line = _("Looked up %(date)s") % {"date": show_date(arguments.date)}
    return with_ending(line, facts)


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
    days_read=lambda arguments, _facts: (arguments.date, arguments.date),
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
        "measurements": [as_json(record, with_metric=False) for record in shown],
        "truncated": len(shown) < len(found),
    }


def _describe_list(arguments: ListArguments, facts: CallFacts) -> str:
    line = _("Looked up %(metric)s from %(start)s to %(end)s") % {
        "metric": metric_in_sentence(arguments.metric),
        "start": show_date(arguments.start),
        "end": show_date(arguments.end),
    }
    return with_ending(line, facts)


LIST = Tool(
    name="list_measurements",
    description="Lists the records of one metric between two days, both included, oldest first.",
    arguments=ListArguments,
    effect=Effect.READ,
    check=_check_span,
    handler=_list,
    describe=_describe_list,
    days_read=lambda arguments, _facts: (arguments.start, arguments.end),
)


class SummarizeArguments(Arguments):
    metric: Metric
    days: Annotated[int, Field(ge=1, le=LONGEST_SPAN_DAYS, description="How many days back from today.")]


def _summarize(context: ToolContext, arguments: SummarizeArguments) -> JSONValue:
    profile = queries.profile_of(context.user)
    end = profile.today()
    start = end - dt.timedelta(days=arguments.days - 1)
    found = queries.summary(context.user, arguments.metric, start, end, profile.day_value)
    if not found.first or not found.last or not found.least or not found.most or found.mean is None:
        message = ngettext(
            "No %(metric)s is recorded in the last %(days)s day. This says nothing about earlier dates.",
            "No %(metric)s is recorded in the last %(days)s days. This says nothing about earlier dates.",
            arguments.days,
        ) % {"metric": metric_in_sentence(arguments.metric), "days": arguments.days}
        raise ToolError(ErrorCode.NOT_FOUND, message)
    unit = shown_unit(context.user, found.unit)
    change = found.change_per_week
    return {
        "metric": str(arguments.metric),
        "days": arguments.days,
        "start": start.isoformat(),
        "end": end.isoformat(),
        "count": found.count,
        "missing_days": found.missing_days,
        "first": as_json(found.first, with_metric=False),
        "last": as_json(found.last, with_metric=False),
        "min": as_json(found.least, with_metric=False),
        "max": as_json(found.most, with_metric=False),
        "mean": rounded(from_canonical(found.mean, unit)),
        "change_per_week": None if change is None else rounded(from_canonical(change, unit)),
        "unit": unit,
    }


def _describe_summary(arguments: SummarizeArguments, facts: CallFacts) -> str:
    line = ngettext(
        "Summed up %(metric)s over the last %(days)s day",
        "Summed up %(metric)s over the last %(days)s days",
        arguments.days,
    ) % {"metric": metric_in_sentence(arguments.metric), "days": arguments.days}
    return with_ending(line, facts)


def _days_summarized(_arguments: SummarizeArguments, facts: CallFacts) -> Days | None:
    """Which days "the last days" were is known to the result alone: today is another day by now."""
    if facts.error:
        return None
    content = json.loads(facts.content)
    return dt.date.fromisoformat(content["start"]), dt.date.fromisoformat(content["end"])


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
    days_read=_days_summarized,
    describe=_describe_summary,
)
