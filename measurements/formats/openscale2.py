"""openScale 2: CSV with a header in camel case; kg, % and cm; 0.0 where nothing was measured."""

from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings
from measurements.formats.source import Source
from measurements.formats.table import Column, Layout, cells_of_head, csv_rows, parse_rows

COLUMNS: Final = {
    "weight": Column("weight", "kg"),
    "fat": Column("body_fat", "%"),
    "muscle": Column("muscle", "%"),
    "water": Column("water", "%"),
    "bone": Column("bone", "kg"),
    "visceralFat": Column("visceral_fat", "rating"),
    "neck": Column("neck", "cm"),
    "chest": Column("chest", "cm"),
    "waist": Column("waist", "cm"),
    "hip": Column("hips", "cm"),
    "biceps": Column("biceps", "cm"),
    "thigh": Column("thigh", "cm"),
}
LAYOUT: Final = Layout("dateTime", COLUMNS, note="comment", zero_is_missing=True)


class OpenScale2:
    name = "openscale2"
    title = "openScale 2"

    def score(self, source: Source) -> int:
        return 90 if {"dateTime", "weight"} <= set(cells_of_head(source)) else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        return parse_rows(partial(csv_rows, source), LAYOUT, settings)


FORMAT = OpenScale2()
