"""How the built-in coach speaks: phrases, numbers and dates of one language."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal

from coach.providers.builtin.outcomes import Record
from coach.providers.builtin.phrases import PHRASEBOOKS
from coach.providers.builtin.phrases.base import Phrasebook
from coach.providers.builtin.quantities import POUNDS_IN_STONE

_NOTE_LENGTH = 200


def clock(at: time | None) -> str | None:
    """A time of day as the tools write it."""
    return at.strftime("%H:%M") if at else None


@dataclass(frozen=True, slots=True)
class Voice:
    """`iso` spells dates as numbers, year first, as the person did."""

    book: Phrasebook
    iso: bool

    @classmethod
    def of(cls, language: str, *, iso: bool) -> "Voice":
        return cls(PHRASEBOOKS[language], iso)

    def say(self, key: str, **words: object) -> str:
        return self.book.phrases[key].format(**words)

    def date(self, day: date) -> str:
        if self.iso:
            return day.isoformat()
        first_of_month = "first_date" if day.day == 1 else "date"
        return self.say(first_of_month, day=day.day, month=self.book.months[day.month - 1], year=day.year)

    def metric(self, code: str) -> str:
        return self.book.metrics.get(code, code)

    def saved_metric(self, code: str) -> str:
        """The metric as something that stands there: a saved weight."""
        return self.book.saved_metrics.get(code) or self.metric(code)

    def number(self, value: Decimal) -> str:
        """Without zeros that say nothing, with the language's decimal mark."""
        text = f"{value:f}"
        if "." in text:
            text = text.rstrip("0").rstrip(".")
        return text.replace(".", self.book.decimal_mark)

    def value(self, value: Decimal, unit: str) -> str:
        if unit == "st_lb":
            stones, pounds = divmod(value, POUNDS_IN_STONE)
            return f"{self.number(stones)} st {self.number(pounds)} lb"
        return self.number(value) if unit in ("", "rating") else f"{self.number(value)} {unit}"

    def change(self, value: Decimal, unit: str) -> str:
        """A difference, with its sign. Stones are too coarse for one."""
        sign = "−" if value < 0 else "+" if value > 0 else ""
        return sign + self.value(abs(value), "lb" if unit == "st_lb" else unit)

    def record(self, record: Record) -> str:
        """Value, and time and note where there are any. A note is quoted, never heeded."""
        parts = [self.value(record.value, record.unit)]
        if record.time:
            parts.append(f"({record.time})")
        if note := " ".join(record.note.split()):
            shown = note if len(note) <= _NOTE_LENGTH else f"{note[:_NOTE_LENGTH]}…"
            parts.append(self.say("note", note=shown))
        return " ".join(parts)

    def named(self, records: Iterable[Record]) -> str:
        """The records with the names of their metrics: weight 76 kg and waist 88 cm."""
        return self.join([f"{self.metric(record.metric)} {self.record(record)}" for record in records])

    def join(self, items: Sequence[str]) -> str:
        if len(items) < 2:
            return "".join(items)
        return self.say("and", before=", ".join(items[:-1]), last=items[-1])

    def begin(self, text: str) -> str:
        """As the beginning of a sentence."""
        return text[:1].upper() + text[1:]
