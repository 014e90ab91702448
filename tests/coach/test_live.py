"""What an open page is sent: everything once, in order, whatever was dropped or came late."""

import asyncio
import threading
import time
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.contrib.auth.models import User
from django.core.cache import cache

from coach import bus, leases, live, store
from coach.events import RetryScheduled, RoundStarted, TextStreamed
from coach.live import Change, Follower, LiveTurn, Snapshot, _key
from coach.models import Conversation, StopReason, Turn
from coach.streaming import StreamedText, Swap
from coach.threads import in_database_thread
from tests.coach.conftest import OWNER

pytestmark = pytest.mark.django_db(transaction=True)


def change(sequence: int, html: str = "", *, whole: bool = False, run: str = "r", number: int = 1) -> Change:
    return Change(
        type="turn.changed", turn_id=7, number=number, run=run, sequence=sequence, whole=whole, html=html
    )


@pytest.fixture
def in_hand(person: User) -> Turn:
    """Turn 7, which somebody is working on."""
    conversation = Conversation.objects.create(user=person)
    turn = Turn.objects.create(
        pk=7,
        conversation=conversation,
        number=1,
        client_id="00000000-0000-0000-0000-000000000007",
        provider="builtin",
        language="es",
        time_zone="Europe/Madrid",
        prompt_version="1",
    )
    assert leases.claim(turn.pk, OWNER)
    return store.load_turn(turn.pk)


@pytest.fixture
async def follower(in_hand: Turn) -> Follower:
    """A page that shows turn 7 as of flush 3 of run r."""
    await cache.aset(_key(7), Snapshot("r", 3, "<li>three</li>"))
    page = Follower()
    assert "three" in await page.resume([(7, 1)], last_number=1)
    return page


@pytest.fixture(autouse=True)
def _empty_cache() -> Any:
    yield
    cache.clear()


async def test_nothing_is_sent_before_the_page_said_what_it_shows() -> None:
    assert await Follower().fragment_for(change(1, "<li>x</li>", whole=True)) == ""


async def test_next_change_is_forwarded_as_it_is(follower: Follower) -> None:
    assert await follower.fragment_for(change(4, "four")) == "four"
    assert await follower.fragment_for(change(5, "five")) == "five"


async def test_change_that_the_snapshot_held_is_not_sent_again(follower: Follower) -> None:
    assert await follower.fragment_for(change(3, "three")) == ""
    assert await follower.fragment_for(change(2, "<li>two</li>", whole=True)) == ""


async def test_gap_is_filled_by_a_new_snapshot(follower: Follower) -> None:
    await cache.aset(_key(7), Snapshot("r", 6, "<li>six</li>"))
    assert "<li>six</li>" in await follower.fragment_for(change(6, "only six"))
    assert await follower.fragment_for(change(7, "seven")) == "seven"


async def test_another_run_of_the_turn_counts_anew(follower: Follower) -> None:
    assert "again" in await follower.fragment_for(change(1, "<li>again</li>", whole=True, run="s"))
    assert await follower.fragment_for(change(2, "more", run="s")) == "more"


async def test_known_turn_is_replaced_and_new_one_appended_once(follower: Follower) -> None:
    replaced = await follower.fragment_for(change(4, "<li>four</li>", whole=True))
    assert 'hx-target="#turn-7"' in replaced
    added = await follower.fragment_for(change(1, "<li>new</li>", whole=True, number=2, run="n"))
    assert 'hx-target="#transcript" hx-swap="beforeend"' in added


async def test_snapshot_of_a_turn_that_nobody_works_on_any_more_is_not_shown(
    in_hand: Turn, follower: Follower
) -> None:
    await in_database_thread(store.finish, in_hand, OWNER, stop_reason=StopReason.INTERRUPTED)
    shown = await follower.fragment_for(change(9, "far ahead"))
    assert "three" not in shown
    assert "data-unfinished" not in shown


async def test_end_that_was_never_told_is_found_by_looking_again(in_hand: Turn, follower: Follower) -> None:
    assert await follower.look_again() == ""
    await in_database_thread(store.finish, in_hand, OWNER)
    assert 'hx-target="#turn-7"' in await follower.look_again()
    assert await follower.look_again() == ""


