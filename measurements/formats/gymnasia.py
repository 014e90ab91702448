"""Gymnasia's own export: CSV with unit, time, note and source. Comes back identical."""

import csv
import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from measurements.formats.base import Parsed, Problem, Reading, Settings, Unreadable, decimal_of
from measurements.metrics import METRICS
from measurements.units import UNITS

HEADER: Final = ("date", "time", "metric", "value", "unit", "note", "source")

# A spreadsheet takes a cell that begins so for a formula. The mark in front makes it text again, and
# is doubled where a note begins with the mark itself, so that every note comes back as it was.
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "'")
MARK: Final = "'"


@dataclass(frozen=True, slots=True)
class Exported:
    """What is written of one record."""

    on: dt.date
    at: dt.time | None
    metric: str
    value: Decimal
    unit: str
    note: str
    source: str


class Gymnasia:
    name = "gymnasia"
    title = "Gymnasia"

    def score(self, head: str) -> int:
        header = next(iter(head.lstrip("\ufeff").splitlines()), "")
        return 100 if header.strip() == ",".join(HEADER) else 0

    def parse(self, text: Iterator[str], settings: Settings) -> Parsed:
        return Parsed(self._lines(text))

    def _lines(self, text: Iterator[str]) -> Iterator[Reading | Unreadable]:
        rows = csv.DictReader(text, strict=True)
        while True:
            try:
                row = next(rows, None)
            except csv.Error as error:
                yield Unreadable(rows.line_num, Problem("not_csv", str(error)))
                return
            if row is None:
                return
            try:
                yield _reading(rows.line_num, row)
            except Problem as problem:
                yield Unreadable(rows.line_num, problem)


def _reading(line: int, row: dict[str, str | None]) -> Reading:
    cells = {name: row.get(name) or "" for name in HEADER}
    try:
        on = dt.date.fromisoformat(cells["date"])
    except ValueError:
        raise Problem("not_a_date", cells["date"][:40]) from None
    try:
        at = dt.time.fromisoformat(cells["time"]) if cells["time"] else None
    except ValueError:
        raise Problem("not_a_time", cells["time"][:40]) from None
    value = decimal_of(cells["value"])
    if value is None:
        raise Problem("not_a_number", "")
    if cells["metric"] not in METRICS:
        raise Problem("unknown_metric", cells["metric"][:40])
    if cells["unit"] not in UNITS:
        raise Problem("unknown_unit", cells["unit"][:40])
    return Reading(line, cells["metric"], value, cells["unit"], on, at, _unguarded(cells["note"]))


def write(records: Iterable[Exported]) -> Iterator[str]:
    """The lines of the export, header first."""
    yield _line(HEADER)
    for record in records:
        yield _line(
            (
                record.on.isoformat(),
                record.at.isoformat() if record.at else "",
                record.metric,
                f"{record.value:f}",
                record.unit,
                _guarded(record.note),
                record.source,
            )
        )


def _line(cells: Iterable[str]) -> str:
    written: list[str] = []

    class Lines:
        def write(self, text: str) -> None:
            written.append(text)

    csv.writer(Lines(), quoting=csv.QUOTE_MINIMAL).writerow(cells)
    return "".join(written)


def _guarded(note: str) -> str:
    return MARK + note if note.startswith(FORMULA_STARTS) else note


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith(MARK) and cell[1:].startswith(FORMULA_STARTS) else cell


FORMAT = Gymnasia()
