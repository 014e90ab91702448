"""Conversations and turns in rows: opened, claimed, written to and settled. Synchronous, transactional."""

import logging
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.db.models.functions import Now

from coach import leases, ledger, notices, pace
from coach.contract import ErrorCode
from coach.history import Recorded, RecordedCall, RecordedPart, RecordedResponse
from coach.messages import Call, JSONObject, Note, Opaque, Part, Text, UserMessage
from coach.models import (
    Conversation,
    Entry,
    EntryKind,
    ModelRequest,
    StopReason,
    ToolCall,
    Turn,
    TurnState,
)
from coach.providers.base import Usage

logger = logging.getLogger(__name__)

TITLE_CHARACTERS = 60


class TurnInProgress(Exception):
    """The conversation already has a turn that has not ended."""


class ClientIdTaken(Exception):
    """The client id belongs to somebody else's turn, another conversation's, or another text's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn:
    """What a turn begins with, apart from its text; and whether the person's pace is held against it."""

    client_id: uuid.UUID
    provider: str
    model: str
    language: str
    time_zone: str
    prompt_version: str
    paced: bool = False


@dataclass(frozen=True, slots=True)
class OpenedTurn:
    turn: Turn
    created: bool


def open_turn(user_id: int, conversation_id: int | None, text: str, new: NewTurn) -> OpenedTurn:
    """Writes down the person's message as a queued turn, in a new conversation when none is named.

    The same client id with the same text gives the turn that it opened before. Raises
    Conversation.DoesNotExist for another person's conversation, TurnInProgress, ClientIdTaken, and what
    `pace.check` raises.
    """
    try:
        with transaction.atomic():
            if known := _known_turn(user_id, conversation_id, text, new.client_id):
                return OpenedTurn(known, created=False)
            if new.paced:
                pace.check(user_id)
            return OpenedTurn(_create_turn(user_id, conversation_id, text, new), created=True)
    except IntegrityError:
        # Two at once: the constraints let one through.
        if known := _known_turn(user_id, conversation_id, text, new.client_id):
            return OpenedTurn(known, created=False)
        raise TurnInProgress from None


def _known_turn(user_id: int, conversation_id: int | None, text: str, client_id: uuid.UUID) -> Turn | None:
    turn = Turn.objects.filter(client_id=client_id).select_related("conversation").first()
    if turn is None:
        return None
    if turn.conversation.user_id != user_id or conversation_id not in (None, turn.conversation_id):
        raise ClientIdTaken
    if not turn.entries.filter(kind=EntryKind.USER, text=text).exists():
        # A page that the browser kept may send its old id with new words: they must not vanish.
        raise ClientIdTaken
    return turn


def _create_turn(user_id: int, conversation_id: int | None, text: str, new: NewTurn) -> Turn:
    if conversation_id is None:
        conversation = Conversation.objects.create(user_id=user_id, title=title_from(text))
    else:
        conversation = Conversation.objects.visible_to(user_id).select_for_update().get(pk=conversation_id)
        if conversation.turns.unfinished().exists():
            raise TurnInProgress
        conversation.save(update_fields=["updated_at"])
    number = conversation.turns.aggregate(last=Max("number"))["last"] or 0
    turn = Turn.objects.create(
        conversation=conversation,
        number=number + 1,
        client_id=new.client_id,
        provider=new.provider,
        model=new.model,
        language=new.language,
        time_zone=new.time_zone,
        prompt_version=new.prompt_version,
        lease_expires_at=leases.claim_end(),
    )
    previous = conversation.turns.filter(number=number).first()
    notes = [] if previous is None else _notes_since(previous)
    entries = [Entry(turn=turn, kind=EntryKind.NOTE, text=note) for note in notes]
    entries.append(Entry(turn=turn, kind=EntryKind.USER, text=text))
    _append(turn, entries)
    return turn


def _notes_since(previous: Turn) -> list[str]:
    """What the model could not see: how the last turn ended, and verdicts reached since it began."""
    news = ToolCall.objects.filter(turn__conversation_id=previous.conversation_id).filter(
        Q(verified_at__gte=previous.created_at) | Q(repeated_at__gte=previous.created_at)
    )
    return notices.notes_to_model(previous, list(news.order_by("turn__number", "ordinal")))


