"""What the built-in coach listens for in one language. All patterns meet folded text (`text.fold`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from re import Pattern


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeWords:
    """The clock and the calendar as one language speaks of them.

    `clock` patterns may name the groups `hour`, `minute`, `half`, `quarter` and `half_day` (a or p).
    `days` patterns name the group `day`, a phrase for the date library, or `of_month`, a number.
    `respelled` gives phrases and words of such a phrase as the date library knows them.
    `day_to_day` patterns name `first`, `last`, `month` and `year`; `spans` are keyed by their meaning.
    """

    clock: tuple[Pattern[str], ...]
    noon: Pattern[str]
    early: Pattern[str]
    late: Pattern[str]
    days: tuple[Pattern[str], ...]
    respelled: Mapping[str, str]
    day_to_day: tuple[Pattern[str], ...]
    spans: Mapping[str, Pattern[str]]
    between: Pattern[str]
    until: Pattern[str]
    since: Pattern[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Grammar:
    """One language. `telling` are words that give it away; `filler` says nothing that matters in a log.

    `rather` stands between the wrong value and the right one: not 80 but 77.
    """

    language: str
    date_language: str
    day_first: bool
    decimal_mark: str
    telling: frozenset[str]
    telling_letters: frozenset[str]
    time: TimeWords
    metrics: Mapping[str, Pattern[str]]
    separator: Pattern[str]
    note: Pattern[str]
    forbids: Pattern[str]
    fallback: Pattern[str]
    log: Pattern[str]
    correct: Pattern[str]
    rather: Pattern[str]
    delete: Pattern[str]
    read: Pattern[str]
    trend: Pattern[str]
    latest: Pattern[str]
    undo: Pattern[str]
    help: Pattern[str]
    greeting: Pattern[str]
    thanks: Pattern[str]
    yes: Pattern[str]
    no: Pattern[str]
    filler: Pattern[str]
