"""Withings: newest first, local time, the unit in the header; fat, bone, muscle and water are masses."""

import re
from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings
from measurements.formats.source import Source
from measurements.formats.table import Column, Layout, cells_of_head, csv_rows, parse_rows

METRICS: Final = {
    "Weight": "weight",
    "Fat mass": "body_fat",
    "Bone mass": "bone",
    "Muscle mass": "muscle",
    "Hydration": "water",
}
WITH_UNIT: Final = re.compile(r"(.+) \((\w+)\)")


class Withings:
    name = "withings"
    title = "Withings"

    def score(self, source: Source) -> int:
        names = cells_of_head(source)
        return 90 if "Date" in names and {"weight", "body_fat"} <= _metrics(names) else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        layout = Layout("Date", _columns(cells_of_head(source)), note="Comments")
        return parse_rows(partial(csv_rows, source), layout, settings)


def _columns(names: list[str]) -> dict[str, Column]:
    found = ((name, WITH_UNIT.fullmatch(name)) for name in names)
    return {
        name: Column(METRICS[match[1]], match[2]) for name, match in found if match and match[1] in METRICS
    }


def _metrics(names: list[str]) -> set[str]:
    return {column.metric for column in _columns(names).values()}


FORMAT = Withings()
