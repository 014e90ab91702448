"""The moves of a deletion, as a function of the steps taken so far.

The day is read first, to name the one record that is meant or to ask which.
"""

from collections.abc import Sequence
from datetime import date

from coach.contract import ErrorCode
from coach.messages import JSONValue
from coach.providers.builtin.conversation import Step
from coach.providers.builtin.intents import Delete
from coach.providers.builtin.moves import Move, Position, Say, ToolName, Use, ask_which, read_day, summarize
from coach.providers.builtin.outcomes import Day, Deleted, Record, matching, success
from coach.providers.builtin.reading import (
    LATEST_WITHIN_DAYS,
    tell_failure,
    tell_latest,
    tell_missing_day,
)
from coach.providers.builtin.subject import Subject, last_spoken_of, subject_of
from coach.providers.builtin.voice import clock

_USUAL_METRIC = "weight"


def delete(intent: Delete, position: Position) -> Move:
    if intent.latest:
        return _delete_latest(intent, position)
    subject = Subject(intent.on) if intent.on else last_spoken_of(position.earlier)
    return _delete(intent, subject, position.steps, position) if subject else position.say("ask_day")


def _delete_latest(intent: Delete, position: Position) -> Move:
    metric = intent.metric or _USUAL_METRIC
    if not position.steps:
        return summarize(metric, LATEST_WITHIN_DAYS)
    latest, *steps = position.steps
    subject = subject_of(latest)
    if subject is None:
        return Say(tell_latest(metric, latest.outcome, position.voice))
    return _delete(intent, subject, steps, position)


def _delete(intent: Delete, subject: Subject, steps: Sequence[Step], position: Position) -> Move:
    if not steps:
        return read_day(subject.on)
    looked, *after = steps
    if after:
        return _tell(after[0], position)
    day = success(Day, looked.outcome)
    if looked.outcome.error is ErrorCode.NOT_FOUND or (day and not day.measurements):
        missing = tell_missing_day(subject.on, position.voice)
        return Say(f"{missing} {position.voice.say('says_nothing')}")
    if day is None:
        return Say(tell_failure(looked.outcome, position.voice))
    return _pick(intent, subject, day, position)


def _pick(intent: Delete, subject: Subject, day: Day, position: Position) -> Move:
    """Deletes the one record that is meant; where that is not one, says so or asks."""
    metrics = [intent.metric] if intent.metric else list(subject.units)
    of_metric = matching(day, metrics)
    if not of_metric:
        names = position.voice.join([position.voice.metric(metric) for metric in metrics])
        return position.say("missing_metric", date=position.voice.date(subject.on), metric=names)
    at = clock(intent.at) or subject.at
    meant = [record for record in of_metric if at is None or record.time == at]
    if len(meant) != 1:
        return ask_which(subject.on, meant or of_metric, position)
    return _use(subject.on, meant[0])


def _use(on: date, record: Record) -> Use:
    arguments: dict[str, JSONValue] = {"date": on.isoformat(), "metric": record.metric}
    if record.time:
        arguments["time"] = record.time
    return Use(ToolName.DELETE, arguments)


def _tell(deletion: Step, position: Position) -> Say:
    if deletion.outcome.is_error:
        return Say(tell_failure(deletion.outcome, position.voice))
    gone = success(Deleted, deletion.outcome)
    if gone is None:
        return position.say("done")
    on = position.voice.date(gone.deleted.date)
    return position.say("deleted", date=on, values=position.voice.named([gone.deleted]))
