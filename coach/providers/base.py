"""What the harness asks of any provider: a neutral request in, neutral events out, typed errors.

An adapter is stateless. It imports `messages`, `contract`, this module and its own SDK (at first
use, never at import), and lets no type of its vendor cross this border.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from coach.messages import History, JSONObject, Opaque


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it. `schema` is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: JSONObject


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach a provider. `api_key` and `base_url` are empty where they do not apply."""

    api_key: str = field(default="", repr=False)
    base_url: str = ""


@dataclass(frozen=True, slots=True)
class Situation:
    """The facts the system text states, as data, for a provider that is a program and reads no prose.

    `now` is the person's local wall clock, `language` one of `en`, `es`, `pt-br`; units are unit codes.
    """

    now: datetime
    time_zone: str
    language: str
    mass_unit: str
    length_unit: str


@dataclass(frozen=True, slots=True)
class Request:
    """One request for the next response. Rebuilding it from the same rows gives the same bytes."""

    model: str
    system: str
    tools: tuple[ToolSpec, ...]
    history: History
    situation: Situation
    effort: str = ""
    max_output_tokens: int = 16_000


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """The model is thinking: something to show, nothing to keep."""


@dataclass(frozen=True, slots=True)
class OpaqueItem:
    item: Opaque


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A whole call, its arguments exactly as the provider sent them."""

    id: str
    name: str
    arguments_text: str


@dataclass(frozen=True, slots=True)
class Usage:
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


class EndReason(StrEnum):
    """Why a response ended. Calls run only after CALLS."""

    COMPLETE = "complete"
    CALLS = "calls"
    TRUNCATED = "truncated"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class End:
    """The provider's own terminal event; a stream without one is broken. `request_id` is the vendor's."""

    reason: EndReason
    request_id: str = ""


type Event = TextDelta | Reasoning | OpaqueItem | ToolCall | Usage | End


class ProviderError(Exception):
    """A failure at the provider. `str()` is for the operator; it never reaches the person or the model."""

    def __init__(self, detail: str, *, request_id: str = "") -> None:
        super().__init__(detail)
        self.request_id = request_id


class Unavailable(ProviderError):
    """No connection, a time-out before the first event, 408, 409, 5xx or 529: may be tried again."""

    def __init__(self, detail: str, *, request_id: str = "", retry_after: float | None = None) -> None:
        super().__init__(detail, request_id=request_id)
        self.retry_after = retry_after


class RateLimited(Unavailable):
    """429 for pace (not for an exhausted quota): may be tried again after `retry_after` seconds."""


class RejectionReason(StrEnum):
    AUTH = "auth"
    QUOTA = "quota"
    BAD_REQUEST = "bad_request"
    NOT_FOUND = "not_found"


class Rejected(ProviderError):
    """The provider will not serve this request however often it is sent."""

    def __init__(self, detail: str, *, reason: RejectionReason, request_id: str = "") -> None:
        super().__init__(detail, request_id=request_id)
        self.reason = reason


class StreamBroken(ProviderError):
    """The response began and then broke off, or ended without the provider's terminal event."""


type Recorder = Callable[[JSONObject], None]
"""Receives the body as sent (keys and headers left out), once per request, before it goes out."""


class Provider(Protocol):
    """One provider's dialect."""

    name: str

    def stream(self, request: Request, *, connection: Connection, record: Recorder) -> AsyncIterator[Event]:
        """Sends the request and yields its events; ends with exactly one `End`, or raises ProviderError."""
        ...
