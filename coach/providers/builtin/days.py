"""Days and spans of days as people say them.

The phrase is found here and only then given to the date library, which would otherwise find dates
in numbers that are none.
"""

import calendar
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from re import Match

import dateparser

from coach.providers.builtin.grammar.base import Grammar
from coach.providers.builtin.text import TAKEN, Draft

_ISO = re.compile(
    r"(?<![\w.,/-])(?P<year>[0-9]{4})[-/](?P<month>[0-9]{1,2})[-/](?P<day>[0-9]{1,2})(?![\w/-])"
)
_NUMERIC = re.compile(
    r"(?<![\w.,/-])(?P<one>[0-9]{1,2})"
    r"(?:/(?P<two>[0-9]{1,2})(?:/(?P<year>[0-9]{4}|[0-9]{2}))?"
    r"|(?P<mark>[.-])(?P<other>[0-9]{1,2})(?P=mark)(?P<full_year>[0-9]{4}))(?![\w/-])"
)
_UNIT_DAYS = {"d": 1, "w": 7, "s": 7, "m": 30, "y": 365, "a": 365}
"""Days of a unit of time by its first letter, which is the same word's in all three languages."""


@dataclass(frozen=True, slots=True)
class NamedDay:
    """A day that the message names. `on` is None when the calendar has no such day."""

    start: int
    end: int
    on: date | None
    iso: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """Both ends belong to it."""

    start: date
    end: date


def take_days(draft: Draft, grammar: Grammar, now: datetime) -> list[NamedDay]:
    """The days that the message names, in its order, taken out of it."""
    found = [
        NamedDay(m.start(), m.end(), _day(int(m["year"]), int(m["month"]), int(m["day"])), iso=True)
        for m in draft.take_all(_ISO)
    ]
    found += [
        NamedDay(m.start(), m.end(), _numeric_day(m, grammar, now.date())) for m in draft.take_all(_NUMERIC)
    ]
    for pattern in grammar.time.days:
        found += [NamedDay(m.start(), m.end(), _spoken_day(m, grammar, now)) for m in draft.take_all(pattern)]
    return sorted(found, key=lambda named: named.start)


def take_day_to_day(draft: Draft, grammar: Grammar, now: datetime) -> Span | None:
    """Two days of which only the last says its month: from 1 to 10 January."""
    for pattern in grammar.time.day_to_day:
        for match in pattern.finditer(draft.rest):
            start = _ask_library(f"{match['first']} {match['month']} {match['year'] or ''}", grammar, now)
            if start is None:
                continue
            end = _ask_library(f"{match['last']} {match['month']} {start.year}", grammar, now)
            if end and start <= end:
                draft.drop(match.start(), match.end())
                return _until_today(Span(start, end), now)
    return None


def take_span(draft: Draft, grammar: Grammar, named: list[NamedDay], now: datetime) -> Span | None:
    """The span that the message names, in words or by its two days. It ends today at the latest."""
    span = _between(draft, grammar, named, now) or _in_words(draft, grammar, now)
    return _until_today(span, now) if span else None


def _until_today(span: Span, now: datetime) -> Span:
    return Span(span.start, now.date()) if span.start <= now.date() < span.end else span


def _between(draft: Draft, grammar: Grammar, named: list[NamedDay], now: datetime) -> Span | None:
    spoken = grammar.time
    if len(named) == 1 and named[0].on and draft.take(spoken.since):
        return Span(named[0].on, now.date())
    if len(named) != 2:
        return None
    first, last = named
    if not first.on or not last.on or first.on > last.on:
        return None
    link = draft.rest[first.end : last.start]
    opened = spoken.between.search(draft.rest[: first.start])
    if spoken.until.search(link) or (opened and grammar.separator.search(link)):
        draft.drop(first.end, last.start)
        return Span(first.on, last.on)
    return None


