"""What a fake vendor answers, in words that belong to no vendor; and what it saw of the request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True)
class Say:
    """Text, streamed word by word."""

    text: str


@dataclass(frozen=True, slots=True)
class Think:
    """Reasoning with the signature that must come back unchanged."""

    signature: str
    text: str = "hmm"


@dataclass(frozen=True, slots=True)
class Use:
    """A tool call. Arguments are JSON, or a string that is sent as it is."""

    name: str
    arguments: Any = field(default_factory=dict)
    id: str = "call_1"


type Piece = Say | Think | Use


class End(StrEnum):
    """How a response ends; in each dialect's own words on the wire."""

    AS_FITS = "as_fits"
    LENGTH = "length"
    REFUSAL = "refusal"


class Cut(StrEnum):
    """Where the connection breaks."""

    NOWHERE = "nowhere"
    BEFORE_ANYTHING = "before_anything"
    MID_TEXT = "mid_text"
    MID_ARGUMENTS = "mid_arguments"
    BEFORE_END = "before_end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer of a fake.

    `status` other than 200 answers with an error whose code is `error`; with 200, `error` comes as an
    event of the stream after the pieces. `cut` breaks the connection, or (`cleanly`) ends the stream
    there as if all were well. `escaped` writes what is not ASCII as JSON escapes. `split` are the
    sizes of the byte chunks; `pause` the time before each.
    """

    pieces: Sequence[Piece] = ()
    end: End = End.AS_FITS
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str = ""
    cut: Cut = Cut.NOWHERE
    cleanly: bool = False
    silent: bool = False
    unknown_events: bool = False
    escaped: bool = False
    split: Sequence[int] = ()
    pause: float = 0.0

    @property
    def calls(self) -> list[Use]:
        return [piece for piece in self.pieces if isinstance(piece, Use)]


def says(text: str, **more: Any) -> Reply:
    return Reply(pieces=[Say(text)], **more)


def uses(name: str, arguments: Any, **more: Any) -> Reply:
    return Reply(pieces=[Use(name, arguments)], **more)


def fails(status: int, error: str = "", **headers: str) -> Reply:
    """An error status. Header names are given with underscores."""
    return Reply(
        status=status, error=error, headers={key.replace("_", "-"): value for key, value in headers.items()}
    )


@dataclass(frozen=True, slots=True)
class SeenResult:
    """A tool result as it stood in the request. OpenAI's form has no mark: `is_error` is None."""

    call_id: str
    content: str
    is_error: bool | None


@dataclass(frozen=True, slots=True)
class Seen:
    """The request as a script may look at it: what the person said last, and the results since."""

    body: Mapping[str, Any]
    text: str
    results: Sequence[SeenResult]


type Script = Callable[[Seen], Reply]


class Dialect:
    """One vendor's way to write events and to say errors. Subclasses fill it in."""

    name: str
    path: str
    key_header: str
    models: Sequence[str]

    def seen(self, body: Mapping[str, Any]) -> Seen:
        raise NotImplementedError

    def events(self, reply: Reply) -> list["Marked"]:
        raise NotImplementedError

    def error_body(self, status: int, code: str) -> Mapping[str, Any]:
        raise NotImplementedError

    def model_list(self) -> Mapping[str, Any]:
        raise NotImplementedError


class Place(StrEnum):
    """What an event is to a cut."""

    TEXT = "text"
    ARGUMENTS = "arguments"
    TERMINAL = "terminal"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Marked:
    """One event on the wire, and what it is to a cut."""

    data: Mapping[str, Any]
    place: Place = Place.OTHER


def words(text: str) -> list[str]:
    """A text in pieces, as models stream it."""
    return [word + " " for word in text.split(" ")[:-1]] + text.split(" ")[-1:]


def halves(text: str) -> list[str]:
    middle = len(text) // 2
    return [half for half in (text[:middle], text[middle:]) if half]
