"""What a conversation is about: the record last written or asked about, found in its calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from coach.messages import JSONValue
from coach.providers.builtin.conversation import Exchange, Step
from coach.providers.builtin.moves import ToolName
from coach.providers.builtin.outcomes import Day, Summary, success

UNTIMED = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """A day, its metrics with the units in which they were given, and a time: None where it is not known."""

    on: date
    at: str | None = None
    units: Mapping[str, str] = field(default_factory=dict)


def last_spoken_of(earlier: Sequence[Exchange]) -> Subject | None:
    for exchange in reversed(earlier):
        for step in reversed(exchange.steps):
            if subject := subject_of(step):
                return subject
    return None


def written(step: Step) -> Subject | None:
    """What a write is about, whatever became of it; None when its arguments do not say."""
    on, at, values = _day(step), step.arguments.get("time"), step.arguments.get("values")
    if on is None or not isinstance(values, list):
        return None
    return Subject(on, at if isinstance(at, str) else UNTIMED, _units(values))


def subject_of(step: Step) -> Subject | None:
    match step.tool:
        case ToolName.WRITE:
            return written(step)
        case ToolName.READ:
            on, day = _day(step), success(Day, step.outcome)
            units = {record.metric: record.unit for record in day.measurements} if day else {}
            return Subject(on, units=units) if on else None
        case ToolName.SUMMARIZE:
            summary = success(Summary, step.outcome)
            if summary is None:
                return None
            last = summary.last
            return Subject(last.date, last.time, {summary.metric: last.unit})
        case _:
            return None


def _day(step: Step) -> date | None:
    try:
        return date.fromisoformat(str(step.arguments.get("date")))
    except ValueError:
        return None


def _units(values: Sequence[JSONValue]) -> dict[str, str]:
    pairs = [(value.get("metric"), value.get("unit")) for value in values if isinstance(value, dict)]
    return {metric: unit for metric, unit in pairs if isinstance(metric, str) and isinstance(unit, str)}
