"""What was said in a conversation, in a form that belongs to no provider. Pure values."""

from collections.abc import Mapping
from dataclasses import dataclass

from coach.contract import Outcome

type JSONValue = bool | int | float | str | list["JSONValue"] | dict[str, "JSONValue"] | None
type JSONObject = Mapping[str, JSONValue]


@dataclass(frozen=True, slots=True)
class Note:
    """A line from the program to the model (a verdict reached after the fact), sent in the user's role."""

    text: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the person wrote."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """What the model said. `complete` is false when its stream broke off."""

    text: str
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Opaque:
    """An item that only its own provider understands (a signature): kept, and returned verbatim."""

    payload: JSONObject


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the model made it. `id` is the provider's own, not trusted to be unique."""

    id: str
    name: str
    arguments_text: str


type Part = Text | Opaque | Call


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one call. `call_id` is the wire id of the call it answers."""

    call_id: str
    name: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Response:
    """One answer of a provider: its parts in the order in which they came, and which provider gave it."""

    provider: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """The outcomes of all calls of the response just before, in call order."""

    results: tuple[Result, ...]


type Item = Note | UserMessage | Response | Results
type History = tuple[Item, ...]
