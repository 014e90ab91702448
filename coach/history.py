"""From what was recorded to a history that a given provider accepts. Pure and repeatable.

Every call is closed by a result, directly after the response that made it, whatever happened to
the turn. Ids on the wire are unique in the whole history, and the same rows give the same ids.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from coach.contract import ErrorCode, Outcome, failure
from coach.messages import (
    Call,
    History,
    Item,
    Note,
    Opaque,
    Part,
    Response,
    Result,
    Results,
    Text,
    UserMessage,
)

UNCLOSED = "This call was not executed."


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call with its identity `(turn, ordinal)` and its outcome, if one was recorded."""

    call: Call
    turn: int
    ordinal: int
    outcome: Outcome | None


type RecordedPart = Text | Opaque | RecordedCall


@dataclass(frozen=True, slots=True)
class RecordedResponse:
    provider: str
    parts: tuple[RecordedPart, ...]


type Recorded = Note | UserMessage | RecordedResponse


def build(recorded: Iterable[Recorded], *, provider: str) -> History:
    """The history as `provider` is to receive it.

    Another provider's opaque items are left out, and calls carry an id that is the provider's own
    where that is possible and minted by the program where it is not.
    """
    return tuple(_items(recorded, _WireIds(provider)))


def _items(recorded: Iterable[Recorded], ids: "_WireIds") -> Iterator[Item]:
    for said in recorded:
        if isinstance(said, RecordedResponse):
            yield from _response(said, ids)
        else:
            yield said


def _response(response: RecordedResponse, ids: "_WireIds") -> Iterator[Item]:
    parts: list[Part] = []
    results: list[Result] = []
    for part in response.parts:
        match part:
            case Text(text=""):
                continue
            case Text():
                parts.append(part)
            case Opaque():
                if response.provider == ids.provider:
                    parts.append(part)
            case RecordedCall():
                wire_id = ids.of(part, response.provider)
                outcome = part.outcome or failure(ErrorCode.NOT_RUN, UNCLOSED)
                parts.append(Call(wire_id, part.call.name, part.call.arguments_text))
                results.append(Result(wire_id, part.call.name, outcome))
    if parts:
        yield Response(response.provider, tuple(parts))
    if results:
        yield Results(tuple(results))


class _WireIds:
    """Gives each call one id. Providers have been seen to reuse theirs, so the first use alone keeps it."""

    def __init__(self, provider: str) -> None:
        self.provider = provider
        self._used: set[str] = set()

    def of(self, recorded: RecordedCall, made_by: str) -> str:
        own = recorded.call.id if made_by == self.provider else ""
        wire_id = own if own and own not in self._used else self._mint(recorded)
        self._used.add(wire_id)
        return wire_id

    def _mint(self, recorded: RecordedCall) -> str:
        wire_id = f"gym_{recorded.turn}_{recorded.ordinal}"
        while wire_id in self._used:
            wire_id += "_"
        return wire_id
