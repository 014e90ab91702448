"""MyFitnessPal's summary of measurements: a date and what was measured, in the account's units, unnamed."""

from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings
from measurements.formats.source import Source
from measurements.formats.table import LENGTH, MASS, Column, Layout, cells_of_head, csv_rows, parse_rows

COLUMNS: Final = {
    "Weight": Column("weight", MASS),
    "Neck": Column("neck", LENGTH),
    "Waist": Column("waist", LENGTH),
    "Hips": Column("hips", LENGTH),
    "Body Fat": Column("body_fat", "%"),
    "Body Fat %": Column("body_fat", "%"),
}
LAYOUT: Final = Layout("Date", COLUMNS)


class MyFitnessPal:
    name = "myfitnesspal"
    title = "MyFitnessPal"

    def score(self, source: Source) -> int:
        first, *others = cells_of_head(source) or [""]
        return 50 if first == "Date" and others and set(others) <= COLUMNS.keys() else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        return parse_rows(partial(csv_rows, source), LAYOUT, settings)


FORMAT = MyFitnessPal()
