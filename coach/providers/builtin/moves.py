"""What the built-in coach does next: say something, or call one tool."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from coach.messages import JSONValue
from coach.providers.base import Situation
from coach.providers.builtin.conversation import Exchange, Step
from coach.providers.builtin.outcomes import Record
from coach.providers.builtin.voice import Voice


class ToolName(StrEnum):
    READ = "read_measurement"
    LIST = "list_measurements"
    SUMMARIZE = "summarize_trend"
    WRITE = "write_measurement"
    DELETE = "delete_measurement"


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Use:
    tool: ToolName
    arguments: Mapping[str, JSONValue]


type Move = Say | Use


@dataclass(frozen=True, slots=True)
class Position:
    """All that a move may depend on: the steps of this turn, what went before, the facts, the voice."""

    steps: list[Step]
    earlier: list[Exchange]
    situation: Situation
    voice: Voice

    @property
    def now(self) -> datetime:
        return self.situation.now

    def say(self, key: str, **words: object) -> Say:
        return Say(self.voice.say(key, **words))


def summarize(metric: str, days: int) -> Use:
    return Use(ToolName.SUMMARIZE, {"metric": metric, "days": days})


def read_day(on: date) -> Use:
    """All that the day has: what is missing is then known to be missing and not merely not asked for."""
    return Use(ToolName.READ, {"date": on.isoformat()})


def ask_which(on: date, records: Sequence[Record], position: Position) -> Say:
    return position.say("which_of", date=position.voice.date(on), values=position.voice.named(records))
