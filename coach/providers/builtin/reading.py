"""The moves of the intents that only look. Each is a function of the steps taken so far."""

from collections.abc import Callable
from datetime import date, timedelta

from coach.contract import ErrorCode, Outcome
from coach.providers.builtin.intents import Latest, ListSpan, ReadDays, Trend
from coach.providers.builtin.moves import Move, Position, Say, ToolName, Use, read_day, summarize
from coach.providers.builtin.outcomes import Day, Listing, Record, Summary, matching, refusal, success
from coach.providers.builtin.voice import Voice

LATEST_WITHIN_DAYS = 365
_LISTED_AT_MOST = 31
_NOTHING_THERE = (ErrorCode.NOT_FOUND, ErrorCode.METRIC_NOT_RECORDED)


def read_days(intent: ReadDays, position: Position) -> Move:
    """Reads day by day. Of alternatives, the next only where the one before is known to be missing."""
    said: list[str] = []
    missing = 0
    for n, on in enumerate(intent.days):
        if n == len(position.steps):
            return read_day(on)
        outcome = position.steps[n].outcome
        is_missing = _lacks(outcome, intent.metrics)
        said.append(_tell_day(on, outcome, intent.metrics, position.voice))
        missing += is_missing
        if intent.alternatives and not is_missing:
            break
    if missing == len(said):
        said.append(position.voice.say("says_nothing"))
    return Say(" ".join(said))


def latest(intent: Latest, position: Position) -> Move:
    return _each_metric(
        intent.metrics,
        position,
        lambda metric: summarize(metric, LATEST_WITHIN_DAYS),
        lambda metric, outcome: tell_latest(metric, outcome, position.voice),
    )


def trend(intent: Trend, position: Position) -> Move:
    return _each_metric(
        intent.metrics,
        position,
        lambda metric: summarize(metric, intent.days),
        lambda metric, outcome: _tell_trend(metric, intent.days, outcome, position),
    )


def list_span(intent: ListSpan, position: Position) -> Move:
    start, end = intent.span.start, intent.span.end
    return _each_metric(
        intent.metrics,
        position,
        lambda metric: Use(
            ToolName.LIST, {"start": start.isoformat(), "end": end.isoformat(), "metric": metric}
        ),
        lambda metric, outcome: _tell_list(metric, start, end, outcome, position.voice),
    )


def tell_failure(outcome: Outcome, voice: Voice) -> str:
    """What an error means for the person, by its code. Its own words are only passed on."""
    match outcome.error:
        case ErrorCode.DECLINED:
            return voice.say("declined")
        case ErrorCode.READ_FAILED:
            return voice.say("unread")
        case ErrorCode.INVALID_ARGUMENTS:
            told = refusal(outcome)
            problems = [problem.problem for problem in told.fields] or [told.message]
            return voice.say("refused", problems=" ".join(problems)).strip()
        case _:
            return voice.say("failed")


def tell_missing_day(on: date, voice: Voice) -> str:
    return voice.say("missing_iso_day" if voice.iso else "missing_day", date=voice.date(on))


def _each_metric(
    metrics: tuple[str, ...],
    position: Position,
    ask: Callable[[str], Use],
    tell: Callable[[str, Outcome], str],
) -> Move:
    if len(position.steps) < len(metrics):
        return ask(metrics[len(position.steps)])
    told = [tell(metric, step.outcome) for metric, step in zip(metrics, position.steps, strict=False)]
    return Say("\n\n".join(told))


def _lacks(outcome: Outcome, metrics: tuple[str, ...]) -> bool:
    """Whether it is known that the day has nothing of what was asked for."""
    if outcome.error in _NOTHING_THERE:
        return True
    day = success(Day, outcome)
    return day is not None and not matching(day, metrics)