async def test_flood_of_pieces_is_a_few_flushes_and_nothing_is_missing(
    in_hand: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "FLUSH_SECONDS", 0.01)
    layer = get_channel_layer()
    page = await layer.new_channel()
    await layer.group_add(live.group_of(in_hand.conversation_id), page)
    shown = LiveTurn(in_hand.conversation_id, in_hand.pk, in_hand.number, in_hand.provider)
    await shown.follow(RoundStarted(1))
    for number in range(5_000):
        await shown.follow(TextStreamed(1, f"w{number} "))
    await shown.show()
    changes: list[Change] = []
    while not changes or changes[-1]["sequence"] != shown._sequence:
        changes.append(await asyncio.wait_for(layer.receive(page), 5))
    assert len(changes) < 10
    assert "w0 " in changes[-1]["html"]
    assert "w4999" in changes[-1]["html"]
    await shown.close()


async def test_slow_way_out_keeps_the_order_of_flushes(
    in_hand: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "FLUSH_SECONDS", 0)
    sent: list[int] = []
    gate = asyncio.Event()

    async def publish(group: str, message: dict[str, Any]) -> None:
        if message["sequence"] == 2:
            started.set()
            await gate.wait()
        sent.append(message["sequence"])

    monkeypatch.setattr(bus, "publish", publish)
    started = asyncio.Event()
    shown = LiveTurn(in_hand.conversation_id, in_hand.pk, in_hand.number, in_hand.provider)
    await shown.follow(RoundStarted(1))
    await shown.follow(TextStreamed(1, "uno"))
    await started.wait()
    showing = asyncio.create_task(shown.show())
    await asyncio.sleep(0)
    gate.set()
    await showing
    assert sent == [1, 2, 3]
    snapshot: Snapshot = await cache.aget(_key(in_hand.pk))
    assert snapshot.sequence == 3
    await shown.close()


async def test_slow_drawing_holds_up_neither_the_loop_nor_the_server(
    in_hand: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_by: list[int] = []

    def slow(streamed: StreamedText, text: str) -> list[Swap]:
        drawn_by.append(threading.get_ident())
        time.sleep(0.05)
        return []

    monkeypatch.setattr(StreamedText, "add", slow)
    shown = LiveTurn(in_hand.conversation_id, in_hand.pk, in_hand.number, in_hand.provider)
    await shown.follow(TextStreamed(1, "uno"))
    await shown.show()
    assert drawn_by
    assert threading.get_ident() not in drawn_by
    assert shown._next_flush_at - time.monotonic() > 0.05
    await shown.close()


async def test_flush_that_failed_is_made_good_by_the_next(
    in_hand: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "FLUSH_SECONDS", 0)
    failed, sent = asyncio.Event(), asyncio.Event()

    async def publish(group: str, message: dict[str, Any]) -> None:
        if message["whole"]:
            return
        if not failed.is_set():
            failed.set()
            raise RuntimeError("this once")
        sent.set()

    monkeypatch.setattr(bus, "publish", publish)
    shown = LiveTurn(in_hand.conversation_id, in_hand.pk, in_hand.number, in_hand.provider)
    await shown.follow(RoundStarted(1))
    await shown.follow(TextStreamed(1, "uno "))
    assert shown._flusher
    await shown._flusher
    assert failed.is_set()
    await shown.follow(TextStreamed(1, "dos"))
    await asyncio.wait_for(sent.wait(), 5)
    snapshot: Snapshot = await cache.aget(_key(in_hand.pk))
    assert "uno dos" in snapshot.html
    await shown.close()


async def test_waiting_for_a_busy_provider_is_over_when_the_answer_comes(in_hand: Turn) -> None:
    shown = LiveTurn(in_hand.conversation_id, in_hand.pk, in_hand.number, "anthropic")
    await shown.follow(RoundStarted(1))
    await shown.follow(RetryScheduled(1, 1, 4.0))
    snapshot: Snapshot = await cache.aget(_key(in_hand.pk))
    assert 'role="status"' in snapshot.html
    await shown.follow(TextStreamed(1, "Son 76 kg."))
    snapshot = await cache.aget(_key(in_hand.pk))
    assert "Son 76 kg." in snapshot.html
    assert 'role="status"' not in snapshot.html
    await shown.close()
