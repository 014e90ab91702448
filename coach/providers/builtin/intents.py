"""What a person wants of the built-in coach, as far as it understands."""

from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal

from coach.providers.builtin.days import Span
from coach.providers.builtin.quantities import Stated


@dataclass(frozen=True, slots=True)
class Value:
    metric: str
    value: Decimal
    unit: str


@dataclass(frozen=True, slots=True)
class Log:
    values: tuple[Value, ...]
    on: date
    at: time | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Correct:
    """Puts a value in the place of the one that stands. Without a day: the one last spoken of."""

    stated: tuple[Stated, ...]
    on: date | None = None
    at: time | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Delete:
    """Without a day: the record last spoken of, or with `latest` the most recent one of the metric."""

    metric: str | None
    on: date | None = None
    at: time | None = None
    latest: bool = False


@dataclass(frozen=True, slots=True)
class ReadDays:
    """The days in order; as `alternatives`, each only when the ones before it have nothing.

    Without metrics: all that a day has.
    """

    days: tuple[date, ...]
    metrics: tuple[str, ...] = ()
    alternatives: bool = False


@dataclass(frozen=True, slots=True)
class Latest:
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListSpan:
    metrics: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Trend:
    """Over the last `days` days, today included."""

    metrics: tuple[str, ...]
    days: int


@dataclass(frozen=True, slots=True)
class Yes:
    """An answer to the question whether to replace."""


@dataclass(frozen=True, slots=True)
class No:
    """An answer to the question whether to replace."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Nothing to do but to say the phrase of this key. `words` are the person's own, quoted in it."""

    key: str
    words: str = ""


type Intent = Log | Correct | Delete | ReadDays | Latest | ListSpan | Trend | Yes | No | Remark

CHANGING = (Log, Correct, Delete, Yes)
NOT_UNDERSTOOD = frozenset({"unknown", "unclear", "unclear_words"})
"""Keys of the remarks on a message that makes no sense to the built-in coach."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message as understood. `iso` says that the person writes dates as numbers, year first."""

    language: str
    intent: Intent
    forbids_changes: bool = False
    iso: bool = False
