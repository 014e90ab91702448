"""Garmin Connect: two lines a record, the date and then the values, each with its unit in the cell."""

from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings, Unreadable
from measurements.formats.problems import Problem
from measurements.formats.source import Source
from measurements.formats.spelling import Spelling, read_time
from measurements.formats.table import Column, Layout, Row, Rows, cells_of_head, csv_lines, parse_rows, row_of
from measurements.formats.words import role_of, unit_of
from measurements.metrics import METRICS

DATE: Final = "date of the line above"


class Garmin:
    name = "garmin"
    title = "Garmin Connect"

    def score(self, source: Source) -> int:
        """By its shape, since the header is in the language of the account: a date alone, a time below."""
        if "," not in "".join(source.head_lines[:1]) or len(source.head_lines) < 3:
            return 0
        date, values = cells_of_head(source, skip=1), cells_of_head(source, skip=2)
        return 90 if date and _is_date(date) and values and _is_time(values[0]) else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        header = cells_of_head(source)
        columns = {
            name: Column(metric, unit_of(name, metric))
            for name in header[1:]
            if (metric := role_of(name)) in METRICS
        }
        layout = Layout(DATE, columns, time=header[0])
        return parse_rows(partial(_rows, source, header), layout, settings)


def _rows(source: Source, header: list[str]) -> Rows:
    date = ""
    for index, line in enumerate(csv_lines(source)):
        if isinstance(line, Unreadable):
            yield line
        elif index and not any(cell.strip() for cell in line[1][1:]):
            date = line[1][0]
        elif index:
            row = row_of(header, *line)
            yield Row(row.line, {**row.cells, DATE: date}) if isinstance(row, Row) else row


def _is_date(cells: list[str]) -> bool:
    try:
        Spelling().stamp(cells[0])
    except Problem:
        return False
    return not any(cells[1:])


def _is_time(cell: str) -> bool:
    try:
        read_time(cell)
    except Problem:
        return False
    return True


FORMAT = Garmin()
