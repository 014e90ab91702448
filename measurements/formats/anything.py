"""Any other table: CSV, TSV, semicolons, xlsx. Columns are guessed by name; the person has the last word."""

import csv
import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice, zip_longest
from typing import Any, Final
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from openpyxl import load_workbook

from measurements.formats.base import Ask, Parsed, Question, Role, Settings, Unreadable
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.source import ZIP_ERRORS, Kind, Source
from measurements.formats.spelling import Spelling
from measurements.formats.table import Column, Layout, Rows, csv_lines, parse_rows, row_of
from measurements.formats.words import DATE, NOTE, NOTHING, TIME, role_of, unit_of
from measurements.metrics import METRICS

DELIMITERS: Final = ("\t", ";", "|", ",")
LOOKED_AT: Final = 20
LONGEST_EXAMPLE: Final = 40
WORKBOOK_ERRORS: Final = (
    *(KeyError, ValueError, TypeError, IndexError, AttributeError, OSError),
    *(ParseError, DefusedXmlException),
    *ZIP_ERRORS,
)

type Lines = Iterator[tuple[int, list[str]] | Unreadable]


class Anything:
    name = "table"
    title = "CSV, TSV, xlsx"

    def score(self, source: Source) -> int:
        if source.kind is Kind.WORKBOOK:
            return 10
        return 1 if source.kind is Kind.TEXT and _delimiter(source) else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        first, second = _first_rows(source)
        has_header = not any(_is_value(cell) for cell in first)
        names = _distinct(first if has_header else ["" for _cell in first])
        example = second if has_header else first
        roles = _roles(names, settings) if settings.columns else _guess(names if has_header else [], example)
        columns = [
            Role(name, role, cell[:LONGEST_EXAMPLE])
            for name, role, cell in zip_longest(names, roles, example[: len(names)], fillvalue="")
        ]
        if DATE not in roles or not METRICS.keys() & set(roles):
            raise Question(Ask.COLUMNS, columns)
        try:
            parsed = parse_rows(partial(_rows, source, names, has_header), _layout(names, roles), settings)
        except Question as question:
            raise Question(question.ask, columns) from None
        parsed.asks.add(Ask.COLUMNS)
        parsed.columns = columns
        return parsed


def _first_rows(source: Source) -> tuple[list[str], list[str]]:
    rows = [line[1] for line in islice(_all(source), LOOKED_AT) if not isinstance(line, Unreadable)]
    return rows[0] if rows else [], rows[1] if len(rows) > 1 else []


def _roles(names: list[str], settings: Settings) -> list[str]:
    chosen = settings.columns or {}
    return [chosen.get(index, NOTHING) for index in range(len(names))]


def _guess(names: list[str], example: list[str]) -> list[str]:
    """Each role once: by the names; where no name is a date's, the one column that holds dates is it.

    Without names, the one column of dates, and the one of numbers as weight.
    """
    dates = [index for index, cell in enumerate(example[: len(names) or None]) if _is_date(cell)]
    if not names:
        numbers = [index for index, cell in enumerate(example) if index not in dates and _is_value(cell)]
        is_clear = len(dates) == len(numbers) == 1
        found = {dates[0]: DATE, numbers[0]: "weight"} if is_clear else {}
        return [found.get(index, NOTHING) for index in range(len(example))]
    guessed: list[str] = []
    for name in names:
        role = role_of(name)
        guessed.append(NOTHING if role in guessed else role)
    if DATE not in guessed and len(dates) == 1:
        guessed[dates[0]] = DATE
    return guessed


def _layout(names: list[str], roles: list[str]) -> Layout:
    named = {role: name for name, role in reversed(list(zip(names, roles, strict=True)))}
    columns = {
        name: Column(role, unit_of(name, role))
        for name, role in zip(names, roles, strict=True)
        if role in METRICS
    }
    return Layout(named[DATE], columns, time=named.get(TIME, ""), note=named.get(NOTE, ""))


def _distinct(names: list[str]) -> list[str]:
    """Every column has a name, and no two the same."""
    seen: Counter[str] = Counter()
    distinct = []
    for index, name in enumerate(names, start=1):
        plain = name.strip()[:60] or f"#{index}"
        seen[plain] += 1
        distinct.append(plain if seen[plain] == 1 else f"{plain} ({seen[plain]})")
    return distinct


def _rows(source: Source, names: list[str], has_header: bool) -> Rows:
    is_first = has_header
    for line in _all(source):
        if isinstance(line, Unreadable):
            yield line
        elif is_first:
            is_first = False
        else:
            yield row_of(names, *line)


def _all(source: Source) -> Lines:
    if source.kind is Kind.WORKBOOK:
        return _of_workbook(source)
    return csv_lines(source, _delimiter(source) or ",")


def _delimiter(source: Source) -> str:
    """The one that cuts most of the first lines into as many cells, two or more; nothing where none does."""
    best, most = "", (0, 0)
    lines = source.head_lines[:LOOKED_AT]
    for delimiter in DELIMITERS:
        counts = Counter(len(cells) for cells in csv.reader(lines, delimiter=delimiter) if len(cells) > 1)
        cells, rows = max(counts.items(), key=lambda item: item[1], default=(0, 0))
        if (rows, cells) > most and rows * 2 > len(lines):
            best, most = delimiter, (rows, cells)
    return best


def _of_workbook(source: Source) -> Lines:
    """The rows of the first sheet that has any, as text. What formulas gave is read, not the formulas."""
    try:
        with source.open() as file:
            book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
            for sheet in book.worksheets:
                filled = False
                for number, values in enumerate(sheet.iter_rows(values_only=True), start=1):
                    cells = [_written(value) for value in values]
                    if any(cells):
                        filled = True
                        yield number, cells
                if filled:
                    return
    except WORKBOOK_ERRORS as error:
        raise Problem(ProblemCode.BAD_WORKBOOK) from error


def _written(value: Any) -> str:
    match value:
        case None:
            return ""
        case dt.datetime() if value.time() == dt.time():
            return value.date().isoformat()
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat()
        case float():
            return f"{value:.10f}".rstrip("0").rstrip(".")
        case _:
            return str(value).strip()


def _is_value(cell: str) -> bool:
    return (
        _is_date(cell) or re.fullmatch(r"[+-]?[\d.,]*\d\s*(?:kg|lbs?|st|cm|in|%)?", cell.strip()) is not None
    )


def _is_date(cell: str) -> bool:
    """In either order: which one it is comes later."""
    for day_first in (True, False):
        try:
            Spelling(day_first=day_first).stamp(cell)
        except Problem:
            continue
        return True
    return False


FORMAT = Anything()
