"""How a file writes numbers, units, dates and times. What one line leaves open all of them decide. Pure."""

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from measurements.formats.base import Ask, Question
from measurements.formats.problems import Problem, ProblemCode

MISSING: Final = frozenset({"", "-", "--", "—", "n/a", "null", "none"})
LONGEST_CELL: Final = 60

# What files call a unit: the code that we keep it in, and how many of that one of it is.
UNIT_WORDS: Final = {
    word: (code, Decimal(factor))
    for code, factor, words in (
        ("kg", "1", "kg kgs kilo kilos kilogram kilograms kilogramos quilogramas"),
        ("kg", "0.001", "g gram grams gramos gramas"),
        ("lb", "1", "lb lbs pound pounds libra libras"),
        ("st", "1", "st stone stones"),
        ("cm", "1", "cm"),
        ("cm", "0.1", "mm"),
        ("cm", "100", "m"),
        ("in", "1", 'in inch inches " pulgadas polegadas'),
        ("in", "12", "ft feet"),
        ("%", "1", "% percent"),
    )
    for word in words.split()
}
MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "jan ene janv januar january enero janeiro janvier",
            "feb fev febr fevr februar february febrero fevereiro fevrier",
            "mar mrz marz march marzo marco mars maerz",
            "apr abr avr april abril avril",
            "may mai mayo maio",
            "jun juni june junio junho juin",
            "jul juli july julio julho juil juillet",
            "aug ago aout august agosto",
            "sep sept set september septiembre setembro septembre",
            "oct okt out october oktober octubre outubro octobre",
            "nov november noviembre novembro novembre",
            "dec dic dez december dezember diciembre dezembro decembre",
        ),
        start=1,
    )
    for name in names.split()
}