def title_from(text: str) -> str:
    """A conversation's first title: the beginning of its first message, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= TITLE_CHARACTERS:
        return line
    return line[:TITLE_CHARACTERS].rsplit(" ", 1)[0] + "…"


def is_in_hand(turn_id: int) -> bool:
    """Whether somebody is working on the turn, as far as its lease tells."""
    return Turn.objects.filter(pk=turn_id, state=TurnState.RUNNING, lease_expires_at__gte=Now()).exists()


def is_stop_requested(turn_id: int) -> bool:
    return Turn.objects.filter(pk=turn_id, stop_requested_at__isnull=False).exists()


def request_stop(turn_id: int) -> bool:
    """Notes that the person wants the turn to stop; False when it has ended."""
    return Turn.objects.unfinished().filter(pk=turn_id).update(stop_requested_at=Now()) == 1


def load_turn(turn_id: int) -> Turn:
    return Turn.objects.select_related("conversation__user").get(pk=turn_id)


def open_calls(turn_id: int) -> list[ToolCall]:
    """The turn's calls that have no outcome yet, in order."""
    return list(ToolCall.objects.filter(turn_id=turn_id, is_error__isnull=True).order_by("ordinal"))


def begin_request(turn: Turn, owner: str, *, round: int, attempt: int) -> int:
    """Writes down that a request is about to go out; gives its key. Raises LeaseLost."""
    leases.hold(turn.pk, owner, rounds=round)
    return ModelRequest.objects.create(
        turn=turn, round=round, attempt=attempt, provider=turn.provider, model=turn.model
    ).pk


