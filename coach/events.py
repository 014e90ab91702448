"""What the harness reports while it runs a turn. Ids are row keys: whoever shows something reads the row."""

from dataclasses import dataclass

from coach.contract import Outcome


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A request to the provider is about to go out."""

    round: int


@dataclass(frozen=True, slots=True)
class Reasoning:
    """The model is thinking and has said nothing yet."""

    round: int


@dataclass(frozen=True, slots=True)
class TextStreamed:
    """The next piece of the response's text. Not yet in rows."""

    round: int
    text: str


@dataclass(frozen=True, slots=True)
class RetryScheduled:
    """The provider could not be reached; the same request goes out again after `delay` seconds."""

    round: int
    attempt: int
    delay: float


@dataclass(frozen=True, slots=True)
class ResponseStored:
    """The response of this round, whole or broken off, now stands in rows."""

    round: int


@dataclass(frozen=True, slots=True)
class CallStarted:
    call_id: int


@dataclass(frozen=True, slots=True)
class CallEnded:
    """`outcome` is what the turn goes by; for an uncertain write the row may know more (verification)."""

    call_id: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class ConsentAsked:
    """The call waits for the person; the turn is parked until they answer."""

    call_id: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The harness is done with the turn: completed, stopped, or parked awaiting consent."""

    state: str
    stop_reason: str


type HarnessEvent = (
    RoundStarted
    | Reasoning
    | TextStreamed
    | RetryScheduled
    | ResponseStored
    | CallStarted
    | CallEnded
    | ConsentAsked
    | TurnEnded
)
