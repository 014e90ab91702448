"""TrendWeight: the raw values, and the computed file, of which only what was measured is taken."""

from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings
from measurements.formats.source import Source
from measurements.formats.table import MASS, Column, Layout, Row, cells_of_head, csv_rows, parse_rows

RAW: Final = Layout(
    "Date", {"Weight": Column("weight", MASS), "Body Fat %": Column("body_fat", "%")}, time="Time"
)
IS_INTERPOLATED: Final = {"Actual Weight": "Weight Is Interpolated", "Actual Fat %": "Fat Is Interpolated"}


def _was_measured(row: Row, column: str) -> bool:
    mark = IS_INTERPOLATED.get(column)
    return mark is None or row.cells.get(mark, "").strip().lower() == "no"


COMPUTED: Final = Layout(
    "Date",
    {"Actual Weight": Column("weight", MASS), "Actual Fat %": Column("body_fat", "%")},
    quiet=frozenset({*IS_INTERPOLATED.values(), "Trend Weight", "Trend Fat %"}),
    is_wanted=_was_measured,
)


class TrendWeight:
    name = "trendweight"
    title = "TrendWeight"

    def score(self, source: Source) -> int:
        return 85 if _layout(source) else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        return parse_rows(partial(csv_rows, source), _layout(source) or RAW, settings)


def _layout(source: Source) -> Layout | None:
    names = cells_of_head(source)
    if names[:4] == ["Date", "Actual Weight", "Weight Is Interpolated", "Trend Weight"]:
        return COMPUTED
    is_raw = names[:3] == ["Date", "Time", "Weight"] and set(names[3:]) <= {"Body Fat %"}
    return RAW if is_raw else None


FORMAT = TrendWeight()
