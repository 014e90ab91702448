"""Health Connect: an SQLite database, alone or in a zip, opened for reading and trusted with nothing."""

import datetime as dt
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from measurements.formats.base import Line, Parsed, Reading, Settings, Unreadable
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.source import Kind, Source
from measurements.formats.spelling import Stamp, at_instant, in_kept_unit

LONGEST_VALUE: Final = 1_000_000
# A double holds some fifteen digits; what comes after the fourth decimal is its rounding.
PLACES: Final = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    column: str
    metric: str
    unit: str


TABLES: Final = (
    Table("weight_record_table", "weight", "weight", "g"),
    Table("body_fat_record_table", "percentage", "body_fat", "%"),
    Table("bone_mass_record_table", "mass", "bone", "g"),
    Table("body_water_mass_record_table", "body_water_mass", "water", "g"),
    Table("height_record_table", "height", "height", "m"),
)


class HealthConnect:
    name = "health_connect"
    title = "Health Connect"

    def score(self, source: Source) -> int:
        # Where in a database its tables are named only the database knows: `parse` refuses another's.
        return 95 if source.kind is Kind.DATABASE else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        return Parsed(_lines(source, settings))


def _lines(source: Source, settings: Settings) -> Iterator[Line]:
    found = False
    try:
        with source.on_disk() as path, closing(_open(path)) as database:
            for table in TABLES:
                if _has(database, table):
                    found = True
                    yield from _rows(database, table, settings)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        # The second where even the message about the damage quotes damaged text.
        raise Problem(ProblemCode.BAD_DATABASE) from error
    if not found:
        raise Problem(ProblemCode.BAD_DATABASE)


def _open(path: Path) -> sqlite3.Connection:
    # `immutable`: neither a journal beside it is read nor anything written.
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    return database


def _has(database: sqlite3.Connection, table: Table) -> bool:
    """Only as a real table: a view or virtual table of that name could compute without end."""
    real = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?"
    if database.execute(real, (table.name,)).fetchone() is None:
        return False
    columns = {row[1] for row in database.execute("SELECT * FROM pragma_table_info(?)", (table.name,))}
    return {"time", "zone_offset", table.column} <= columns


def _rows(database: sqlite3.Connection, table: Table, settings: Settings) -> Iterator[Line]:
    # The names are constants of this module.
    query = f"SELECT time, zone_offset, {table.column} FROM {table.name} ORDER BY time"  # noqa: S608
    for number, (time, offset, value) in enumerate(database.execute(query), start=1):
        if value is None:
            continue
        try:
            stamp = _stamp(time, offset, settings)
            number_value, unit = in_kept_unit(_number(value), table.unit)
        except Problem as problem:
            yield Unreadable(number, problem)
            continue
        yield Reading(number, table.metric, number_value, unit, stamp.on, stamp.at, stamp.offset)


def _number(value: Any) -> Decimal:
    if not isinstance(value, int | float) or not abs(value) < 1e9:
        raise Problem(ProblemCode.NOT_A_NUMBER, str(value))
    return Decimal(repr(value)).quantize(PLACES).normalize()


def _stamp(time: Any, offset: Any, settings: Settings) -> Stamp:
    try:
        instant = dt.datetime.fromtimestamp(time / 1000, dt.UTC)
        if offset is None:
            return at_instant(instant, settings.zone)
        return at_instant(instant, dt.timezone(dt.timedelta(seconds=offset)))
    except (TypeError, ValueError, OverflowError, OSError):
        raise Problem(ProblemCode.NOT_A_DATE, str(time)) from None


FORMAT = HealthConnect()
