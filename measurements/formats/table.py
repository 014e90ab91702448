"""Files of rows with named columns: what most formats are. Pure."""

import csv
import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from measurements.formats.base import Ask, Blank, Line, Parsed, Reading, Settings, Unreadable
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.source import Source
from measurements.formats.spelling import (
    Spelling,
    Stamp,
    is_missing,
    names_unit,
    read_offset,
    read_time,
    spelling_of,
)

# Units that the file leaves to the person.
MASS: Final = "mass"
LENGTH: Final = "length"
ASKS: Final = {MASS: Ask.MASS_UNIT, LENGTH: Ask.LENGTH_UNIT}


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a line by the name of their column."""

    line: int
    cells: Mapping[str, str]


type Rows = Iterator[Row | Unreadable]


@dataclass(frozen=True, slots=True)
class Column:
    """What a column measures. `unit` is a unit's code, MASS or LENGTH; a cell may name its own."""

    metric: str
    unit: str


def _any(row: Row, column: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Layout:
    """Which column says what. `offset` is one that holds the offset of a UTC stamp.

    `is_wanted` says whether a cell was measured at all. Columns of `quiet` say nothing of a body and
    are not named as left out.
    """

    date: str
    columns: Mapping[str, Column]
    time: str = ""
    offset: str = ""
    note: str = ""
    zero_is_missing: bool = False
    quiet: frozenset[str] = frozenset()
    is_wanted: Callable[[Row, str], bool] = _any

    def has(self, row: Row, column: str) -> bool:
        """Whether there is a value in a cell."""
        text = row.cells.get(column, "")
        if is_missing(text) or (self.zero_is_missing and not text.strip("0., ")):
            return False
        return self.is_wanted(row, column)


def cells_of_head(source: Source, delimiter: str = ",", *, skip: int = 0) -> list[str]:
    """The names in the header, for whoever recognises a file by it; empty where there is none."""
    lines = source.head_lines[skip : skip + 1]
    if not lines or len(lines[0]) > csv.field_size_limit():
        return []
    return [name.strip() for name in next(csv.reader(lines, delimiter=delimiter), [])]


def csv_lines(source: Source, delimiter: str = ",") -> Iterator[tuple[int, list[str]] | Unreadable]:
    """The lines that hold something, each with its number; one that is no CSV does not end the rest."""
    reader = csv.reader(source.lines(), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error:
            yield Unreadable(line, Problem(ProblemCode.NOT_CSV, f"{line}–{reader.line_num}"))
            continue
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            yield line, cells


def csv_rows(source: Source, delimiter: str = ",", *, skip: int = 0) -> Rows:
    """The rows under a header, which follows after `skip` lines."""
    header: list[str] | None = None
    for index, line in enumerate(csv_lines(source, delimiter)):
        if isinstance(line, Unreadable):
            yield line
        elif index == skip:
            header = [name.strip() for name in line[1]]
        elif header is not None:
            yield row_of(header, *line)


def row_of(header: Sequence[str], line: int, cells: Sequence[str]) -> Row | Unreadable:
    """More cells than names would be values under the wrong name, as a note with a bare comma makes them."""
    if any(cell.strip() for cell in cells[len(header) :]):
        return Unreadable(line, Problem(ProblemCode.TOO_MANY_CELLS))
    return Row(line, dict(zip(header, cells, strict=False)))


def parse_rows(rows: Callable[[], Rows], layout: Layout, settings: Settings) -> Parsed:
    """Reads the rows twice: how the file writes numbers and dates, then what it says. Raises Question."""
    spelling = spelling_of(_numbers(rows(), layout), _dates(rows(), layout), settings.day_first)
    parsed = Parsed()
    if settings.day_first is not None:
        parsed.asks.add(Ask.DATE_ORDER)
    parsed.lines = _lines(rows(), layout, spelling, settings, parsed)
    return parsed


def _numbers(rows: Rows, layout: Layout) -> Iterator[str]:
    for row in rows:
        if isinstance(row, Row):
            yield from (row.cells[name] for name in layout.columns if layout.has(row, name))


def _dates(rows: Rows, layout: Layout) -> Iterator[str]:
    return (row.cells.get(layout.date, "") for row in rows if isinstance(row, Row))


def _lines(
    rows: Rows, layout: Layout, spelling: Spelling, settings: Settings, parsed: Parsed
) -> Iterator[Line]:
    known = {layout.date, layout.time, layout.offset, layout.note, "", *layout.columns, *layout.quiet}
    for row in rows:
        if isinstance(row, Unreadable):
            yield row
            continue
        parsed.ignored.update(name for name in row.cells if name not in known and layout.has(row, name))
        if not any(layout.has(row, name) for name in layout.columns):
            yield Blank(row.line)
            continue
        try:
            stamp = _moment(row, layout, spelling, settings)
        except Problem as problem:
            yield Unreadable(row.line, problem)
            continue
        yield from _readings(row, stamp, layout, spelling, settings, parsed)


def _readings(
    row: Row, stamp: Stamp, layout: Layout, spelling: Spelling, settings: Settings, parsed: Parsed
) -> Iterator[Line]:
    units = {MASS: settings.mass_unit, LENGTH: settings.length_unit}
    note = row.cells.get(layout.note, "").strip() if layout.note else ""
    for name, column in layout.columns.items():
        if not layout.has(row, name):
            continue
        try:
            value, unit = spelling.quantity(row.cells[name], units.get(column.unit, column.unit))
        except Problem as problem:
            yield Unreadable(row.line, problem)
            continue
        if column.unit in ASKS and not names_unit(row.cells[name]):
            parsed.asks.add(ASKS[column.unit])
        yield Reading(row.line, column.metric, value, unit, stamp.on, stamp.at, stamp.offset, note)


def _moment(row: Row, layout: Layout, spelling: Spelling, settings: Settings) -> Stamp:
    stamp = spelling.stamp(row.cells.get(layout.date, ""))
    if layout.offset:
        return _utc_with_offset(stamp, row.cells.get(layout.offset, ""), settings)
    time = row.cells.get(layout.time, "") if layout.time else ""
    if not is_missing(time):
        return Stamp(stamp.on, read_time(time))
    return stamp.on_the_clock_of(settings.zone)


def _utc_with_offset(stamp: Stamp, offset: str, settings: Settings) -> Stamp:
    instant = dt.datetime.combine(stamp.on, stamp.at or dt.time(), dt.UTC)
    distance, _is_utc = read_offset(offset.strip())
    if distance is None:
        return Stamp(stamp.on, stamp.at, is_utc=True).on_the_clock_of(settings.zone)
    local = (instant + distance).replace(tzinfo=None)
    return Stamp(local.date(), local.time(), distance)
