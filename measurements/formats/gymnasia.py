"""Gymnasia's own export, CSV or JSON: unit, time, note and source. Comes back identical."""

import csv
import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from measurements.formats.base import Line, Parsed, Reading, Settings, Unreadable
from measurements.formats.json_values import POINT, number_in
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.source import Kind, Source
from measurements.formats.spelling import read_offset
from measurements.formats.table import Row, cells_of_head, csv_rows
from measurements.metrics import METRICS
from measurements.units import UNITS

HEADER: Final = ("date", "time", "metric", "value", "unit", "note", "source", "utc_offset")
NEEDED: Final = frozenset({"date", "metric", "value", "unit"})

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
    offset: dt.timedelta | None = None


class Gymnasia:
    name = "gymnasia"
    title = "Gymnasia"

    def score(self, source: Source) -> int:
        if source.kind is Kind.JSON:
            if '"metric"' not in source.head:
                return 0
            document = source.document
            is_ours = isinstance(document, list) and bool(document) and isinstance(document[0], dict)
            return 100 if is_ours and document[0].keys() >= NEEDED else 0
        return 100 if set(cells_of_head(source)) >= NEEDED else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        return Parsed(_json_lines(source) if source.kind is Kind.JSON else _csv_lines(source))


def _csv_lines(source: Source) -> Iterator[Line]:
    for row in csv_rows(source):
        if isinstance(row, Row):
            yield _line_of(row.line, {**row.cells, "note": _unguarded(row.cells.get("note", ""))})
        else:
            yield row


def _json_lines(source: Source) -> Iterator[Line]:
    for number, entry in enumerate(source.document, start=1):
        if isinstance(entry, dict):
            yield _line_of(number, entry)
        else:
            yield Unreadable(number, Problem(ProblemCode.NOT_AN_ENTRY))


def _line_of(line: int, entry: Mapping[str, Any]) -> Line:
    try:
        return _reading(line, entry)
    except Problem as problem:
        return Unreadable(line, problem)


def _reading(line: int, entry: Mapping[str, Any]) -> Reading:
    cells = {name: str(entry.get(name) or "") for name in HEADER if name != "value"}
    on = POINT.stamp(cells["date"]).on
    try:
        at = dt.time.fromisoformat(cells["time"]) if cells["time"] else None
    except ValueError:
        raise Problem(ProblemCode.NOT_A_TIME, cells["time"]) from None
    value = number_in(entry.get("value"))
    if value is None:
        raise Problem(ProblemCode.NOT_A_NUMBER)
    if cells["metric"] not in METRICS:
        raise Problem(ProblemCode.UNKNOWN_METRIC, cells["metric"])
    if cells["unit"] not in UNITS:
        raise Problem(ProblemCode.UNKNOWN_UNIT, cells["unit"])
    offset, _is_utc = read_offset(cells["utc_offset"])
    return Reading(
        line, cells["metric"], value, cells["unit"], on, at, offset, cells["note"], cells["source"]
    )


def write(records: Iterable[Exported]) -> Iterator[str]:
    """The lines of the export as CSV, header first."""
    yield _csv_line(HEADER)
    for record in records:
        cells = _cells(record)
        yield _csv_line((cells | {"note": _guarded(record.note)}).values())


def write_json(records: Iterable[Exported]) -> Iterator[str]:
    """The same as a list in JSON, a record a line. Numbers are texts, so that none is rounded."""
    before = "[\n"
    for record in records:
        yield before + json.dumps(_cells(record), ensure_ascii=False)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _cells(record: Exported) -> dict[str, str]:
    cells = (
        record.on.isoformat(),
        record.at.isoformat() if record.at else "",
        record.metric,
        f"{record.value:f}",
        record.unit,
        record.note,
        record.source,
        "" if record.offset is None else _offset(record.offset),
    )
    return dict(zip(HEADER, cells, strict=True))


def _offset(offset: dt.timedelta) -> str:
    # Not a bare "+01:00", which a spreadsheet would take for a formula.
    return "UTC" + dt.datetime(2000, 1, 1, tzinfo=dt.timezone(offset)).isoformat()[-6:]


def _csv_line(cells: Iterable[str]) -> str:
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
