"""One turn, from the person's message to its end: rounds, limits, stop rules. The program decides here.

It knows no HTTP, template or channel: it yields events and writes rows, and a test runs it as it is.
Running a turn that was parked resumes it from its rows.
"""

import asyncio
import random
import time
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field

from django.conf import settings

from coach import execution, faults, history, ledger, prompts, store
from coach.events import (
    CallEnded,
    CallStarted,
    ConsentAsked,
    HarnessEvent,
    Reasoning,
    ResponseStored,
    RetryScheduled,
    RoundStarted,
    TextStreamed,
    TurnEnded,
)
from coach.faults import FaultPoint
from coach.leases import LeaseLost
from coach.limits import CALLS_PER_TURN, PARTIAL_TEXT_SECONDS, RESPONSE_CHARACTERS, retry_delay
from coach.messages import Call, JSONObject, Part, Text
from coach.models import StopReason, ToolCall, Turn, TurnState
from coach.providers import base
from coach.providers.base import Connection, End, EndReason, Provider, ProviderError
from coach.stopping import StopRequested, StopSignal
from coach.store import Received
from coach.threads import in_database_thread
from coach.tools import registry

STOP_OF_END = {
    EndReason.TRUNCATED: StopReason.PROVIDER_TRUNCATED,
    EndReason.REFUSED: StopReason.PROVIDER_REFUSED,
}


