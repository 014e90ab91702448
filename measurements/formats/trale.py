"""trale: lines of a stamp and a weight, blank between; `#` before what says so."""

import re
from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings
from measurements.formats.source import Source
from measurements.formats.table import MASS, Column, Layout, Rows, parse_rows, row_of

HEADER: Final = re.compile(r"#\s*Date\s+weight\s*\[(\w+)\]", re.IGNORECASE)


class Trale:
    name = "trale"
    title = "trale"

    def score(self, source: Source) -> int:
        return 90 if any(HEADER.match(line) for line in source.head_lines[:5]) else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        named = next((found[1] for line in source.head_lines[:5] if (found := HEADER.match(line))), MASS)
        return parse_rows(
            partial(_rows, source), Layout("date", {"weight": Column("weight", named)}), settings
        )


def _rows(source: Source) -> Rows:
    for number, line in enumerate(source.lines(), start=1):
        if line.strip() and not line.startswith("#"):
            yield row_of(["date", "weight"], number, line.split())


FORMAT = Trale()
