"""What a file format is. Adding one is a module beside this file; the registry finds it. Pure."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Protocol
from zoneinfo import ZoneInfo

from measurements.formats.problems import Problem
from measurements.formats.source import Source


class Ask(StrEnum):
    """What a file may leave open, so that the person has to say it."""

    MASS_UNIT = "mass_unit"
    LENGTH_UNIT = "length_unit"
    DATE_ORDER = "date_order"
    COLUMNS = "columns"


@dataclass(frozen=True, slots=True)
class Role:
    """A column of a file that no format knows, and what it is taken for: see `words.ROLES`.

    `example` is what its first row holds.
    """

    name: str
    role: str
    example: str = ""


class Question(Exception):
    """Without the person's answer no line can be read."""

    def __init__(self, ask: Ask, columns: Sequence[Role] = ()) -> None:
        super().__init__(ask)
        self.ask = ask
        self.columns = tuple(columns)


@dataclass(frozen=True, slots=True)
class Reading:
    """One value of a file, as it stands there. `at` is what the person's clock said.

    `offset` is that clock's distance from UTC where the file tells it. `source` is how the value came
    to be, where the file is our own.
    """

    line: int
    metric: str
    value: Decimal
    unit: str
    on: dt.date
    at: dt.time | None = None
    offset: dt.timedelta | None = None
    note: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that holds something that cannot be taken."""

    line: int
    problem: Problem


@dataclass(frozen=True, slots=True)
class Repeated:
    """A line that only says again what another line of the file says better."""

    line: int


@dataclass(frozen=True, slots=True)
class Blank:
    """A line on which nothing was measured."""

    line: int


type Line = Reading | Unreadable | Repeated | Blank


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file does not say by itself: the person's time zone, units, and answers to questions.

    `columns` are the roles of the columns of a file that no format knows, by their position.
    """

    zone: ZoneInfo
    mass_unit: str = "kg"
    length_unit: str = "cm"
    day_first: bool | None = None
    columns: Mapping[int, str] | None = None


@dataclass(slots=True)
class Parsed:
    """A file being read.

    Once it has been read, `ignored` names what it holds that is not imported, and `asks` what was
    taken from the settings because the file does not say it.
    """

    lines: Iterable[Line] = ()
    ignored: set[str] = field(default_factory=set)
    asks: set[Ask] = field(default_factory=set)
    columns: Sequence[Role] = ()


class Format(Protocol):
    """One product's export."""

    name: str
    title: str

    def score(self, source: Source) -> int:
        """How sure it is that `source` is its own, by content: 0 (not at all) to 100."""
        ...

    def parse(self, source: Source, settings: Settings) -> Parsed:
        """Reads the file, a line at a time. Raises Problem where all of it is refused, and Question."""
        ...