def record_sent(request_id: int, body: JSONObject) -> None:
    ModelRequest.objects.filter(pk=request_id).update(sent=body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """How a response ended, and what it held."""

    parts: Sequence[Part] = ()
    end_reason: str = ""
    provider_request_id: str = ""
    usage: Usage | None = None
    error: str = ""
    diagnostic: str = ""


def save_partial(turn_id: int, owner: str, text: str) -> None:
    """Writes down the text of a response while it streams, so that a crash loses little of it."""
    leases.hold(turn_id, owner, partial_text=text)


def save_response(turn: Turn, owner: str, request_id: int, *, round: int, received: Received) -> None:
    """Writes down a response, whole or broken off, and its calls as requested. Raises LeaseLost."""
    with transaction.atomic():
        leases.hold(turn.pk, owner, partial_text="")
        _end_request(request_id, received)
        last = turn.calls.aggregate(last=Max("ordinal"))["last"]
        calls = ledger.enter(
            turn,
            round=round,
            calls=[part for part in received.parts if isinstance(part, Call)],
            first_ordinal=0 if last is None else last + 1,
        )
        _append(turn, list(_entries(turn, round, received.parts, calls)))


def fail_request(request_id: int, received: Received) -> None:
    """Writes down that a request failed before anything of its response came."""
    _end_request(request_id, received)


def _end_request(request_id: int, received: Received) -> None:
    usage = received.usage
    ModelRequest.objects.filter(pk=request_id).update(
        end_reason=received.end_reason,
        provider_request_id=received.provider_request_id[:128],
        input_tokens=usage and usage.input_tokens,
        output_tokens=usage and usage.output_tokens,
        cached_tokens=usage and usage.cached_tokens,
        error=received.error,
        diagnostic=received.diagnostic,
        ended_at=Now(),
    )


def _entries(turn: Turn, round: int, parts: Sequence[Part], calls: Sequence[ToolCall]) -> Iterator[Entry]:
    rows = iter(calls)
    for part in parts:
        match part:
            case Text():
                yield Entry(
                    turn=turn, round=round, kind=EntryKind.TEXT, text=part.text, complete=part.complete
                )
            case Opaque():
                yield Entry(turn=turn, round=round, kind=EntryKind.OPAQUE, payload=dict(part.payload))
            case Call():
                yield Entry(turn=turn, round=round, kind=EntryKind.CALL, call=next(rows))


def _append(turn: Turn, entries: Sequence[Entry]) -> None:
    last = turn.entries.aggregate(last=Max("position"))["last"]
    for position, entry in enumerate(entries, start=0 if last is None else last + 1):
        entry.position = position
    Entry.objects.bulk_create(entries)


def park(turn_id: int, owner: str) -> None:
    """Leaves the turn to the person, who must answer a question first. Raises LeaseLost."""
    leases.hold(turn_id, owner, state=TurnState.AWAITING_CONSENT, lease_owner="", lease_expires_at=None)


def answer_consent(call_id: int, *, granted: bool) -> bool:
    """Records the person's answer and queues the turn again; False when another answer came first."""
    with transaction.atomic():
        if not ledger.answer_consent(call_id, granted=granted):
            return False
        return (
            Turn.objects.filter(calls=call_id, state=TurnState.AWAITING_CONSENT).update(
                state=TurnState.QUEUED, lease_expires_at=leases.claim_end()
            )
            == 1
        )


def finish(
    turn: Turn,
    owner: str,
    *,
    stop_reason: StopReason | None = None,
    rejection: str = "",
    diagnostic: str = "",
) -> None:
    """Ends the turn: completed, or stopped for a reason. Closes the calls that never ran."""
    with transaction.atomic():
        leases.hold(
            turn.pk,
            owner,
            state=TurnState.STOPPED if stop_reason else TurnState.COMPLETED,
            stop_reason=stop_reason or "",
            rejection=rejection,
            diagnostic=diagnostic,
            lease_owner="",
            lease_expires_at=None,
            ended_at=Now(),
        )
        _close_calls(turn)


def cancel_parked(turn: Turn) -> bool:
    """Ends a turn that waits for the person, at their word; False when it does not wait (any more)."""
    with transaction.atomic():
        cancelled = Turn.objects.filter(pk=turn.pk, state=TurnState.AWAITING_CONSENT).update(
            state=TurnState.STOPPED, stop_reason=StopReason.CANCELLED, ended_at=Now()
        )
        if cancelled:
            _close_calls(turn)
    return bool(cancelled)


def _close_calls(turn: Turn) -> None:
    with notices.spoken_as(turn):
        ledger.close_unrun(turn.pk, notices.failure_of(ErrorCode.NOT_RUN))
    ledger.leave_open(turn.pk)


def recorded_history(turn: Turn) -> list[Recorded]:
    """All that was said in the conversation up to and including this turn, as pure values."""
    entries = (
        Entry.objects.filter(turn__conversation_id=turn.conversation_id, turn__number__lte=turn.number)
        .select_related("call", "turn")
        .order_by("turn__number", "position")
    )
    recorded: list[Recorded] = []
    parts: list[RecordedPart] = []
    response: tuple[int, int] | None = None
    provider = ""

    def close_response() -> None:
        if parts:
            recorded.append(RecordedResponse(provider, tuple(parts)))
            parts.clear()

    for entry in entries:
        if entry.kind in (EntryKind.NOTE, EntryKind.USER):
            close_response()
            recorded.append(Note(entry.text) if entry.kind == EntryKind.NOTE else UserMessage(entry.text))
            continue
        if response != (entry.turn_id, entry.round):
            close_response()
            response, provider = (entry.turn_id, entry.round), entry.turn.provider
        parts.append(_recorded_part(entry))
    close_response()
    return recorded


def _recorded_part(entry: Entry) -> RecordedPart:
    if entry.kind == EntryKind.TEXT:
        return Text(entry.text, entry.complete)
    if entry.kind == EntryKind.OPAQUE:
        return Opaque(entry.payload or {})
    assert entry.call is not None
    call = entry.call
    return RecordedCall(
        Call(call.provider_call_id, call.tool, call.arguments_text),
        turn=call.turn_id,
        ordinal=call.ordinal,
        outcome=ledger.recorded_outcome(call),
    )


def keep_partial_text(turn: Turn, owner: str) -> None:
    """What a response had said before it was left alone stays, marked as broken off. Raises LeaseLost."""
    leases.hold(turn.pk, owner, partial_text="")
    if turn.partial_text:
        said = Entry(
            turn=turn, round=turn.rounds, kind=EntryKind.TEXT, text=turn.partial_text, complete=False
        )
        _append(turn, [said])
