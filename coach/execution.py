"""One tool call: validate, write down the intent, run under guard, give an outcome (contract, 4 and 5)."""

import asyncio
import json
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from coach import faults, ledger, notices
from coach.contract import Effect, ErrorCode, Outcome, failure, success
from coach.faults import FaultPoint
from coach.limits import ARGUMENTS_CHARACTERS, IDENTICAL_READS
from coach.messages import JSONValue
from coach.models import CallState, Consent, ToolCall, Turn
from coach.threads import in_database_thread, submit
from coach.tools.base import AnyTool, ArgumentProblems, Arguments, ToolContext, ToolError
from coach.tools.registry import TOOLS


@dataclass(frozen=True, slots=True)
class Ready:
    """A call whose arguments were validated and whose intent is committed."""

    tool: AnyTool
    arguments: Arguments


class ConsentNeeded:
    """The call waits for the person's answer."""


async def execute(turn: Turn, call: ToolCall, *, owner: str) -> Outcome | ConsentNeeded:
    """Runs one call to its outcome. A call that has one already gives it again without running.

    Raises ledger.Fenced when the turn is no longer `owner`'s.
    """
    prepared = await in_database_thread(_prepare, turn, call, owner)
    if not isinstance(prepared, Ready):
        return prepared
    if prepared.tool.effect is Effect.READ:
        return await _read(turn, call, prepared)
    return await _write(turn, call, prepared)


async def repeat(turn: Turn, call: ToolCall) -> Outcome:
    """Runs a write again that was found not saved, at the person's request and under the same identity.

    A call that was saved after all gives its recorded outcome. Anything unexpected is checked in
    storage before this returns, as it was the first time.
    """
    begun = await in_database_thread(_begin_repeat, call)
    if begun is None:
        return await in_database_thread(_standing, turn, call)
    number, ready = begun
    given = await _within_limit(submit(_run_repeat, turn, call, number, ready, _deadline(ready)), ready)
    if isinstance(given, Outcome):
        return given
    await in_database_thread(ledger.verify_repeat, call.pk, number)
    return await in_database_thread(_standing, turn, call)


@dataclass(frozen=True, slots=True)
class _Unexpected:
    """What went wrong, for the operator."""

    diagnostic: str


def _prepare(turn: Turn, call: ToolCall, owner: str) -> Ready | ConsentNeeded | Outcome:
    with notices.spoken_as(turn):
        call.refresh_from_db()
        if (standing := ledger.recorded_outcome(call)) is not None:
            return standing
        tool = TOOLS.get(call.tool)
        if tool is None:
            return _reject(call, notices.failure_of(ErrorCode.UNKNOWN_TOOL))
        context = ToolContext(turn.conversation.user, call.identity)
        try:
            arguments = tool.parse(context, call.arguments_text[: ARGUMENTS_CHARACTERS + 1])
        except ArgumentProblems as problems:
            message = notices.error_message(ErrorCode.INVALID_ARGUMENTS)
            return _reject(call, failure(ErrorCode.INVALID_ARGUMENTS, message, problems.fields))
        try:
            return _admit(turn, call, owner, Ready(tool, arguments), context)
        except ToolError as error:
            # The question to the person could not even be put: there is nothing to act on.
            return _reject(call, failure(error.error, error.message, error.fields))


def _admit(
    turn: Turn, call: ToolCall, owner: str, ready: Ready, context: ToolContext
) -> Ready | ConsentNeeded | Outcome:
    """Decides whether a valid call may run now, and if so commits the intent."""
    tool, validated = ready.tool, ready.arguments.model_dump(mode="json")
    recorded: dict[str, Any] = {"arguments": validated, "effect": tool.effect}
    if tool.effect is Effect.READ:
        if ledger.identical_reads_before(call, validated) >= IDENTICAL_READS:
            return _reject(call, notices.failure_of(ErrorCode.REPEATED_CALL), **recorded)
    elif call.consent == Consent.DECLINED:
        return _reject(call, notices.failure_of(ErrorCode.DECLINED), **recorded)
    elif call.consent == Consent.ASKED:
        return ConsentNeeded()
    elif (question := tool.consent(context, ready.arguments)) and question != call.question:
        # Asked again when the data changed since: a yes to one question is none to another.
        ledger.ask_consent(call, question=question, **recorded)
        return ConsentNeeded()
    ledger.intend(call, owner=owner, **recorded)
    return ready


def _reject(call: ToolCall, outcome: Outcome, **recorded: Any) -> Outcome:
    ledger.record(call.pk, outcome, was=CallState.REQUESTED, **recorded)
    return outcome


async def _read(turn: Turn, call: ToolCall, ready: Ready) -> Outcome:
    given = await _within_limit(submit(_run_read, turn, call, ready), ready)
    if isinstance(given, Outcome):
        return given
    return await in_database_thread(_record_failed_read, turn, call, given)


