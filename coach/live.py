"""The live side of a turn: coalesced changes, numbered, with a snapshot for whoever comes late.

Channel layers may drop messages and pages come and go. Each flush first writes a snapshot to the
cache, then publishes the change under the same number; a page that misses a number takes the
snapshot again, so that nothing is lost or shown twice. What is in hand no longer is shown from rows.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from django.core.cache import cache

from coach import bus, notices, rendering, store
from coach.events import (
    HarnessEvent,
    ResponseStored,
    RetryScheduled,
    RoundStarted,
    TextStreamed,
    TurnEnded,
)
from coach.streaming import StreamedText, Swap
from coach.threads import in_database_thread

logger = logging.getLogger(__name__)

FLUSH_SECONDS: Final = 0.05
PAUSE_FACTOR: Final = 4
"""How many times what drawing took the next flush waits: slow texts take a small part of the server."""
SNAPSHOT_SECONDS: Final = 3600


class Change(TypedDict):
    """What is published: a whole turn when `whole`, else the swaps that follow number `sequence - 1`.

    Numbers count within a `run`, since a turn that was parked runs again; rows alone have no run.
    """

    type: str
    turn_id: int
    number: int
    run: str
    sequence: int
    whole: bool
    html: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    run: str
    sequence: int
    html: str


def group_of(conversation_id: int) -> str:
    return f"conversation.{conversation_id}"


async def snapshot_of(turn_id: int) -> Snapshot:
    """The turn as the last flush left it; from rows alone when nobody is working on it."""
    return await in_database_thread(_snapshot_of, turn_id)


def _snapshot_of(turn_id: int) -> Snapshot:
    # A snapshot outlives a process that was killed; the lease does not.
    held: Snapshot | None = cache.get(_key(turn_id)) if store.is_in_hand(turn_id) else None
    return held or Snapshot("", 0, rendering.turn_html(turn_id))


def held_html(turn_id: int) -> str:
    """The turn as the last flush left it; empty when nobody is working on it."""
    held: Snapshot | None = cache.get(_key(turn_id))
    return held.html if held else ""


def _key(turn_id: int) -> str:
    return f"live-turn:{turn_id}"


async def publish_turn(conversation_id: int, turn_id: int, number: int) -> None:
    """Shows a turn that nobody is working on as its rows are now."""
    html = await in_database_thread(rendering.turn_html, turn_id)
    change = Change(
        type="turn.changed", turn_id=turn_id, number=number, run="", sequence=0, whole=True, html=html
    )
    await _send(conversation_id, change)


async def publish_overtaken(conversation_id: int, turn_id: int) -> None:
    """Shows again the turns whose receipts lost their Undo, because this one changed their records."""
    for other_id, number in await in_database_thread(rendering.overtaken_by, turn_id):
        await publish_turn(conversation_id, other_id, number)


async def _send(conversation_id: int, change: Change) -> None:
    await bus.publish(group_of(conversation_id), dict(change))


class LiveTurn:
    """Follows the events of one turn and shows them to every open page of its conversation."""

    def __init__(self, conversation_id: int, turn_id: int, number: int, provider: str) -> None:
        self.conversation_id = conversation_id
        self.turn_id = turn_id
        self.number = number
        self.provider = provider
        self._run = uuid.uuid4().hex
        self._sequence = 0
        self._rows_html = ("", "")
        self._status = ""
        self._streamed = StreamedText(f"stream-{turn_id}-0")
        self._waiting: list[str] = []
        self._flusher: asyncio.Task[None] | None = None
        self._is_publishing = False
        self._next_flush_at = 0.0

    async def follow(self, event: HarnessEvent) -> None:
        """Shows what one event changed: text soon, together with what comes with it; all else at once."""
        match event:
            case TextStreamed(text=text):
                self._waiting.append(text)
                if self._status:
                    # What it says is over: the answer comes.
                    await self.show()
                elif self._flusher is None:
                    self._flusher = asyncio.create_task(self._flush())
            case RoundStarted(round=number):
                self._streamed = StreamedText(f"stream-{self.turn_id}-{number}")
                await self.show()
            case RetryScheduled(delay=delay):
                await self.show(notices.retry_notice(self.provider, delay))
            case ResponseStored():
                await self._stop_flushing()
                self._waiting.clear()
                self._streamed = StreamedText(f"stream-{self.turn_id}-stored")
                await self.show()
            case TurnEnded():
                # What ended is shown by `close`, from rows alone.
                pass
            case _:
                await self.show()

    async def show(self, status: str = "") -> None:
        """Shows the whole turn again, from its rows and what streams."""
        await self._stop_flushing()
        self._status = status
        await self._draw_waiting()
        self._rows_html = await in_database_thread(self._render)
        self._sequence += 1
        await self._publish(whole=True, html=self._html())

    async def close(self) -> None:
        """Ends the live side: from here on the rows say everything."""
        await self._stop_flushing()
        await in_database_thread(cache.delete, _key(self.turn_id))
        await publish_turn(self.conversation_id, self.turn_id, self.number)
        await publish_overtaken(self.conversation_id, self.turn_id)

    def _render(self) -> tuple[str, str]:
        html = rendering.turn_html(self.turn_id, streamed=_HOLE, status=self._status)
        before, _, after = html.partition(_HOLE)
        return before, after

    async def _flush(self) -> None:
        """One flush after the other, however long each takes, until nothing waits."""
        try:
            while self._waiting:
                await asyncio.sleep(max(0.0, self._next_flush_at - time.monotonic()))
                self._is_publishing = True
                if swaps := await self._draw_waiting():
                    self._sequence += 1
                    await self._publish(whole=False, html="".join(str(swap) for swap in swaps))
                self._is_publishing = False
        except Exception:
            # The pages miss this number, and take the snapshot at the next.
            logger.exception("a part of turn %s could not be shown", self.turn_id)
        finally:
            self._is_publishing = False
            self._flusher = None

    async def _draw_waiting(self) -> list[Swap]:
        text = "".join(self._waiting)
        self._waiting.clear()
        begun = time.monotonic()
        # In a thread: Markdown is slow where a block is long, and everybody else waits for this loop.
        swaps = await in_database_thread(self._streamed.add, text) if text else []
        ended = time.monotonic()
        self._next_flush_at = ended + max(FLUSH_SECONDS, PAUSE_FACTOR * (ended - begun))
        return swaps

    async def _stop_flushing(self) -> None:
        if (flusher := self._flusher) is not None:
            # Never in the midst of it: its snapshot would come after a newer one.
            if not self._is_publishing:
                flusher.cancel()
            await asyncio.gather(flusher, return_exceptions=True)
            self._flusher = None

    def _html(self) -> str:
        before, after = self._rows_html
        return before + self._streamed.html() + after

    async def _publish(self, *, whole: bool, html: str) -> None:
        snapshot = Snapshot(self._run, self._sequence, self._html())
        await in_database_thread(cache.set, _key(self.turn_id), snapshot, SNAPSHOT_SECONDS)
        change = Change(
            type="turn.changed",
            turn_id=self.turn_id,
            number=self.number,
            run=self._run,
            sequence=self._sequence,
            whole=whole,
            html=html,
        )
        await _send(self.conversation_id, change)


_HOLE = "<!--stream-->"


class Follower:
    """What one open page has been shown, and so what it must be shown next.

    Before the page has said what it shows, nothing is sent: `resume` then brings it all.
    """

    def __init__(self) -> None:
        self._seen: dict[int, tuple[str, int]] = {}
        self._numbers: dict[int, int] = {}
        self._last_number: int | None = None

    async def resume(self, turns: Sequence[tuple[int, int]], last_number: int) -> str:
        """Brings a page that shows the turns up to `last_number` up to date with `turns` (key, number)."""
        self._last_number = last_number
        return "".join([await self._whole(turn_id, number) for turn_id, number in turns])

    async def fragment_for(self, change: Change) -> str:
        """The fragment to send for a change, or an empty one when the page has it already."""
        if self._last_number is None:
            return ""
        turn_id, sequence = change["turn_id"], change["sequence"]
        run, seen = self._seen.get(turn_id, ("", 0))
        if change["run"] and change["run"] == run and sequence <= seen:
            return ""
        if change["whole"]:
            self._note(turn_id, change["number"], change["run"], sequence)
            return self._place(turn_id, change["number"], change["html"])
        if change["run"] == run and sequence == seen + 1:
            self._seen[turn_id] = (run, sequence)
            return change["html"]
        return await self._whole(turn_id, change["number"])

    async def look_again(self) -> str:
        """What to send of turns that the page shows in hand and that are not: their end never came."""
        shown = [turn_id for turn_id, (run, _sequence) in self._seen.items() if run]
        over = [turn_id for turn_id in shown if not await in_database_thread(store.is_in_hand, turn_id)]
        return "".join([await self._whole(turn_id, self._numbers[turn_id]) for turn_id in over])

    async def _whole(self, turn_id: int, number: int) -> str:
        snapshot = await snapshot_of(turn_id)
        self._note(turn_id, number, snapshot.run, snapshot.sequence)
        return self._place(turn_id, number, snapshot.html)

    def _note(self, turn_id: int, number: int, run: str, sequence: int) -> None:
        self._seen[turn_id] = (run, sequence)
        self._numbers[turn_id] = number

    def _place(self, turn_id: int, number: int, html: str) -> str:
        if self._last_number is None or number > self._last_number:
            self._last_number = number
            return str(Swap("#transcript", "beforeend", html))
        return str(Swap(f"#turn-{turn_id}", "outerHTML", html))
