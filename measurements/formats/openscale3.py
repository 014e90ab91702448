"""openScale 3: CSV with a header whose columns come in any number and order, local time, units unnamed."""

from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings
from measurements.formats.source import Kind, Source
from measurements.formats.table import LENGTH, MASS, Column, Layout, cells_of_head, csv_rows, parse_rows

COLUMNS: Final = {
    "WEIGHT": Column("weight", MASS),
    "BODY_FAT": Column("body_fat", "%"),
    "MUSCLE": Column("muscle", "%"),
    "WATER": Column("water", "%"),
    "BONE": Column("bone", MASS),
    "VISCERAL_FAT": Column("visceral_fat", "rating"),
    "NECK": Column("neck", LENGTH),
    "CHEST": Column("chest", LENGTH),
    "WAIST": Column("waist", LENGTH),
    "HIPS": Column("hips", LENGTH),
    "BICEPS": Column("biceps", LENGTH),
    "THIGH": Column("thigh", LENGTH),
}
LAYOUT: Final = Layout("DATE", COLUMNS, time="TIME", note="COMMENT")


class OpenScale3:
    name = "openscale3"
    title = "openScale 3"

    def score(self, source: Source) -> int:
        names = set(cells_of_head(source))
        return 90 if source.kind is Kind.TEXT and {"DATE", "TIME"} <= names and names & COLUMNS.keys() else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        return parse_rows(partial(csv_rows, source), LAYOUT, settings)


FORMAT = OpenScale3()
