"""Libra 6 and 5: semicolons under lines that begin with `#`; version 6 stamps in UTC, 5 in local time."""

import datetime as dt
import re
from decimal import Decimal
from functools import partial
from typing import Final

from measurements.formats.base import Line, Parsed, Reading, Repeated, Settings, Unreadable
from measurements.formats.source import Source
from measurements.formats.table import MASS, Column, Layout, Rows, csv_lines, parse_rows, row_of

UNITS_LINE: Final = re.compile(r"#\s*Units:\s*(\w+)")
MIDNIGHT: Final = dt.time()
# Computed from the rest, so that they come back by themselves.
TRENDS: Final = frozenset({"weight trend", "body fat trend", "muscle mass trend"})


class Libra:
    name = "libra"
    title = "Libra"

    def score(self, source: Source) -> int:
        return 95 if any(line.startswith("#date;weight;") for line in source.head_lines[:8]) else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        layout = _layout(source)
        timed = {
            (reading.metric, reading.on, reading.value)
            for reading in parse_rows(partial(_rows, source), layout, settings).lines
            if isinstance(reading, Reading) and not _is_midnight(reading)
        }
        parsed = parse_rows(partial(_rows, source), layout, settings)
        lines = parsed.lines
        parsed.lines = (_without_copies(line, timed) for line in lines)
        return parsed


def _layout(source: Source) -> Layout:
    unit = next((found[1] for line in source.head_lines[:8] if (found := UNITS_LINE.match(line))), MASS)
    columns = {
        "weight": Column("weight", unit),
        "body fat": Column("body_fat", "%"),
        "muscle mass": Column("muscle", "%"),
    }
    note = (
        "log" if any(line.startswith("#date;") and ";log" in line for line in source.head_lines[:8]) else ""
    )
    return Layout("date", columns, note=note or "comment", quiet=TRENDS)


def _rows(source: Source) -> Rows:
    header: list[str] = []
    for line in csv_lines(source, ";"):
        if isinstance(line, Unreadable):
            yield line
        elif line[1][0].startswith("#date"):
            header = [name.strip("# ") for name in line[1]]
        elif not line[1][0].startswith("#"):
            yield row_of(header, *line)


def _without_copies(line: Line, timed: set[tuple[str, dt.date, Decimal]]) -> Line:
    """Some versions wrote a value a second time, at midnight: that is no weighing of its own."""
    if isinstance(line, Reading) and _is_midnight(line) and (line.metric, line.on, line.value) in timed:
        return Repeated(line.line)
    return line


def _is_midnight(reading: Reading) -> bool:
    """On the person's clock, or in UTC where the stamp came so."""
    if reading.at is None:
        return False
    at = dt.datetime.combine(reading.on, reading.at)
    return MIDNIGHT in (at.time(), (at - (reading.offset or dt.timedelta())).time())


FORMAT = Libra()
