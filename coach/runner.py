"""Runs turns as tasks of the server process. A turn belongs to the server, not to a page that shows it."""

import asyncio
import contextvars
import logging
import traceback
from collections.abc import AsyncGenerator, Awaitable, Coroutine
from contextlib import aclosing
from typing import Any, Final

from coach import bus, credentials, harness, leases, live, notices, owners, recovery, store
from coach.events import HarnessEvent
from coach.leases import LeaseLost
from coach.limits import HEARTBEAT_SECONDS
from coach.models import StopReason, Turn
from coach.providers import registry
from coach.providers.base import Rejected
from coach.stopping import StopSignal
from coach.threads import in_database_thread

logger = logging.getLogger(__name__)

RUNNERS: Final = "runners"
"""The group through which a Stop reaches whichever process runs the turn."""

SWEEP_SECONDS: Final = 5.0
SHUTDOWN_SECONDS: Final = 20.0
"""How long the calls in hand may take when the server stops: longer than any one of them may."""


class Runner:
    """The turns that this process runs."""

    def __init__(self) -> None:
        self.owner = owners.mint("runner")
        self.is_closing = False
        self._stops: dict[int, StopSignal] = {}
        self._again: set[int] = set()
        # The event loop keeps only weak references to its tasks.
        self._tasks: set[asyncio.Task[Any]] = set()
        self._background: set[asyncio.Task[Any]] = set()

    def start(self, turn_id: int) -> None:
        """Runs a queued turn, unless another runner claims it first. When closing, leaves it to others."""
        if turn_id in self._stops:
            # It may be a turn that was parked and answered while its last run still says goodbye.
            self._again.add(turn_id)
        elif not self.is_closing:
            self._stops[turn_id] = StopSignal()
            self._spawn(self._run(turn_id, self._stops[turn_id]), self._tasks)

    async def stop(self, turn_id: int) -> None:
        """Passes a person's Stop on to whoever runs the turn."""
        if not self._stop_here(turn_id):
            await bus.publish(RUNNERS, {"type": "turn.stop", "turn_id": turn_id})

    async def open(self) -> None:
        """At server start: settles what an earlier process left, and keeps doing so."""
        self._spawn(self._sweep(), self._background)
        self._spawn(self._listen(), self._background)

    async def close(self) -> None:
        """At server stop: lets each call in hand finish within a limit; stops the turns after it."""
        self.is_closing = True
        for task in self._background:
            task.cancel()
        for stop in self._stops.values():
            stop.set(StopReason.INTERRUPTED)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=SHUTDOWN_SECONDS)

    def _spawn(self, work: Coroutine[Any, Any, None], kept: set[asyncio.Task[Any]]) -> None:
        # A fresh context: the language and the request of whoever sent the message are not the turn's.
        task = asyncio.get_running_loop().create_task(work, context=contextvars.Context())
        kept.add(task)
        task.add_done_callback(kept.discard)

    async def _run(self, turn_id: int, stop: StopSignal) -> None:
        try:
            if not self.is_closing and await in_database_thread(leases.claim, turn_id, self.owner):
                turn = await in_database_thread(store.load_turn, turn_id)
                with notices.spoken_as(turn):
                    await self._run_claimed(turn, stop)
        except LeaseLost:
            logger.warning("turn %s was taken over by another process", turn_id)
        except Exception:
            # Storage is out of reach, or a bug: the lease runs out and the turn is settled then.
            logger.exception("turn %s ended without being settled", turn_id)
        finally:
            del self._stops[turn_id]
            if turn_id in self._again:
                self._again.remove(turn_id)
                self.start(turn_id)

    async def _run_claimed(self, turn: Turn, stop: StopSignal) -> None:
        shown = live.LiveTurn(turn.conversation_id, turn.pk, turn.number, turn.provider)
        try:
            async with aclosing(events_of(turn, owner=self.owner, stop=stop)) as events:
                async for event in events:
                    await _unharmed(shown.follow(event))
        finally:
            await _unharmed(shown.close())

    def _stop_here(self, turn_id: int) -> bool:
        if stop := self._stops.get(turn_id):
            stop.set()
        return stop is not None

    async def _listen(self) -> None:
        async with aclosing(bus.messages(RUNNERS)) as messages:
            async for message in messages:
                self._stop_here(message["turn_id"])

    async def _sweep(self) -> None:
        while True:
            try:
                await settle()
                for turn_id in await in_database_thread(leases.waiting_turns):
                    self.start(turn_id)
            except Exception:
                logger.exception("abandoned turns could not be settled")
            await asyncio.sleep(SWEEP_SECONDS)


async def settle(conversation_id: int | None = None) -> None:
    """Ends the turns whose runner is gone, in one conversation or in all, and shows how they ended."""
    for turn_id in await in_database_thread(recovery.settle_abandoned, conversation_id):
        await _unharmed(_show(turn_id))


async def _show(turn_id: int) -> None:
    turn = await in_database_thread(store.load_turn, turn_id)
    await live.publish_turn(turn.conversation_id, turn.pk, turn.number)


async def _unharmed(showing: Awaitable[None]) -> None:
    """What cannot be shown ends no turn and holds up no other: the rows say it all to whoever reads them."""
    try:
        await showing
    except Turn.DoesNotExist:
        # Its conversation was deleted meanwhile: nobody can look at it any more.
        pass
    except Exception:
        logger.exception("a change could not be shown")


async def events_of(turn: Turn, *, owner: str, stop: StopSignal) -> AsyncGenerator[HarnessEvent]:
    """Runs a turn that `owner` has claimed, with the person's own way to its provider, and keeps its lease.

    Whatever fails before the harness has begun ends the turn too. Raises LeaseLost when another process
    took the turn over.
    """
    heartbeat = asyncio.create_task(_keep_lease(turn.pk, owner, stop))
    try:
        access = await in_database_thread(credentials.access_of, turn.conversation.user, turn.provider)
        run = harness.run(
            turn.pk,
            owner=owner,
            provider=await in_database_thread(registry.provider, turn.provider),
            connection=access.connection,
            effort=access.effort,
            stop=stop,
        )
        async with aclosing(run) as events:
            async for event in events:
                yield event
    except Rejected as error:
        await in_database_thread(
            store.finish,
            turn,
            owner,
            stop_reason=StopReason.PROVIDER_REJECTED,
            rejection=error.reason,
            diagnostic=str(error),
        )
    except LeaseLost:
        raise
    except Exception:
        diagnostic = traceback.format_exc()
        await in_database_thread(
            store.finish, turn, owner, stop_reason=StopReason.LOCAL_FAILURE, diagnostic=diagnostic
        )
    finally:
        heartbeat.cancel()


async def _keep_lease(turn_id: int, owner: str, stop: StopSignal) -> None:
    while True:
        await asyncio.sleep(HEARTBEAT_SECONDS)
        try:
            if not await in_database_thread(leases.renew, turn_id, owner):
                # Nothing that it still waits for can be written down any more.
                stop.set(StopReason.INTERRUPTED)
                return
            # The group message may have been lost; the row cannot be.
            if await in_database_thread(store.is_stop_requested, turn_id):
                stop.set()
        except Exception:
            logger.exception("the lease of turn %s could not be renewed", turn_id)


runner = Runner()
