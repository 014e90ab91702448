"""The moves of the intents that write. Each is a function of the steps taken so far.

Nothing is called saved but what the outcome of the write says was.
"""

from collections.abc import Sequence
from datetime import date

from coach.contract import ErrorCode
from coach.messages import JSONValue
from coach.providers.builtin.conversation import Exchange, Step
from coach.providers.builtin.intents import Correct, Log, No, Remark, Value, Yes
from coach.providers.builtin.moves import Move, Position, Say, ToolName, Use, ask_which, read_day
from coach.providers.builtin.outcomes import Day, Saved, matching, success
from coach.providers.builtin.quantities import Stated, same_kind, usual_metric
from coach.providers.builtin.reading import tell_failure
from coach.providers.builtin.subject import UNTIMED, Subject, last_spoken_of, written
from coach.providers.builtin.understanding import settle
from coach.providers.builtin.voice import clock

_CHANGES = ("created", "replaced", "unchanged")


def log(intent: Log, position: Position) -> Move:
    if position.steps:
        return _after_write(position.steps, position)
    return _write(intent.values, intent.on, clock(intent.at), intent.note)


def correct(intent: Correct, position: Position) -> Move:
    """Reads the day first, so that the value lands on the record that stands there, whatever its time."""
    subject = Subject(intent.on) if intent.on else last_spoken_of(position.earlier)
    if subject is None:
        return position.say("ask_day")
    settled = [_settle(stated, subject, position) for stated in intent.stated]
    values = [value for value in settled if isinstance(value, Value)]
    if len(values) < len(settled):
        return position.say(next(remark.key for remark in settled if isinstance(remark, Remark)))
    if not position.steps:
        return read_day(subject.on)
    looked, *after = position.steps
    if after:
        return _after_write(after, position)
    day = success(Day, looked.outcome)
    if day is None and looked.outcome.error is not ErrorCode.NOT_FOUND:
        return Say(tell_failure(looked.outcome, position.voice))
    standing = matching(day, [value.metric for value in values])
    times = {record.time for record in standing}
    at = clock(intent.at) or subject.at
    if at is None or (at not in times and not intent.at):
        if len(times) > 1:
            return ask_which(subject.on, standing, position)
        at = times.pop() if times else at
    return _write(values, subject.on, at, intent.note, replace=True)


def yes(_intent: Yes, position: Position) -> Move:
    """Makes the write that met another value once more, now with leave to replace it."""
    if position.steps:
        return _after_write(position.steps, position)
    pending = _pending(position.earlier)
    if pending is None:
        return position.say("nothing_pending")
    return Use(ToolName.WRITE, {**pending.arguments, "replace": True})


def no(_intent: No, position: Position) -> Move:
    return position.say("left_standing" if _pending(position.earlier) else "nothing_pending")


def _pending(earlier: Sequence[Exchange]) -> Step | None:
    """The write of the exchange just before that waits for leave to replace."""
    steps = earlier[-1].steps if earlier else []
    last = next((step for step in reversed(steps) if step.tool == ToolName.WRITE), None)
    return last if last and last.outcome.error is ErrorCode.ALREADY_RECORDED else None


def _settle(stated: Stated, subject: Subject, position: Position) -> Value | Remark:
    """What the person leaves out is as it was in the value that they correct."""
    metric = stated.metric
    if metric is None:
        kin = [m for m, unit in subject.units.items() if not stated.unit or same_kind(unit, stated.unit)]
        if len(kin) > 1:
            return Remark("ask_metric")
        metric = kin[0] if kin else usual_metric(stated.unit)
    unit = stated.unit or (subject.units.get(metric) if metric else None)
    if unit == "st_lb" and stated.unit is None:
        return Remark("ask_unit")
    return settle(Stated(metric, stated.value, unit), position.situation)


def _write(values: Sequence[Value], on: date, at: str | None, note: str, *, replace: bool = False) -> Use:
    arguments: dict[str, JSONValue] = {"date": on.isoformat()}
    if at:
        arguments["time"] = at
    # A float of so few digits is written as the number that was said.
    arguments["values"] = [
        {"metric": value.metric, "value": float(value.value), "unit": value.unit} for value in values
    ]
    if note:
        arguments["note"] = note
    if replace:
        arguments["replace"] = True
    return Use(ToolName.WRITE, arguments)


def _after_write(steps: Sequence[Step], position: Position) -> Move:
    """Tells what became of the write; of another value that stands there, after reading it."""
    write, *after = steps
    if write.outcome.error is ErrorCode.ALREADY_RECORDED:
        subject = written(write)
        if subject is None:
            return Say(tell_failure(write.outcome, position.voice))
        return _tell_standing(subject, after[0], position) if after else read_day(subject.on)
    if write.outcome.is_error:
        return Say(tell_failure(write.outcome, position.voice))
    saved = success(Saved, write.outcome)
    if saved is None:
        return position.say("done")
    said = []
    for change in _CHANGES:
        if of_change := [record for record in saved.saved if record.change == change]:
            on = position.voice.date(of_change[0].date)
            said.append(position.voice.say(change, date=on, values=position.voice.named(of_change)))
    return Say(" ".join(said) or position.voice.say("done"))


def _tell_standing(subject: Subject, looked: Step, position: Position) -> Say:
    on = position.voice.date(subject.on)
    of_metric = matching(success(Day, looked.outcome), list(subject.units))
    standing = [record for record in of_metric if record.time == (subject.at or UNTIMED)]
    if not standing:
        return position.say("standing_unread", date=on)
    return position.say("standing", date=on, values=position.voice.named(standing))
