"""From a message to what the person wants. It would rather not understand than write what was not meant.

A message changes data only when every word of it was recognised: "I want to be at 75 kg" or "if I
weighed 75" must not become a record, and a day that was not understood must not become today.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from re import Match, Pattern

from coach.providers.base import Situation
from coach.providers.builtin import quantities
from coach.providers.builtin.clock import take_time
from coach.providers.builtin.days import NamedDay, Span, take_day_to_day, take_days, take_span
from coach.providers.builtin.grammar import GRAMMARS
from coach.providers.builtin.grammar.base import Grammar
from coach.providers.builtin.intents import (
    Correct,
    Delete,
    Heard,
    Intent,
    Latest,
    ListSpan,
    Log,
    No,
    ReadDays,
    Remark,
    Trend,
    Value,
    Yes,
)
from coach.providers.builtin.language import detect
from coach.providers.builtin.quantities import Amount, Mention, Stated
from coach.providers.builtin.text import Draft

LONGEST_MESSAGE = 2_500
TREND_DAYS = 30
DAYS_AT_MOST = 5
_QUOTED_WORDS = 5
_USUAL_METRICS = ("weight",)


def understand(text: str, *, earlier: Sequence[str] = (), situation: Situation) -> Heard:
    """What the newest message asks. `earlier` are the person's messages before it, newest first."""
    language = detect([text, *earlier], situation.language)
    if len(text) > LONGEST_MESSAGE:
        return Heard(language, Remark("unknown"))
    found = _find(Draft(text), GRAMMARS[language], situation)
    intent = _intent(found, situation)
    iso = any(named.iso for named in found.days)
    return Heard(language, intent, forbids_changes=forbids_changes(text), iso=iso)


def forbids_changes(text: str) -> bool:
    """Whether the message says, anywhere and in any of the languages, that nothing may change."""
    folded = Draft(text).rest
    return any(grammar.forbids.search(folded) for grammar in GRAMMARS.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """All that was recognised. The draft keeps the words that tell what to do, and the unknown ones."""

    draft: Draft
    grammar: Grammar
    note: str
    is_question: bool
    fallback_at: int | None
    days: list[NamedDay]
    span: Span | None
    at: time | None
    amounts: list[Amount]
    mentions: list[Mention]
    stated: list[Stated]

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(mention.metric for mention in self.mentions))

    @property
    def day(self) -> date | None:
        return self.days[0].on if self.days else None

    def says(self, *patterns: Pattern[str]) -> bool:
        return any(pattern.search(self.draft.rest) for pattern in patterns)

    def unknown(self, *known: Pattern[str]) -> list[str]:
        """The words that are neither recognised nor of these patterns."""
        draft = self.draft.copy()
        for pattern in (*known, self.grammar.separator, self.grammar.filler):
            draft.take_all(pattern)
        return draft.leftover()


def _find(draft: Draft, grammar: Grammar, situation: Situation) -> _Found:
    note = draft.take(grammar.note)
    draft.take_all(grammar.forbids)
    fallback = draft.take(grammar.fallback)
    # Spans and times before single days: "from 1 to 10 January", "7 de la mañana".
    span = take_day_to_day(draft, grammar, situation.now)
    at = take_time(draft, grammar.time)
    days = take_days(draft, grammar, situation.now)
    span = span or take_span(draft, grammar, [] if fallback else days, situation.now)
    amounts = quantities.take_amounts(draft, grammar)
    mentions = quantities.take_mentions(draft, grammar)
    return _Found(
        draft=draft,
        grammar=grammar,
        note=_note(note, draft),
        is_question="?" in draft.rest,
        fallback_at=fallback.start() if fallback else None,
        days=days,
        span=span,
        at=at,
        amounts=amounts,
        mentions=mentions,
        stated=quantities.pair(amounts, mentions, draft, grammar),
    )


def _note(match: Match[str] | None, draft: Draft) -> str:
    return draft.original[match.start("note") : match.end("note")].strip(' "“”«»') if match else ""


def _intent(found: _Found, situation: Situation) -> Intent:
    grammar = found.grammar
    if any(named.on is None for named in found.days):
        return Remark("no_such_day")
    if found.says(grammar.delete):
        return _delete(found)
    if found.amounts:
        return _change(found, situation)
    return _question(found, situation) or _small_talk(found)


