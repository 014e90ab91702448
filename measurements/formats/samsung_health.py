"""Samsung Health: a line of metadata, then CSV with UTC stamps and an offset; an extra comma ends each row.

Older files put the name of the table before each column's.
"""

from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings, Unreadable
from measurements.formats.source import Source
from measurements.formats.table import Column, Layout, Rows, cells_of_head, csv_lines, parse_rows, row_of

TABLE: Final = "com.samsung.health.weight"
COLUMNS: Final = {
    "weight": Column("weight", "kg"),
    "body_fat": Column("body_fat", "%"),
    "muscle_mass": Column("muscle", "kg"),
    "total_body_water": Column("water", "kg"),
    "vfa_level": Column("visceral_fat", "rating"),
    "height": Column("height", "cm"),
}
# What could be taken for something measured, and is not kept. All else is identities and versions.
NAMED: Final = frozenset(
    {"body_fat_mass", "skeletal_muscle", "skeletal_muscle_mass", "fat_free", "fat_free_mass"}
    | {"basal_metabolic_rate"}
)


class SamsungHealth:
    name = "samsung_health"
    title = "Samsung Health"

    def score(self, source: Source) -> int:
        first = source.head_lines[:1]
        is_table = bool(first) and first[0].startswith((TABLE + ",", "com.samsung.shealth.weight,"))
        return (
            95 if is_table and {"start_time", "weight"} <= set(_names(cells_of_head(source, skip=1))) else 0
        )

    def parse(self, source: Source, settings: Settings) -> Parsed:
        names = _names(cells_of_head(source, skip=1))
        layout = Layout(
            "start_time",
            COLUMNS,
            offset="time_offset",
            note="comment",
            zero_is_missing=True,
            quiet=frozenset(names) - COLUMNS.keys() - NAMED,
        )
        return parse_rows(partial(_rows, source, names), layout, settings)


def _names(cells: list[str]) -> list[str]:
    return [cell.rpartition(".")[2] for cell in cells]


def _rows(source: Source, names: list[str]) -> Rows:
    for index, line in enumerate(csv_lines(source)):
        if isinstance(line, Unreadable):
            yield line
        elif index > 1:
            yield row_of(names, *line)


FORMAT = SamsungHealth()
