"""openScale 1: CSV without a header. How many columns there are tells which, as versions added them."""

import re
from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings, Unreadable
from measurements.formats.openscale2 import LAYOUT
from measurements.formats.source import Source
from measurements.formats.table import Row, Rows, csv_lines, parse_rows

HEADERS: Final = {
    len(names): names
    for names in (
        ("dateTime", "weight", "fat", "water", "comment"),
        ("dateTime", "weight", "fat", "water", "muscle", "comment"),
        ("dateTime", "weight", "fat", "water", "muscle", "waist", "hip", "comment"),
        ("dateTime", "weight", "fat", "water", "muscle", "bone", "waist", "hip", "comment"),
        ("dateTime", "weight", "fat", "water", "muscle", "lbm", "bone", "waist", "hip", "comment"),
    )
}
BEGINNING: Final = re.compile(r"\d{2}\.\d{2}\.\d{4} \d{2}:\d{2},[\d.]+,")


class OpenScale1:
    name = "openscale1"
    title = "openScale 1"

    def score(self, source: Source) -> int:
        begins = bool(source.head_lines) and BEGINNING.match(source.head_lines[0]) is not None
        return 80 if begins and _header(source) else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        return parse_rows(partial(_rows, source, _header(source)), LAYOUT, settings)


def _header(source: Source) -> tuple[str, ...]:
    """By the shortest line: notes stand at the end, unquoted, and any comma in one adds a cell."""
    counts = [line.count(",") + 1 for line in source.head_lines]
    return HEADERS.get(min(counts, default=0), ())


def _rows(source: Source, header: tuple[str, ...]) -> Rows:
    last = len(header) - 1
    for line in csv_lines(source):
        if isinstance(line, Unreadable):
            yield line
        else:
            number, cells = line
            yield Row(number, dict(zip(header, [*cells[:last], ",".join(cells[last:])], strict=False)))


FORMAT = OpenScale1()