def _delete(found: _Found) -> Intent:
    grammar = found.grammar
    if unknown := found.unknown(grammar.delete, grammar.latest, grammar.greeting, grammar.thanks):
        return _unclear(unknown)
    if found.amounts or found.span or len(found.days) > 1 or len(found.metrics) > 1:
        return Remark("one_thing")
    metric = found.metrics[0] if found.metrics else None
    latest = found.says(grammar.latest) and not found.days
    return Delete(metric, found.day, found.at, latest=latest)


def _change(found: _Found, situation: Situation) -> Intent:
    """The message holds amounts: it logs or corrects, or it is not understood."""
    grammar = found.grammar
    corrects = found.says(grammar.correct)
    known = [grammar.log, grammar.correct, grammar.greeting, grammar.thanks, grammar.yes]
    unknown = found.unknown(*known, *([grammar.rather] if corrects else []))
    if unknown or found.span or (found.is_question and not found.says(grammar.log, grammar.correct)):
        return _unclear(unknown)
    if len({named.on for named in found.days}) > 1:
        return Remark("one_day")
    stated = found.stated or (_right_value(found) if corrects else [])
    if not stated:
        return Remark("ask_metric")
    if corrects:
        return Correct(tuple(stated), found.day, found.at, found.note)
    values = [settle(one, situation) for one in stated]
    settled = tuple(value for value in values if isinstance(value, Value))
    if len(settled) < len(values):
        return next(value for value in values if isinstance(value, Remark))
    return Log(settled, found.day or situation.now.date(), found.at, found.note)


def _right_value(found: _Found) -> list[Stated]:
    """The second value of a correction that gives both: not 80 but 77."""
    if len(found.amounts) != 2 or len(found.metrics) > 1:
        return []
    wrong, right = found.amounts
    if not found.grammar.rather.search(found.draft.rest, wrong.end, right.start):
        return []
    return [Stated(next(iter(found.metrics), None), right.value, right.unit or wrong.unit)]


def settle(stated: Stated, situation: Situation) -> Value | Remark:
    """The value with what goes without saying; a question where something does not."""
    metric = stated.metric or quantities.usual_metric(stated.unit)
    if metric is None:
        return Remark("ask_metric")
    unit = stated.unit or quantities.usual_unit(
        metric, stated.value, mass_unit=situation.mass_unit, length_unit=situation.length_unit
    )
    return Value(metric, stated.value, unit) if unit else Remark("ask_unit")


def _question(found: _Found, situation: Situation) -> Intent | None:
    """The message holds no amount: it asks, or it is small talk."""
    grammar = found.grammar
    if found.says(grammar.log) and not found.says(grammar.read):
        return Remark("ask_value")
    metrics = found.metrics or _USUAL_METRICS
    asks_trend = found.says(grammar.trend) and not (found.says(grammar.greeting) and not found.mentions)
    if found.span:
        until_today = found.span.end == situation.now.date()
        if asks_trend and until_today:
            return Trend(metrics, (found.span.end - found.span.start).days + 1)
        return ListSpan(metrics, found.span)
    if found.days:
        return _days(found)
    if asks_trend:
        return Trend(metrics, TREND_DAYS)
    if found.mentions:
        return Latest(metrics)
    return None


def _days(found: _Found) -> ReadDays:
    days = tuple(dict.fromkeys(named.on for named in found.days if named.on))[:DAYS_AT_MOST]
    fallback = found.fallback_at is not None and found.days[-1].start > found.fallback_at
    return ReadDays(days, found.metrics, alternatives=fallback and len(days) > 1)


def _small_talk(found: _Found) -> Intent:
    grammar = found.grammar
    if found.says(grammar.help):
        return Remark("help")
    if found.says(grammar.undo):
        return Remark("undo")
    if found.says(grammar.latest):
        return Latest(_USUAL_METRICS)
    refuses, agrees = found.says(grammar.no), found.says(grammar.yes)
    if found.unknown(grammar.no, grammar.yes, grammar.thanks, grammar.greeting) or (refuses and agrees):
        return Remark("unknown")
    if refuses or agrees:
        return No() if refuses else Yes()
    if found.says(grammar.thanks):
        return Remark("thanks")
    return Remark("greeting" if found.says(grammar.greeting) else "unknown")


def _unclear(unknown: Sequence[str]) -> Remark:
    """Quotes words alone: a number in an answer comes from a tool."""
    quoted = [word for word in unknown if not any(letter.isdigit() for letter in word)]
    if not quoted:
        return Remark("unclear")
    return Remark("unclear_words", " ".join(quoted[:_QUOTED_WORDS]))
