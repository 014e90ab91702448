"""Times of day as people say them."""

from datetime import time
from re import Match

from coach.providers.builtin.grammar.base import TimeWords
from coach.providers.builtin.text import Draft

NOON_HOUR = 12


def take_time(draft: Draft, spoken: TimeWords) -> time | None:
    """The time that the message names, taken out of it. A part of the day alone gives none."""
    late = draft.take(spoken.late) is not None
    early = draft.take(spoken.early) is not None
    if draft.take(spoken.noon):
        return time(NOON_HOUR)
    for pattern in spoken.clock:
        for match in pattern.finditer(draft.rest):
            at = _time(match, early=early, late=late)
            if at is not None:
                draft.drop(match.start(), match.end())
                return at
    return None


def _time(match: Match[str], *, early: bool, late: bool) -> time | None:
    said = match.groupdict()
    hour = int(said["hour"])
    minute = int(said.get("minute") or 0)
    if said.get("half"):
        minute = 30
    elif said.get("quarter"):
        minute = 15
    half_day = said.get("half_day")
    if hour < NOON_HOUR and (half_day == "p" or late):
        hour += NOON_HOUR
    elif hour == NOON_HOUR and (half_day == "a" or early):
        hour = 0
    return time(hour, minute) if hour < 24 and minute < 60 else None
