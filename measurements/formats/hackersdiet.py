"""Hacker's Diet Online: CSV with lines of metadata between; each month begins with its unit."""

from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings, Unreadable
from measurements.formats.source import Source
from measurements.formats.table import (
    MASS,
    Column,
    Layout,
    Rows,
    cells_of_head,
    csv_lines,
    parse_rows,
    row_of,
)

HEADER: Final = ["Date", "Weight", "Rung", "Flag", "Comment"]
# Exercise, and the mark of a day: nothing measured of a body.
LAYOUT: Final = Layout(
    "Date", {"Weight": Column("weight", MASS)}, note="Comment", quiet=frozenset({"Rung", "Flag"})
)
METADATA: Final = frozenset({"Epoch", "Preferences", "Diet-Plan"})


class HackersDiet:
    name = "hackersdiet"
    title = "Hacker's Diet Online"

    def score(self, source: Source) -> int:
        return 85 if HEADER in [cells_of_head(source, skip=line) for line in range(4)] else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        return parse_rows(partial(_rows, source), LAYOUT, settings)


def _rows(source: Source) -> Rows:
    unit = ""
    for line in csv_lines(source):
        if isinstance(line, Unreadable):
            yield line
            continue
        number, cells = line
        match cells:
            case ["Date", *_]:
                pass
            case ["StartTrend", _, logged_in, *_]:
                unit = logged_in
            case [name, *_] if name in METADATA:
                pass
            case [date, weight, *others] if weight.strip():
                yield row_of(HEADER, number, [date, f"{weight} {unit}", *others])
            case _:
                yield row_of(HEADER, number, cells)


FORMAT = HackersDiet()