def _tell_day(on: date, outcome: Outcome, metrics: tuple[str, ...], voice: Voice) -> str:
    if outcome.error is ErrorCode.NOT_FOUND:
        return tell_missing_day(on, voice)
    if outcome.error is ErrorCode.READ_FAILED:
        return voice.say("unread_day", date=voice.date(on))
    day = success(Day, outcome)
    if day is None and outcome.error is not ErrorCode.METRIC_NOT_RECORDED:
        return tell_failure(outcome, voice)
    found = matching(day, metrics)
    absent = [metric for metric in metrics if all(record.metric != metric for record in found)]
    said = [_tell_records(on, found, voice)] if found else []
    if absent:
        names = voice.join([voice.metric(metric) for metric in absent])
        said.append(voice.say("missing_metric", date=voice.date(on), metric=names))
    return " ".join(said) or tell_missing_day(on, voice)


def _tell_records(on: date, records: list[Record], voice: Voice) -> str:
    if len(records) > 1:
        return voice.say("found_several", date=voice.date(on), values=voice.named(records))
    (record,) = records
    return voice.say(
        "found_one",
        date=voice.date(on),
        saved_metric=voice.saved_metric(record.metric),
        value=voice.record(record),
    )


def tell_latest(metric: str, outcome: Outcome, voice: Voice) -> str:
    if outcome.error in _NOTHING_THERE:
        return voice.say("none_lately", metric=voice.metric(metric))
    summary = success(Summary, outcome)
    if summary is None:
        return tell_failure(outcome, voice)
    return voice.say(
        "latest",
        metric=voice.metric(metric),
        value=voice.record(summary.last),
        date=voice.date(summary.last.date),
    )


def _tell_trend(metric: str, days: int, outcome: Outcome, position: Position) -> str:
    voice = position.voice
    if outcome.error in _NOTHING_THERE:
        today = position.now.date()
        return _tell_none(metric, today - timedelta(days - 1), today, voice)
    found = success(Summary, outcome)
    if found is None:
        return tell_failure(outcome, voice)
    span = {
        "metric": voice.metric(metric),
        "start": voice.date(found.start),
        "end": voice.date(found.end),
    }
    if found.count == 1:
        value, on = voice.record(found.last), voice.date(found.last.date)
        return voice.say("trend_one", **span, value=value, date=on)
    said = [
        voice.say(
            "trend",
            **span,
            first=voice.value(found.first.value, found.first.unit),
            first_date=voice.date(found.first.date),
            last=voice.value(found.last.value, found.last.unit),
            last_date=voice.date(found.last.date),
        )
    ]
    if found.change_per_week is not None:
        said.append(voice.say("trend_change", change=voice.change(found.change_per_week, found.unit)))
    said.append(
        voice.say(
            "trend_extremes",
            lowest=voice.value(found.min.value, found.min.unit),
            lowest_date=voice.date(found.min.date),
            highest=voice.value(found.max.value, found.max.unit),
            highest_date=voice.date(found.max.date),
            mean=voice.value(found.mean, found.unit),
        )
    )
    said.append(voice.say("trend_days", count=found.count, missing=found.missing_days))
    return " ".join(said)


def _tell_list(metric: str, start: date, end: date, outcome: Outcome, voice: Voice) -> str:
    if outcome.error in _NOTHING_THERE:
        return _tell_none(metric, start, end, voice)
    found = success(Listing, outcome)
    if found is None:
        return tell_failure(outcome, voice)
    if not found.measurements:
        return _tell_none(metric, start, end, voice)
    shown = found.measurements[-_LISTED_AT_MOST:]
    key = "list_newest" if len(shown) < found.count else "list_one" if found.count == 1 else "list_many"
    head = voice.say(
        key,
        metric=voice.metric(metric),
        start=voice.date(start),
        end=voice.date(end),
        count=found.count,
    )
    items = [
        voice.say("list_item", date=voice.date(record.date), value=voice.record(record)) for record in shown
    ]
    return "\n".join([head, "", *items])


def _tell_none(metric: str, start: date, end: date, voice: Voice) -> str:
    return voice.say(
        "none_in_span",
        metric=voice.metric(metric),
        start=voice.date(start),
        end=voice.date(end),
    )
