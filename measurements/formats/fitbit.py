"""Fitbit: JSON, dates as MM/DD/YY, pounds though no unit is named; 23:59:59 means that no time is known."""

import datetime as dt
from collections.abc import Iterator
from typing import Any, Final

from measurements.formats.base import Line, Parsed, Reading, Settings, Unreadable
from measurements.formats.json_values import number_in, text_in
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.source import Kind, Source
from measurements.formats.spelling import Spelling, read_time

SPELLING: Final = Spelling(comma=False, day_first=False)
NO_TIME: Final = dt.time(23, 59, 59)
METRICS: Final = (("weight", "weight", "lb"), ("fat", "body_fat", "%"))


class Fitbit:
    name = "fitbit"
    title = "Fitbit"

    def score(self, source: Source) -> int:
        # Its zip holds thousands of other files, too many and too large to be read for this.
        if source.kind is not Kind.JSON or '"logId"' not in source.head:
            return 0
        if not isinstance(source.document, list):
            return 0
        return 90 if any(_is_entry(entry) for entry in source.document) else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        return Parsed(_lines(source.document))


def _is_entry(entry: Any) -> bool:
    return isinstance(entry, dict) and {"logId", "weight", "date"} <= entry.keys()


def _lines(document: list[Any]) -> Iterator[Line]:
    for number, entry in enumerate(document, start=1):
        try:
            if not _is_entry(entry):
                raise Problem(ProblemCode.NOT_AN_ENTRY)
            on = SPELLING.stamp(text_in(entry["date"])).on
            time = text_in(entry.get("time"))
            at = read_time(time) if time else None
        except Problem as problem:
            yield Unreadable(number, problem)
            continue
        yield from _readings(number, entry, on, None if at == NO_TIME else at)


def _readings(number: int, entry: dict[str, Any], on: dt.date, at: dt.time | None) -> Iterator[Line]:
    for name, metric, unit in METRICS:
        try:
            value = number_in(entry.get(name))
        except Problem as problem:
            yield Unreadable(number, problem)
            continue
        if value is not None:
            yield Reading(number, metric, value, unit, on, at)


FORMAT = Fitbit()