async def _write(turn: Turn, call: ToolCall, ready: Ready) -> Outcome:
    given = await _within_limit(submit(_run_write, turn, call, ready, _deadline(ready)), ready)
    if isinstance(given, Outcome):
        return given
    return await in_database_thread(_verify_write, turn, call, given)


async def _within_limit(work: asyncio.Future[Outcome | _Unexpected], ready: Ready) -> Outcome | _Unexpected:
    """Waits for the work, no longer than the tool's limit. Past it the thread goes on, fenced off."""
    done, _ = await asyncio.wait({work}, timeout=ready.tool.time_limit)
    return work.result() if done else _Unexpected(f"no answer within {ready.tool.time_limit} s")


def _run_read(turn: Turn, call: ToolCall, ready: Ready) -> Outcome | _Unexpected:
    def work() -> Outcome:
        faults.hit(FaultPoint.AFTER_INTENT)
        faults.hit(FaultPoint.STORAGE_READ)
        outcome = _perform(turn, call, ready)
        ledger.record(call.pk, outcome, was=CallState.RUNNING)
        return outcome

    return _guarded(turn, work)


def _run_write(turn: Turn, call: ToolCall, ready: Ready, deadline: float) -> Outcome | _Unexpected:
    def work() -> Outcome:
        faults.hit(FaultPoint.AFTER_INTENT)
        return ledger.commit_effect(call.pk, lambda: _perform_undoably(turn, call, ready), deadline=deadline)

    return _guarded(turn, work)


def _run_repeat(
    turn: Turn, call: ToolCall, number: int, ready: Ready, deadline: float
) -> Outcome | _Unexpected:
    def work() -> Outcome:
        return ledger.commit_repeat(
            call.pk, number, lambda: _perform_undoably(turn, call, ready), deadline=deadline
        )

    return _guarded(turn, work)


def _deadline(ready: Ready) -> float:
    return time.monotonic() + ready.tool.time_limit


def _guarded(turn: Turn, work: Callable[[], Outcome]) -> Outcome | _Unexpected:
    """Turns whatever is raised into a value: the type decides nothing here, and no wording ever does.

    BaseException too: a cancellation that comes out of a handler must not pass for one of ours.
    """
    with notices.spoken_as(turn):
        try:
            return work()
        except BaseException:
            return _Unexpected(traceback.format_exc())


def _perform(turn: Turn, call: ToolCall, ready: Ready) -> Outcome:
    context = ToolContext(turn.conversation.user, call.identity)
    try:
        content = ready.tool.handler(context, ready.arguments)
    except ToolError as error:
        return failure(error.error, error.message, error.fields)
    return success(_text(content))


def _perform_undoably(turn: Turn, call: ToolCall, ready: Ready) -> Outcome:
    """As `_perform`, but an expected error takes its half-done effect back."""
    with transaction.atomic():
        outcome = _perform(turn, call, ready)
        faults.hit(FaultPoint.IN_HANDLER)
        if outcome.is_error:
            transaction.set_rollback(True)
    return outcome


def _text(content: JSONValue) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _record_failed_read(turn: Turn, call: ToolCall, unexpected: _Unexpected) -> Outcome:
    with notices.spoken_as(turn):
        outcome = notices.failure_of(ErrorCode.READ_FAILED)
    try:
        ledger.record(call.pk, outcome, was=CallState.RUNNING, diagnostic=unexpected.diagnostic)
    except ledger.Fenced:
        # It ended by itself just when its time was up; without an outcome, the turn is not ours any more.
        call.refresh_from_db()
        if (standing := ledger.recorded_outcome(call)) is None:
            raise
        return standing
    return outcome


def _verify_write(turn: Turn, call: ToolCall, unexpected: _Unexpected) -> Outcome:
    with notices.spoken_as(turn):
        unknown = notices.failure_of(ErrorCode.OUTCOME_UNKNOWN)
    ledger.verify(call.pk, unknown=unknown, diagnostic=unexpected.diagnostic)
    return unknown


def _begin_repeat(call: ToolCall) -> tuple[int, Ready] | None:
    try:
        number = ledger.begin_repeat(call.pk)
    except ledger.Fenced:
        return None
    tool = TOOLS[call.tool]
    return number, Ready(tool, tool.stored(call.arguments or {}))


def _standing(turn: Turn, call: ToolCall) -> Outcome:
    """What the ledger says of a call now, the repeat included."""
    call.refresh_from_db()
    if call.repeated_at is not None:
        return success(call.repeat_content)
    with notices.spoken_as(turn):
        return ledger.recorded_outcome(call) or notices.failure_of(ErrorCode.OUTCOME_UNKNOWN)
