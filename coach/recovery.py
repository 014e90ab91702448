"""Turns whose runner is gone come to an end that says what is saved and what is not."""

import contextlib
import logging
from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models.functions import Now

from coach import faults, leases, ledger, notices, owners, store
from coach.contract import Effect, ErrorCode
from coach.faults import FaultPoint
from coach.models import UNFINISHED, CallState, ModelRequest, StopReason, ToolCall

logger = logging.getLogger(__name__)


def settle(turn_id: int) -> bool:
    """Ends a turn whose runner is gone. Safe to repeat and to run twice at once: one gets True.

    1. Take over the lease, which fences off the runner should it still be alive.
    2. Ask storage about every write in hand; close the calls that never started.
    3. Keep what the model had said, and end the turn as interrupted.
    A crash in between leaves a lease that runs out, and the next one settles.
    """
    owner = owners.mint("settle")
    if not leases.take_over(turn_id, owner):
        return False
    faults.hit(FaultPoint.DURING_RECOVERY)
    turn = store.load_turn(turn_id)
    with notices.spoken_as(turn):
        _settle_running_calls(turn_id)
        faults.hit(FaultPoint.DURING_RECOVERY)
        with transaction.atomic():
            store.keep_partial_text(turn, owner)
            ModelRequest.objects.filter(turn=turn, ended_at__isnull=True).update(
                error=StopReason.INTERRUPTED, ended_at=Now()
            )
            store.finish(turn, owner, stop_reason=StopReason.INTERRUPTED)
    return True


def settle_abandoned(conversation_id: int | None = None) -> list[int]:
    """Settles every turn whose lease ran out, in one conversation or in all; gives their keys.

    Also asks again about writes that storage could not answer for when their turn ended.
    """
    leases.expire_dead()
    turns = leases.abandoned()
    unanswered = ToolCall.objects.filter(state=CallState.RUNNING).exclude(turn__state__in=UNFINISHED)
    if conversation_id is not None:
        turns = turns.filter(conversation_id=conversation_id)
        unanswered = unanswered.filter(turn__conversation_id=conversation_id)
    settled = _each(turns.values_list("pk", flat=True), settle)
    return settled + _each(set(unanswered.values_list("turn_id", flat=True)), _ask_again)


def _each(turn_ids: Iterable[int], settle_one: Callable[[int], bool]) -> list[int]:
    """Those that were settled. One that cannot be keeps no other from it."""
    settled = []
    for turn_id in turn_ids:
        try:
            if settle_one(turn_id):
                settled.append(turn_id)
        except Exception:
            logger.exception("turn %s could not be settled", turn_id)
    return settled


def _ask_again(turn_id: int) -> bool:
    with notices.spoken_as(store.load_turn(turn_id)):
        _settle_running_calls(turn_id)
    return True


def _settle_running_calls(turn_id: int) -> None:
    for call in store.open_calls(turn_id):
        if call.state != CallState.RUNNING:
            continue
        if call.effect == Effect.WRITE:
            ledger.verify(call.pk, unknown=notices.failure_of(ErrorCode.OUTCOME_UNKNOWN))
        else:
            # A read that somebody else closed meanwhile needs nothing from us.
            with contextlib.suppress(ledger.Fenced):
                ledger.record(call.pk, notices.failure_of(ErrorCode.NOT_RUN), was=CallState.RUNNING)