def _in_words(draft: Draft, grammar: Grammar, now: datetime) -> Span | None:
    for meaning, pattern in grammar.time.spans.items():
        if match := draft.take(pattern):
            return _MEANINGS[meaning](match, grammar, now)
    return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _numeric_day(match: Match[str], grammar: Grammar, today: date) -> date | None:
    """3/4 as the language has it, unless only the other way round is a date."""
    one, two = int(match["one"]), int(match["two"] or match["other"])
    day, month = (one, two) if grammar.day_first else (two, one)
    if month > 12:
        day, month = month, day
    year = match["year"] or match["full_year"]
    if year:
        return _day(int(year) + (2000 if len(year) == 2 else 0), month, day)
    # 29 February is at most eight years back.
    return _latest((_day(today.year - back, month, day) for back in range(9)), today)


def _spoken_day(match: Match[str], grammar: Grammar, now: datetime) -> date | None:
    said = match.groupdict()
    if said.get("of_month"):
        return _day_of_month(int(said["of_month"]), now.date())
    return _ask_library(said["day"], grammar, now)


def _day_of_month(day: int, today: date) -> date | None:
    months = (divmod(today.year * 12 + today.month - 1 - back, 12) for back in range(3))
    return _latest((_day(year, month + 1, day) for year, month in months), today)


def _latest(candidates: Iterable[date | None], today: date) -> date | None:
    return next((day for day in candidates if day and day <= today), None)


def _ask_library(phrase: str, grammar: Grammar, now: datetime) -> date | None:
    respelled = grammar.time.respelled
    phrase = respelled.get(phrase, phrase)
    phrase = " ".join(respelled.get(word, word) for word in phrase.replace(TAKEN, " ").split())
    found = dateparser.parse(
        phrase,
        languages=[grammar.date_language],
        settings={
            # Naive, or the library would weigh past and future in UTC.
            "RELATIVE_BASE": now.replace(tzinfo=None),
            "TIMEZONE": "UTC",
            "PREFER_DATES_FROM": "past",
            "PARSERS": ["relative-time", "absolute-time"],
        },
    )
    return found.date() if found else None


def _this_week(_match: Match[str], _grammar: Grammar, now: datetime) -> Span:
    return Span(now.date() - timedelta(now.weekday()), now.date())


def _previous_week(_match: Match[str], _grammar: Grammar, now: datetime) -> Span:
    monday = now.date() - timedelta(now.weekday() + 7)
    return Span(monday, monday + timedelta(6))


def _this_month(_match: Match[str], _grammar: Grammar, now: datetime) -> Span:
    return Span(now.date().replace(day=1), now.date())


def _previous_month(_match: Match[str], _grammar: Grammar, now: datetime) -> Span:
    end = now.date().replace(day=1) - timedelta(1)
    return Span(end.replace(day=1), end)


def _year(year: int) -> Span:
    return Span(date(year, 1, 1), date(year, 12, 31))


def _back(match: Match[str], grammar: Grammar, now: datetime) -> Span:
    count, unit = match["count"], match["unit"]
    if count is None:
        number = 7 if unit.startswith("d") else 1
    else:
        number = int(grammar.time.respelled.get(count, count))
    days = max(number * _UNIT_DAYS[unit[0]], 1)
    return Span(now.date() - timedelta(days - 1), now.date())


def _month(match: Match[str], grammar: Grammar, now: datetime) -> Span | None:
    said = match["month"] or match["month_of"]
    first = _ask_library(f"1 {said} {match['year'] or match['of_year'] or ''}", grammar, now)
    if first is None:
        return None
    return Span(first, first.replace(day=calendar.monthrange(first.year, first.month)[1]))


def _named_year(match: Match[str], _grammar: Grammar, _now: datetime) -> Span | None:
    year = int(match["year"])
    return _year(year) if year > 0 else None


_MEANINGS: Mapping[str, Callable[[Match[str], Grammar, datetime], Span | None]] = {
    "this_week": _this_week,
    "previous_week": _previous_week,
    "this_month": _this_month,
    "previous_month": _previous_month,
    "this_year": lambda _match, _grammar, now: Span(date(now.year, 1, 1), now.date()),
    "previous_year": lambda _match, _grammar, now: _year(now.year - 1),
    "back": _back,
    "month": _month,
    "year": _named_year,
}