_YEAR_FIRST = re.compile(r"(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?!\d)")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)")
_DAY_MONTH = re.compile(r"(\d{1,2})\.?[\s-]+(?:de\s+)?([^\W\d]+)\.?,?[\s-]+(?:de\s+)?(\d{4})")
_MONTH_DAY = re.compile(r"([^\W\d]+)\.?\s+(\d{1,2}),?\s+(\d{4})")
_CLOCK = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?\s*m\.?)?", re.IGNORECASE
)
_OFFSET = re.compile(r"(Z|UTC|GMT)?([+-]\d{2}:?\d{2})?", re.IGNORECASE)
_EPOCH = re.compile(r"\d{12,13}")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:(?:,\d{3})*|(?:\.\d{3})*)")
_AMOUNT = re.compile(r"([+-]?[\d.,]+)\s*(%|\"|[^\W\d]+)?\.?")
_STONES = re.compile(r"(\d+)\s*st(?:ones?)?[\s,]+(\d[\d.,]*)\s*lbs?\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stamp:
    """A moment as it is written. `offset` from UTC is zero for UTC itself, None where none is written."""

    on: dt.date
    at: dt.time | None = None
    offset: dt.timedelta | None = None
    is_utc: bool = False

    def on_the_clock_of(self, zone: ZoneInfo) -> "Stamp":
        """What the person's clock said: UTC becomes their time; all else stays as it is written."""
        if not self.is_utc or self.at is None:
            return self
        return at_instant(dt.datetime.combine(self.on, self.at, dt.UTC), zone)


def at_instant(instant: dt.datetime, zone: dt.tzinfo) -> Stamp:
    local = instant.astimezone(zone)
    return Stamp(local.date(), local.time(), local.utcoffset())


@dataclass(frozen=True, slots=True)
class Spelling:
    """`comma`: whether it is the decimal mark, or None where nothing in the file tells."""

    comma: bool | None = None
    day_first: bool = True

    def quantity(self, text: str, unit: str) -> tuple[Decimal, str]:
        """A number with the unit behind it, else `unit`, in a unit that is kept. Raises Problem."""
        plain = _plain(text)
        if stones := _STONES.fullmatch(plain):
            return int(stones[1]) * 14 + self.number(stones[2]), "st_lb"
        amount = _AMOUNT.fullmatch(plain)
        if amount is None:
            raise Problem(ProblemCode.NOT_A_NUMBER, text)
        number = self.number(amount[1])
        return in_kept_unit(number, amount[2] or unit)

    def number(self, text: str) -> Decimal:
        """Raises Problem. A mark that stands once before three digits is the decimal one unless the
        file shows otherwise: nothing that is measured goes to the thousands."""
        mark = self._decimal_mark(text)
        whole, _mark, decimals = text.rpartition(mark) if mark else (text, "", "")
        if not _GROUPED.fullmatch(whole) and not re.fullmatch(r"[+-]?\d*", whole):
            raise Problem(ProblemCode.NOT_A_NUMBER, text)
        digits = re.sub("[.,]", "", whole)
        if not re.fullmatch(r"\d*", decimals) or not re.search(r"\d", digits + decimals):
            raise Problem(ProblemCode.NOT_A_NUMBER, text)
        return Decimal(f"{digits}.{decimals or '0'}")

    def _decimal_mark(self, text: str) -> str:
        if certain := _certain_mark(text):
            return certain
        mark = _only_mark(text)
        is_usual = self.comma is None or self.comma == (mark == ",")
        return mark if is_usual else ""

    def stamp(self, text: str) -> Stamp:
        """A date, with time and offset where they are written. Raises Problem."""
        plain = _plain(text)
        if _EPOCH.fullmatch(plain):
            moment = dt.datetime.fromtimestamp(int(plain) / 1000, dt.UTC)
            return Stamp(moment.date(), moment.time(), dt.timedelta(), is_utc=True)
        on, rest = self._date(plain)
        rest = rest.lstrip(" T,")
        if not rest:
            return Stamp(on)
        clock = _CLOCK.match(rest)
        if clock is None:
            raise Problem(ProblemCode.NOT_A_TIME, text)
        offset, is_utc = read_offset(rest[clock.end() :].strip())
        return Stamp(on, _time(clock, text), offset, is_utc)

    def _date(self, plain: str) -> tuple[dt.date, str]:
        """The date in front, and what follows it."""
        try:
            if found := _YEAR_FIRST.match(plain):
                return dt.date(int(found[1]), int(found[3]), int(found[4])), plain[found.end() :]
            if found := _YEAR_LAST.match(plain):
                first, second = int(found[1]), int(found[3])
                day, month = (first, second) if self.day_first or found[2] == "." else (second, first)
                return dt.date(_year(found[4]), month, day), plain[found.end() :]
            if found := _DAY_MONTH.match(plain):
                return dt.date(int(found[3]), _month(found[2]), int(found[1])), plain[found.end() :]
            if found := _MONTH_DAY.match(plain):
                return dt.date(int(found[3]), _month(found[1]), int(found[2])), plain[found.end() :]
        except ValueError:
            pass
        raise Problem(ProblemCode.NOT_A_DATE, plain)


def read_time(text: str) -> dt.time:
    """A time alone, on the 12 or the 24 hour clock. Raises Problem."""
    clock = _CLOCK.fullmatch(_plain(text))
    if clock is None:
        raise Problem(ProblemCode.NOT_A_TIME, text)
    return _time(clock, text)


def read_offset(text: str) -> tuple[dt.timedelta | None, bool]:
    """An offset such as `Z`, `+0100`, `+01:00` or `UTC+0100`, and whether it is UTC by name."""
    found = _OFFSET.fullmatch(text)
    if found is None:
        raise Problem(ProblemCode.NOT_A_TIME, text)
    if not found[2]:
        return (dt.timedelta(), True) if found[1] else (None, False)
    digits = found[2].replace(":", "")
    offset = dt.timedelta(hours=int(digits[1:3]), minutes=int(digits[3:5]))
    if offset >= dt.timedelta(hours=24):
        raise Problem(ProblemCode.NOT_A_TIME, text)
    return (-offset if digits[0] == "-" else offset), False


def in_kept_unit(number: Decimal, unit: str) -> tuple[Decimal, str]:
    """A value in the unit that a file names, by whatever word, in one that is kept. Raises Problem."""
    if unit in ("st_lb", "rating"):
        return number, unit
    code, factor = UNIT_WORDS.get(unit.lower(), ("", Decimal(0)))
    if not code:
        raise Problem(ProblemCode.UNKNOWN_UNIT, unit)
    return (number if factor == 1 else number * factor), code


def names_unit(text: str) -> bool:
    """Whether a cell with a number has its unit behind it."""
    amount = _AMOUNT.fullmatch(_plain(text))
    return amount is None or amount[2] is not None


def is_missing(text: str) -> bool:
    return text.strip().lower() in MISSING


def spelling_of(numbers: Iterable[str], dates: Iterable[str], day_first: bool | None) -> Spelling:
    """How a file with these cells writes. `day_first` is the person's word where the dates say nothing.

    Raises Question where they say nothing and the person has not either.
    """
    return Spelling(_comma_in(numbers), _day_first_in(dates, day_first))


def _comma_in(numbers: Iterable[str]) -> bool | None:
    commas = points = 0
    for text in numbers:
        mark = _certain_mark(text)
        commas += mark == ","
        points += mark == "."
    return None if commas == points else commas > points


def _certain_mark(text: str) -> str:
    """The mark that can only be the decimal one in this number, or nothing."""
    marks = re.findall("[.,]", text)
    if not marks:
        return ""
    if len(set(marks)) == 2:
        return str(marks[-1])
    if len(marks) > 1 or _could_group(text):
        return ""
    return str(marks[0])


def _could_group(text: str) -> bool:
    return re.fullmatch(r"[+-]?[1-9]\d{0,2}[.,]\d{3}\D*", text.strip()) is not None


def _only_mark(text: str) -> str:
    marks = re.findall("[.,]", text)
    return str(marks[0]) if len(marks) == 1 else ""


def _day_first_in(dates: Iterable[str], answer: bool | None) -> bool:
    day_first = month_first = is_open = False
    for text in dates:
        found = _YEAR_LAST.match(text.strip())
        if found is None or found[2] == ".":
            continue
        first, second = int(found[1]), int(found[3])
        day_first |= first > 12
        month_first |= second > 12
        is_open |= first != second
    if day_first != month_first:
        return day_first
    if not is_open:
        return True
    if answer is None:
        raise Question(Ask.DATE_ORDER)
    return answer


def _plain(text: str) -> str:
    """Without the spaces and marks that only look like others, and without grouping spaces."""
    if len(text) > LONGEST_CELL:
        raise Problem(ProblemCode.NOT_A_NUMBER, text)
    plain = unicodedata.normalize("NFKC", text).strip()
    return re.sub(r"(?<=\d)[\s'’](?=\d{3}(?:[.,\s]|$))", "", plain)


def _year(digits: str) -> int:
    """Two digits are of this century: no tracker wrote files before."""
    return int(digits) + 2000 if len(digits) == 2 else int(digits)


def _month(name: str) -> int:
    letters = unicodedata.normalize("NFKD", name.lower())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    if plain not in MONTHS:
        raise ValueError(name)
    return MONTHS[plain]


def _time(clock: re.Match[str], text: str) -> dt.time:
    hour = int(clock[1])
    if clock[5]:
        if not 1 <= hour <= 12:
            raise Problem(ProblemCode.NOT_A_TIME, text)
        hour = hour % 12 + (12 if clock[5].lower() == "p" else 0)
    try:
        return dt.time(hour, int(clock[2]), int(clock[3] or 0), int((clock[4] or "0").ljust(6, "0")[:6]))
    except ValueError:
        raise Problem(ProblemCode.NOT_A_TIME, text) from None
