"""wger: CSV whose header is in the language of the page, and pages of JSON. Kilograms.

Its stamps carry an offset, but it is the server's: `+00:00` is UTC as stored, not where the person
was, so that their time zone decides about the day. Any other offset stands as it is.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from measurements.formats.base import Line, Parsed, Reading, Settings, Unreadable
from measurements.formats.json_values import POINT, number_in, text_in
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.source import Kind, Source
from measurements.formats.table import Column, Layout, Row, Rows, cells_of_head, csv_rows, parse_rows

STAMP: Final = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d+)?[+-]\d{2}:\d{2},")
STORED_UTC: Final = re.compile(r"[+-]00:00$")


class Wger:
    name = "wger"
    title = "wger"

    def score(self, source: Source) -> int:
        if source.kind is Kind.JSON:
            if '"weight"' not in source.head:
                return 0
            return 80 if any(_is_entry(entry) for entry in _entries(source.document)) else 0
        lines = source.head_lines
        is_csv = len(cells_of_head(source)) == 2 and len(lines) > 1 and STAMP.match(lines[1])
        return 70 if is_csv else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        if source.kind is Kind.JSON:
            return _parse_json(source, settings)
        date, weight = cells_of_head(source)
        layout = Layout(date, {weight: Column("weight", "kg")})
        return parse_rows(partial(_rows, source, date), layout, settings)


def _rows(source: Source, date: str) -> Rows:
    for row in csv_rows(source):
        if isinstance(row, Row):
            yield Row(row.line, {**row.cells, date: STORED_UTC.sub("Z", row.cells.get(date, ""))})
        else:
            yield row


def _pages(document: Any) -> list[Any]:
    """One page, several, or what stands in them."""
    return document if isinstance(document, list) else [document]


def _entries(document: Any) -> Iterator[Any]:
    for page in _pages(document):
        if isinstance(page, dict) and isinstance(page.get("results"), list):
            yield from page["results"]
        else:
            yield page


def _is_entry(entry: Any) -> bool:
    return isinstance(entry, dict) and {"id", "date", "weight"} <= entry.keys() and "logId" not in entry


def _parse_json(source: Source, settings: Settings) -> Parsed:
    pages = _pages(source.document)
    parsed = Parsed(_lines(source.document, settings))
    if isinstance(pages[-1], dict) and pages[-1].get("next"):
        # More was to come that the file does not hold: its address is what is not imported.
        parsed.ignored.add(f"next: {pages[-1]['next']}")
    return parsed


def _lines(document: Any, settings: Settings) -> Iterator[Line]:
    for number, entry in enumerate(_entries(document), start=1):
        try:
            if not _is_entry(entry):
                raise Problem(ProblemCode.NOT_AN_ENTRY)
            stamp = POINT.stamp(STORED_UTC.sub("Z", text_in(entry["date"]))).on_the_clock_of(settings.zone)
            value = number_in(entry["weight"])
        except Problem as problem:
            yield Unreadable(number, problem)
            continue
        if value is not None:
            yield Reading(number, "weight", value, "kg", stamp.on, stamp.at, stamp.offset)


FORMAT = Wger()
