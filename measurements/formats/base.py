"""What a file format is. Adding one is a module beside this file; the registry finds it. Pure."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol
from zoneinfo import ZoneInfo


class Problem(Exception):
    """Why a line cannot be taken. `code` names the reason; the words are made elsewhere."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Reading:
    """One value of a file, as it stands there. `at` is what the person's clock said."""

    line: int
    metric: str
    value: Decimal
    unit: str
    on: dt.date
    at: dt.time | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that holds something that cannot be taken."""

    line: int
    problem: Problem


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file does not say by itself and the person has to: time zone and units."""

    zone: ZoneInfo
    mass_unit: str
    length_unit: str


@dataclass(slots=True)
class Parsed:
    """A file being read. `ignored` names what it holds that is not imported, once it has been read."""

    lines: Iterator[Reading | Unreadable]
    ignored: set[str] = field(default_factory=set)


class Format(Protocol):
    """One product's export."""

    name: str
    title: str

    def score(self, head: str) -> int:
        """How sure it is that a file which begins with `head` is its own: 0 (not at all) to 100."""
        ...

    def parse(self, text: Iterator[str], settings: Settings) -> Parsed:
        """Reads the lines of the file, one at a time."""
        ...


def decimal_of(text: str) -> Decimal | None:
    """A number with a point, or None for a blank. Raises Problem for anything else."""
    text = text.strip()
    if not text:
        return None
    try:
        value = Decimal(text)
    except ArithmeticError:
        raise Problem("not_a_number", text[:40]) from None
    if not value.is_finite():
        raise Problem("not_a_number", text[:40])
    return value
