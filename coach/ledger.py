"""The ledger of tool calls and its only writer. Each function is one conditional step of a call's life.

    requested -> rejected | not_run | declined | running -> succeeded | failed | unknown

A write's effect, its outcome and its new state commit together or not at all. The step at the end
of that transaction is the fence: whoever was moved out of `running` meanwhile can no longer commit.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any

from django.db import Error as StorageError
from django.db import connection, models, transaction
from django.db.models.functions import Now

from coach import faults
from coach.contract import Effect, ErrorCode, Outcome
from coach.faults import FaultPoint
from coach.messages import Call
from coach.models import CallState, Consent, ToolCall, Turn, TurnState, Verification

STATE_OF_ERROR = {
    ErrorCode.UNKNOWN_TOOL: CallState.REJECTED,
    ErrorCode.INVALID_ARGUMENTS: CallState.REJECTED,
    ErrorCode.REPEATED_CALL: CallState.REJECTED,
    ErrorCode.DECLINED: CallState.DECLINED,
    ErrorCode.NOT_RUN: CallState.NOT_RUN,
    ErrorCode.OUTCOME_UNKNOWN: CallState.UNKNOWN,
}


class Fenced(Exception):
    """The call is no longer this runner's to finish: its row left the state in which it was left."""


def enter(turn: Turn, *, round: int, calls: Iterable[Call], first_ordinal: int) -> list[ToolCall]:
    """Writes down the calls of a response as requested, giving each its identity."""
    return ToolCall.objects.bulk_create(
        ToolCall(
            turn=turn,
            ordinal=ordinal,
            round=round,
            provider_call_id=call.id[:255],
            tool=call.name[:128],
            arguments_text=call.arguments_text,
        )
        for ordinal, call in enumerate(calls, start=first_ordinal)
    )


def recorded_outcome(call: ToolCall) -> Outcome | None:
    """The outcome that stands in the row, or None when the call has none yet."""
    if call.is_error is None:
        return None
    return Outcome(call.content, call.is_error, ErrorCode(call.error) if call.error else None)


def ask_consent(call: ToolCall, *, question: str, arguments: dict[str, Any], effect: Effect) -> None:
    """Parks a call until the person has answered the question."""
    _step(
        call.pk,
        CallState.REQUESTED,
        consent=Consent.ASKED,
        question=question,
        arguments=arguments,
        effect=effect.value,
    )


def answer_consent(call_id: int, *, granted: bool) -> bool:
    """Records the person's answer; False when it was answered before (or never asked)."""
    answer = Consent.GRANTED if granted else Consent.DECLINED
    return (
        ToolCall.objects.filter(
            pk=call_id,
            state=CallState.REQUESTED,
            consent=Consent.ASKED,
            turn__state=TurnState.AWAITING_CONSENT,
        ).update(consent=answer)
        == 1
    )


def intend(call: ToolCall, *, owner: str, arguments: dict[str, Any], effect: Effect) -> None:
    """Commits the intent, before anything runs. Raises Fenced when the turn has another owner now."""
    faults.hit(FaultPoint.BEFORE_INTENT)
    changed = ToolCall.objects.filter(
        pk=call.pk,
        state=CallState.REQUESTED,
        turn__state=TurnState.RUNNING,
        turn__lease_owner=owner,
    ).update(state=CallState.RUNNING, arguments=arguments, effect=effect.value, started_at=Now())
    if changed != 1:
        raise Fenced


def record(
    call_id: int,
    outcome: Outcome,
    *,
    was: CallState,
    arguments: dict[str, Any] | None = None,
    effect: Effect | None = None,
    diagnostic: str = "",
) -> None:
    """Records an outcome that changed nothing: a rejection, a read's result, a call not run."""
    extra: dict[str, Any] = {"diagnostic": diagnostic}
    if arguments is not None:
        extra["arguments"] = arguments
    if effect is not None:
        extra["effect"] = effect.value
    _step(call_id, was, **_outcome_columns(outcome), **extra)


def commit_effect(call_id: int, work: Callable[[], Outcome], *, deadline: float) -> Outcome:
    """Runs a write and commits its effect, its outcome and its state in one durable transaction.

    `work` gives the outcome; an error outcome must have rolled back its own effect already.
    Raises Fenced (and commits nothing) when the row is no longer running or `deadline` (of the
    monotonic clock) is past, and whatever the handler or the database raises, after which it may
    or may not have committed: see `verify`.
    """
    with transaction.atomic(durable=True):
        outcome = work()
        faults.hit(FaultPoint.BEFORE_COMMIT)
        _keep(deadline)
        _step(call_id, CallState.RUNNING, **_outcome_columns(outcome))
    faults.hit(FaultPoint.AFTER_COMMIT)
    return outcome


