"""Google Fit's daily table: the average is taken; on most days there is none."""

import re
from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings
from measurements.formats.source import Source
from measurements.formats.table import Column, Layout, cells_of_head, csv_rows, parse_rows

METRICS: Final = {"weight": "weight", "body fat percentage": "body_fat", "height": "height"}
AVERAGE: Final = re.compile(r"Average (.+) \((.+)\)")


class GoogleFit:
    name = "google_fit"
    title = "Google Fit"

    def score(self, source: Source) -> int:
        names = cells_of_head(source)
        return 90 if "Date" in names and _columns(names) else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        names = cells_of_head(source)
        columns = _columns(names)
        # Steps, calories, and the day's highest and lowest: nothing that could be imported.
        layout = Layout("Date", columns, quiet=frozenset(names) - columns.keys())
        return parse_rows(partial(csv_rows, source), layout, settings)


def _columns(names: list[str]) -> dict[str, Column]:
    found = ((name, AVERAGE.fullmatch(name)) for name in names)
    return {
        name: Column(METRICS[match[1]], match[2]) for name, match in found if match and match[1] in METRICS
    }


FORMAT = GoogleFit()
