"""openScale 3: CSV with a header whose columns come in any number and order, local time, units unnamed."""

import csv
import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Final

from measurements.formats.base import Parsed, Problem, Reading, Settings, Unreadable, decimal_of

MASS, LENGTH = "mass", "length"

COLUMNS: Final[Mapping[str, tuple[str, str]]] = {
    "WEIGHT": ("weight", MASS),
    "BODY_FAT": ("body_fat", "%"),
    "MUSCLE": ("muscle", "%"),
    "WATER": ("water", "%"),
    "BONE": ("bone", MASS),
    "VISCERAL_FAT": ("visceral_fat", "rating"),
    "NECK": ("neck", LENGTH),
    "CHEST": ("chest", LENGTH),
    "WAIST": ("waist", LENGTH),
    "HIPS": ("hips", LENGTH),
    "BICEPS": ("biceps", LENGTH),
    "THIGH": ("thigh", LENGTH),
}
MOMENT_COLUMNS: Final = {"DATE", "TIME", "COMMENT"}


class OpenScale3:
    name = "openscale3"
    title = "openScale 3"

    def score(self, head: str) -> int:
        header = next(iter(head.lstrip("\ufeff").splitlines()), "")
        names = {name.strip().strip('"') for name in header.split(",")}
        return 90 if {"DATE", "TIME"} <= names and names & COLUMNS.keys() else 0

    def parse(self, text: Iterator[str], settings: Settings) -> Parsed:
        parsed = Parsed(iter(()))
        parsed.lines = self._lines(text, settings, parsed)
        return parsed

    def _lines(
        self, text: Iterator[str], settings: Settings, parsed: Parsed
    ) -> Iterator[Reading | Unreadable]:
        rows = csv.DictReader(text, strict=True)
        units = {MASS: settings.mass_unit, LENGTH: settings.length_unit}
        while True:
            try:
                row = next(rows, None)
            except csv.Error as error:
                yield Unreadable(rows.line_num, Problem("not_csv", str(error)))
                return
            if row is None:
                return
            parsed.ignored |= {
                name
                for name, value in row.items()
                if name and value and name not in COLUMNS and name not in MOMENT_COLUMNS
            }
            yield from self._readings(rows.line_num, row, units)

    def _readings(
        self, line: int, row: dict[str, str | None], units: Mapping[str, str]
    ) -> Iterator[Reading | Unreadable]:
        try:
            on, at = _moment(row)
        except Problem as problem:
            yield Unreadable(line, problem)
            return
        note = (row.get("COMMENT") or "").strip()
        for column, (metric, unit) in COLUMNS.items():
            try:
                value = decimal_of(row.get(column) or "")
            except Problem as problem:
                yield Unreadable(line, problem)
                continue
            if value is not None:
                yield Reading(line, metric, value, units.get(unit, unit), on, at, note)


def _moment(row: Mapping[str, str | None]) -> tuple[dt.date, dt.time | None]:
    date, time = (row.get("DATE") or "").strip(), (row.get("TIME") or "").strip()
    try:
        on = dt.date.fromisoformat(date)
    except ValueError:
        raise Problem("not_a_date", date[:40]) from None
    if not time:
        return on, None
    try:
        return on, dt.time.fromisoformat(time).replace(tzinfo=None)
    except ValueError:
        raise Problem("not_a_time", time[:40]) from None


FORMAT = OpenScale3()