class _Stopped(Exception):
    """Ends the turn for a reason."""

    def __init__(self, reason: StopReason, *, rejection: str = "", diagnostic: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.rejection = rejection
        self.diagnostic = diagnostic


class _Parked(Exception):
    """Leaves the turn to the person."""


async def run(
    turn_id: int,
    *,
    owner: str,
    provider: Provider,
    connection: Connection,
    effort: str = "",
    stop: StopSignal,
) -> AsyncGenerator[HarnessEvent]:
    """Runs a claimed turn until it ends or waits for the person, reporting as it goes.

    The last event is TurnEnded. Raises LeaseLost when another process took the turn over; then
    nothing more was written.
    """
    turn = await in_database_thread(store.load_turn, turn_id)
    turn_run = _TurnRun(turn, owner, provider, connection, effort, stop)
    try:
        async with aclosing(turn_run.rounds()) as events:
            async for event in events:
                yield event
        ending = TurnEnded(TurnState.COMPLETED, "")
        await turn_run.finish()
    except _Parked:
        await in_database_thread(store.park, turn_id, owner)
        ending = TurnEnded(TurnState.AWAITING_CONSENT, "")
    except (_Stopped, StopRequested) as stopped:
        if isinstance(stopped, StopRequested):
            stopped = _Stopped(stopped.reason)
        await turn_run.finish(stopped)
        ending = TurnEnded(TurnState.STOPPED, stopped.reason)
    except (LeaseLost, ledger.Fenced) as lost:
        raise LeaseLost from lost
    except Exception:
        failed = _Stopped(StopReason.LOCAL_FAILURE, diagnostic=traceback.format_exc())
        await turn_run.finish(failed)
        ending = TurnEnded(TurnState.STOPPED, failed.reason)
    yield ending


@dataclass
class _Response:
    """What has come of the response so far."""

    parts: list[Part] = field(default_factory=list)
    usage: base.Usage | None = None
    end: End | None = None
    pieces: list[str] = field(default_factory=list)
    characters: int = 0
    begun: bool = False

    @property
    def text(self) -> str:
        """All of its text, also what stands between its calls."""
        said = [part.text for part in self.parts if isinstance(part, Text)]
        return "".join([*said, *self.pieces])

    def close_text(self) -> None:
        if self.pieces:
            self.parts.append(Text("".join(self.pieces)))
            self.pieces.clear()

    def received(self, error: str = "", diagnostic: str = "") -> Received:
        """As it is to be written down. Of one that broke off, opaque items are of no use to anyone."""
        whole = self.end is not None and self.end.reason in (EndReason.COMPLETE, EndReason.CALLS)
        self.close_text()
        return Received(
            parts=self.parts if whole else list(_broken_off(self.parts)),
            end_reason=self.end.reason if self.end else "",
            provider_request_id=self.end.request_id if self.end else "",
            usage=self.usage,
            error=error,
            diagnostic=diagnostic,
        )


class _TurnRun:
    """The state of one run of one turn."""

    def __init__(
        self,
        turn: Turn,
        owner: str,
        provider: Provider,
        connection: Connection,
        effort: str,
        stop: StopSignal,
    ) -> None:
        self.turn = turn
        self.owner = owner
        self.provider = provider
        self.connection = connection
        self.effort = effort
        self.stop = stop
        self.round = turn.rounds

    async def finish(self, stopped: _Stopped | None = None) -> None:
        await in_database_thread(
            store.finish,
            self.turn,
            self.owner,
            stop_reason=stopped.reason if stopped else None,
            rejection=stopped.rejection if stopped else "",
            diagnostic=stopped.diagnostic if stopped else "",
        )

    async def rounds(self) -> AsyncGenerator[HarnessEvent]:
        """Request, calls, request, calls, … until a response makes no call."""
        pending = await in_database_thread(store.open_calls, self.turn.pk)
        while True:
            async for event in self._run_calls(pending):
                yield event
            if self.round and not pending:
                return
            self.stop.check()
            self.round += 1
            yield RoundStarted(self.round)
            async for event in self._request():
                yield event
            yield ResponseStored(self.round)
            pending = await in_database_thread(store.open_calls, self.turn.pk)
            if pending and self._at_limit(pending):
                raise _Stopped(StopReason.ROUND_LIMIT)

    def _at_limit(self, pending: list[ToolCall]) -> bool:
        # The calls of the last round would run without the model ever seeing what they gave.
        return self.round >= settings.COACH_MAX_ROUNDS or pending[-1].ordinal >= CALLS_PER_TURN

    async def _run_calls(self, pending: list[ToolCall]) -> AsyncIterator[HarnessEvent]:
        """One after the other, in order. One that stops the turn leaves the later ones unrun."""
        for call in pending:
            self.stop.check()
            yield CallStarted(call.pk)
            outcome = await execution.execute(self.turn, call, owner=self.owner)
            if isinstance(outcome, execution.ConsentNeeded):
                yield ConsentAsked(call.pk)
                raise _Parked
            yield CallEnded(call.pk, outcome)
            if outcome.stops_turn:
                raise _Stopped(StopReason.OUTCOME_UNKNOWN)

    async def _request(self) -> AsyncIterator[HarnessEvent]:
        """Asks for the next response, again if need be, until one has begun; writes it down."""
        request = await in_database_thread(self._build_request)
        attempt, waited = 0, 0.0
        while True:
            attempt += 1
            await faults.hit_async(FaultPoint.BEFORE_REQUEST)
            request_id = await in_database_thread(
                store.begin_request, self.turn, self.owner, round=self.round, attempt=attempt
            )
            response = _Response()
            try:
                async with aclosing(self._stream(request, request_id, response)) as events:
                    async for event in events:
                        yield event
            except base.Unavailable as error:
                if response.begun:
                    await self._break_off(request_id, response, base.StreamBroken(repr(error)))
                await in_database_thread(store.fail_request, request_id, _failed(error))
                delay = retry_delay(
                    attempt=attempt,
                    waited=waited,
                    retry_after=error.retry_after,
                    jitter=random.random(),  # noqa: S311  # spreads load, guards nothing
                )
                if delay is None:
                    raise _stop_of(error) from error
                yield RetryScheduled(self.round, attempt, delay)
                await self.stop.wait(delay)
                waited += delay
            except (ProviderError, StopRequested) as error:
                await self._break_off(request_id, response, error)
            except LeaseLost:
                raise
            except Exception:
                # What was seen to arrive is kept, whoever failed.
                await self._save(
                    request_id, response.received(StopReason.LOCAL_FAILURE, traceback.format_exc())
                )
                raise
            else:
                await self._save(request_id, response.received())
                self._check_end(response)
                return

    async def _stream(
        self, request: base.Request, request_id: int, response: _Response
    ) -> AsyncGenerator[HarnessEvent]:
        """Gathers the provider's events into `response` until its own terminal event."""
        sent: list[asyncio.Task[None]] = []

        def record(body: JSONObject) -> None:
            work = in_database_thread(store.record_sent, request_id, body)
            sent.append(asyncio.ensure_future(work))

        written = time.monotonic()
        stream = self.provider.stream(request, connection=self.connection, record=record)
        async with aclosing(stream) as events:  # type: ignore[type-var]  # every adapter is a generator
            try:
                event = await self.stop.race(anext(events, None))
            finally:
                # Whatever came of the request, that it was sent is written down before anything else is.
                await asyncio.gather(*sent)
            while event is not None:
                response.begun = True
                match event:
                    case base.TextDelta(text=text):
                        response.pieces.append(text)
                        response.characters += len(text)
                        if response.characters > RESPONSE_CHARACTERS:
                            response.end = End(EndReason.TRUNCATED)
                            return
                        yield TextStreamed(self.round, text)
                        await faults.hit_async(FaultPoint.MID_STREAM)
                        if time.monotonic() - written > PARTIAL_TEXT_SECONDS:
                            written = time.monotonic()
                            await in_database_thread(
                                store.save_partial, self.turn.pk, self.owner, response.text
                            )
                    case base.Reasoning():
                        yield Reasoning(self.round)
                    case base.OpaqueItem(item=item):
                        response.close_text()
                        response.parts.append(item)
                    case base.ToolCall():
                        response.close_text()
                        response.parts.append(Call(event.id, event.name, event.arguments_text))
                    case base.Usage():
                        response.usage = event
                    case End():
                        response.end = event
                event = await self.stop.race(anext(events, None))
        if response.end is None:
            raise base.StreamBroken("the stream ended without a terminal event")

    async def _break_off(self, request_id: int, response: _Response, error: Exception) -> None:
        """Keeps what came of a response that will not be completed, and stops the turn."""
        stopped = _stop_of(error)
        await self._save(request_id, response.received(stopped.reason, stopped.diagnostic))
        raise stopped from error

    async def _save(self, request_id: int, received: Received) -> None:
        await in_database_thread(
            store.save_response, self.turn, self.owner, request_id, round=self.round, received=received
        )

    def _check_end(self, response: _Response) -> None:
        assert response.end is not None
        if reason := STOP_OF_END.get(response.end.reason):
            raise _Stopped(reason)
        has_calls = any(isinstance(part, Call) for part in response.parts)
        if not has_calls and not response.text.strip():
            raise _Stopped(StopReason.PROVIDER_EMPTY)
        if has_calls and response.end.reason is not EndReason.CALLS:
            raise _Stopped(
                StopReason.PROVIDER_STREAM_BROKEN,
                diagnostic="the response held calls but did not end for them",
            )

    def _build_request(self) -> base.Request:
        recorded = store.recorded_history(self.turn)
        return base.Request(
            model=self.turn.model,
            system=prompts.system_text(self.turn),
            tools=registry.specs(),
            history=history.build(recorded, provider=self.turn.provider),
            situation=prompts.situation(self.turn),
            effort=self.effort,
        )


def _broken_off(parts: Iterable[Part]) -> Iterator[Part]:
    for part in parts:
        match part:
            case Text():
                yield Text(part.text, complete=False)
            case Call():
                yield part


def _failed(error: ProviderError) -> Received:
    return Received(
        error=_stop_of(error).reason, diagnostic=repr(error), provider_request_id=error.request_id
    )


def _stop_of(error: Exception) -> _Stopped:
    match error:
        case StopRequested():
            return _Stopped(error.reason)
        case base.Rejected():
            return _Stopped(StopReason.PROVIDER_REJECTED, rejection=error.reason, diagnostic=repr(error))
        case base.Unavailable():
            return _Stopped(StopReason.PROVIDER_UNAVAILABLE, diagnostic=repr(error))
        case _:
            return _Stopped(StopReason.PROVIDER_STREAM_BROKEN, diagnostic=repr(error))