def begin_repeat(call_id: int) -> int:
    """The number under which a write that was not saved may be repeated. Fenced when it may not be.

    Several may begin under one number (a double click, two tabs): one of them commits.
    """
    number = _repeatable(call_id).values_list("repeats", flat=True).first()
    if number is None:
        raise Fenced
    return number


def commit_repeat(call_id: int, number: int, work: Callable[[], Outcome], *, deadline: float) -> Outcome:
    """As `commit_effect`, for a repeat that the person asked for, under the same identity.

    The first outcome stays as it was written; what the repeat gave stands beside it. An error
    outcome leaves the call as it was, so that it can be repeated again.
    """
    with transaction.atomic(durable=True):
        outcome = work()
        faults.hit(FaultPoint.BEFORE_COMMIT)
        _keep(deadline)
        if not outcome.is_error:
            changed = (
                _repeatable(call_id)
                .filter(repeats=number)
                .update(
                    state=CallState.SUCCEEDED,
                    verification=Verification.SAVED,
                    verified_at=Now(),
                    repeat_content=outcome.content,
                    repeated_at=Now(),
                )
            )
            if changed != 1:
                raise Fenced
    faults.hit(FaultPoint.AFTER_COMMIT)
    return outcome


def verify_repeat(call_id: int, number: int) -> Verification:
    """As `verify`, after an uncertain repeat: fences off all of that number, then reads the row."""
    try:
        connection.close()
        _repeatable(call_id).filter(repeats=number).update(repeats=number + 1)
        return Verification(ToolCall.objects.values_list("verification", flat=True).get(pk=call_id))
    except StorageError:
        return Verification.OPEN


def _repeatable(call_id: int) -> models.QuerySet[ToolCall]:
    return ToolCall.objects.filter(pk=call_id, state=CallState.UNKNOWN, verification=Verification.NOT_SAVED)


def verify(call_id: int, *, unknown: Outcome, diagnostic: str = "") -> Verification:
    """Asks storage whether an uncertain write was saved, on a fresh connection.

    1. Move the row out of `running`, in a transaction of its own. It waits behind a commit in
       flight, and whoever tries to commit later is fenced off.
    2. Moved: nothing was committed and nothing can be any more: not saved.
       Not moved: the row itself says how the write ended.
    Storage out of reach leaves the question open, to be asked again.
    """
    try:
        connection.close()
        moved = ToolCall.objects.filter(pk=call_id, state=CallState.RUNNING).update(
            **_outcome_columns(unknown),
            verification=Verification.NOT_SAVED,
            verified_at=Now(),
        )
        if not moved:
            ToolCall.objects.filter(
                pk=call_id, state=CallState.SUCCEEDED, verification__in=("", Verification.OPEN)
            ).update(verification=Verification.SAVED, verified_at=Now())
        call = ToolCall.objects.get(pk=call_id)
        if diagnostic and not call.diagnostic:
            ToolCall.objects.filter(pk=call_id).update(diagnostic=diagnostic)
    except StorageError:
        return Verification.OPEN
    return Verification(call.verification)


def close_unrun(turn_id: int, outcome: Outcome) -> None:
    """Gives every call that was never started the outcome `not_run`."""
    ToolCall.objects.filter(turn_id=turn_id, state=CallState.REQUESTED).update(**_outcome_columns(outcome))


def leave_open(turn_id: int) -> None:
    """Marks the writes that storage could not be asked about when their turn ended."""
    ToolCall.objects.filter(
        turn_id=turn_id, state=CallState.RUNNING, effect=Effect.WRITE.value, verification=""
    ).update(verification=Verification.OPEN)


def identical_reads_before(call: ToolCall, arguments: dict[str, Any]) -> int:
    """How many times the same read already ran in this turn with the same arguments."""
    earlier = ToolCall.objects.filter(
        turn_id=call.turn_id, tool=call.tool, ordinal__lt=call.ordinal, started_at__isnull=False
    ).values_list("arguments", flat=True)
    return sum(1 for other in earlier if other == arguments)


def _outcome_columns(outcome: Outcome) -> dict[str, Any]:
    if outcome.error is None:
        state = CallState.SUCCEEDED
    else:
        state = STATE_OF_ERROR.get(outcome.error, CallState.FAILED)
    return {
        "state": state,
        "content": outcome.content,
        "is_error": outcome.is_error,
        "error": outcome.error.value if outcome.error else "",
        "recovery": outcome.recovery.value if outcome.recovery else "",
        "ended_at": Now(),
    }


def _keep(deadline: float) -> None:
    """On SQLite a writer holds the lock that whoever would fence it off waits for: it must look itself."""
    if time.monotonic() >= deadline:
        raise Fenced


def _step(call_id: int, was: CallState, **columns: Any) -> None:
    """Compare and set: one row still in the state that the caller left it in, else Fenced."""
    if ToolCall.objects.filter(pk=call_id, state=was).update(**columns) != 1:
        raise Fenced
