"""Turns run as tasks of the server: leased, stoppable from anywhere, finished or settled, never doubled."""

import asyncio
import datetime as dt
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.contrib.auth.models import User
from django.utils import timezone, translation

from coach import commands, leases, live, rendering, runner, store
from coach.models import StopReason, Turn, TurnState
from coach.providers import registry
from coach.providers.base import Event, TextDelta
from coach.runner import Runner
from coach.threads import in_database_thread
from measurements.models import Measurement, Revision
from tests.coach.conftest import open_turn
from tests.coach.scripted import ScriptedProvider, calls, says
from tests.conftest import SetFaults

pytestmark = pytest.mark.django_db(transaction=True)

VALUES = [{"metric": "weight", "value": 77.4, "unit": "kg"}]
WRITE = "write_measurement", {"date": "2020-01-04", "values": VALUES}


class Endless(ScriptedProvider):
    """Begins an answer and never ends it; a test waits for `begun`."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()

    async def stream(self, *args: Any, **kwargs: Any) -> AsyncGenerator[Event]:
        yield TextDelta("Empiezo")
        self.begun.set()
        await asyncio.Event().wait()


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[[ScriptedProvider], None]:
    """Whom the turns of the test ask."""
    return lambda provider: monkeypatch.setattr(registry, "provider", lambda name: provider)


@pytest.fixture
async def here() -> AsyncIterator[Runner]:
    """This server process."""
    process = Runner()
    yield process
    await process.close()


async def queued(person: User) -> Turn:
    return await in_database_thread(open_turn, person, provider="builtin")


async def as_it_is(turn: Turn) -> Turn:
    return await in_database_thread(store.load_turn, turn.pk)


async def ended(process: Runner) -> None:
    while process._tasks:
        await asyncio.gather(*process._tasks)


async def test_turn_runs_once_however_often_and_wherever_it_is_started(
    person: User, here: Runner, ask: Callable[[ScriptedProvider], None]
) -> None:
    provider = ScriptedProvider(says("hola"))
    ask(provider)
    turn = await queued(person)
    there = Runner()
    for process in (here, there, here):
        process.start(turn.pk)
    await ended(here)
    await ended(there)
    assert len(provider.requests) == 1
    assert (await as_it_is(turn)).state == TurnState.COMPLETED


async def test_turn_speaks_its_own_language_whoever_sent_it(
    person: User, here: Runner, ask: Callable[[ScriptedProvider], None]
) -> None:
    heard: list[str | None] = []

    class Listener(ScriptedProvider):
        async def stream(self, *args: Any, **kwargs: Any) -> AsyncGenerator[Event]:
            heard.append(translation.get_language())
            async for event in super().stream(*args, **kwargs):
                yield event

    ask(Listener(says("hola")))
    turn = await queued(person)
    with translation.override("pt-br"):
        here.start(turn.pk)
    await ended(here)
    assert heard == ["es"]


async def test_stop_in_this_process_keeps_what_was_said(
    person: User, here: Runner, ask: Callable[[ScriptedProvider], None]
) -> None:
    ask(provider := Endless())
    turn = await queued(person)
    here.start(turn.pk)
    await provider.begun.wait()
    await here.stop(turn.pk)
    await ended(here)
    turn = await as_it_is(turn)
    assert turn.stop_reason == StopReason.CANCELLED
    assert await in_database_thread(turn.entries.filter(text="Empiezo", complete=False).exists)


async def test_stop_reaches_the_process_that_runs_the_turn(
    person: User, here: Runner, ask: Callable[[ScriptedProvider], None]
) -> None:
    ask(provider := Endless())
    turn = await queued(person)
    await here.open()
    here.start(turn.pk)
    await provider.begun.wait()
    await Runner().stop(turn.pk)
    await ended(here)
    assert (await as_it_is(turn)).stop_reason == StopReason.CANCELLED


async def test_stop_whose_message_was_lost_is_found_in_the_row(
    person: User,
    here: Runner,
    ask: Callable[[ScriptedProvider], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner, "HEARTBEAT_SECONDS", 0.01)
    ask(provider := Endless())
    turn = await queued(person)
    here.start(turn.pk)
    await provider.begun.wait()
    assert await in_database_thread(store.request_stop, turn.pk)
    await ended(here)
    assert (await as_it_is(turn)).stop_reason == StopReason.CANCELLED


async def test_heartbeat_keeps_the_lease(
    person: User,
    here: Runner,
    ask: Callable[[ScriptedProvider], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner, "HEARTBEAT_SECONDS", 0.01)
    ask(provider := Endless())
    turn = await queued(person)
    here.start(turn.pk)
    await provider.begun.wait()
    nearly_over = timezone.now() + dt.timedelta(seconds=1)
    await in_database_thread(Turn.objects.filter(pk=turn.pk).update, lease_expires_at=nearly_over)
    while True:
        expires = (await as_it_is(turn)).lease_expires_at
        assert expires is not None
        if expires > nearly_over + dt.timedelta(seconds=5):
            break


async def test_turn_taken_over_by_another_is_left_to_it(
    person: User, here: Runner, ask: Callable[[ScriptedProvider], None], faults: SetFaults
) -> None:
    class Slow(ScriptedProvider):
        async def stream(self, *args: Any, **kwargs: Any) -> AsyncGenerator[Event]:
            await in_database_thread(Turn.objects.filter(pk=turn.pk).update, lease_owner="another")
            async for event in super().stream(*args, **kwargs):
                yield event

    ask(Slow(calls(WRITE), says("ya")))
    turn = await queued(person)
    here.start(turn.pk)
    await ended(here)
    turn = await as_it_is(turn)
    assert (turn.state, turn.lease_owner) == (TurnState.RUNNING, "another")
    assert not await in_database_thread(Measurement.objects.exists)


async def test_server_that_ends_stops_its_turns_as_interrupted(
    person: User, here: Runner, ask: Callable[[ScriptedProvider], None]
) -> None:
    ask(provider := Endless())
    turn = await queued(person)
    here.start(turn.pk)
    await provider.begun.wait()
    await here.close()
    turn = await as_it_is(turn)
    assert (turn.state, turn.stop_reason) == (TurnState.STOPPED, StopReason.INTERRUPTED)


async def test_server_that_ends_finishes_the_write_in_hand(
    person: User, here: Runner, ask: Callable[[ScriptedProvider], None], faults: SetFaults
) -> None:
    faults(in_handler="hang:0.3")
    ask(ScriptedProvider(calls(WRITE), says("nunca")))
    turn = await queued(person)
    here.start(turn.pk)
    while not await in_database_thread(turn.calls.filter(state="running").exists):
        pass
    await here.close()
    call = await in_database_thread(turn.calls.get)
    assert call.state == "succeeded"
    assert await in_database_thread(Measurement.objects.count) == 1
    assert (await as_it_is(turn)).stop_reason == StopReason.INTERRUPTED


async def test_lost_lease_cuts_the_wait_for_the_provider_short(
    person: User,
    here: Runner,
    ask: Callable[[ScriptedProvider], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner, "HEARTBEAT_SECONDS", 0.01)
    provider = Endless()
    ask(provider)
    turn = await queued(person)
    here.start(turn.pk)
    await asyncio.wait_for(provider.begun.wait(), 5)
    await in_database_thread(Turn.objects.filter(pk=turn.pk).update, lease_owner="another process")
    await asyncio.wait_for(ended(here), 5)
    assert (await as_it_is(turn)).state == TurnState.RUNNING


async def test_server_that_starts_settles_and_shows_what_another_left(person: User, here: Runner) -> None:
    turn = await queued(person)
    assert await in_database_thread(leases.claim, turn.pk, "a process that was killed")
    over = timezone.now() - dt.timedelta(seconds=1)
    await in_database_thread(Turn.objects.filter(pk=turn.pk).update, lease_expires_at=over)
    layer = get_channel_layer()
    page = await layer.new_channel()
    await layer.group_add(live.group_of(turn.conversation_id), page)

    await here.open()

    shown = await asyncio.wait_for(layer.receive(page), 5)
    assert (shown["turn_id"], shown["whole"]) == (turn.pk, True)
    assert "data-unfinished" not in shown["html"]
    assert (await as_it_is(turn)).stop_reason == StopReason.INTERRUPTED


async def test_change_shows_the_turn_that_it_overtook_again(
    person: User, ask: Callable[[ScriptedProvider], None]
) -> None:
    corrected = [{"metric": "weight", "value": 77.2, "unit": "kg"}]
    again = "write_measurement", {"date": "2020-01-04", "values": corrected, "replace": True}
    ask(ScriptedProvider(calls(WRITE), says("ya"), calls(again), says("ya")))
    first = await commands.say(person, None, str(uuid.uuid4()), "anota 77,4")
    await ended(runner.runner)
    layer = get_channel_layer()
    page = await layer.new_channel()
    await layer.group_add(live.group_of(first.conversation_id), page)

    async def first_turn_shown() -> str:
        while True:
            shown = await asyncio.wait_for(layer.receive(page), 5)
            if shown["turn_id"] == first.turn_id:
                return str(shown["html"])

    second = await commands.say(person, first.conversation_id, str(uuid.uuid4()), "no, 77,2")
    await ended(runner.runner)
    html = await first_turn_shown()
    assert "receipt-saved" in html
    assert 'data-command="undo"' not in html

    change = await in_database_thread(Revision.objects.get, reference=f"{second.turn_id}.0")
    await commands.undo(person, change.pk)
    assert 'data-command="undo"' in await first_turn_shown()


async def test_what_cannot_be_shown_ends_no_turn(
    person: User,
    here: Runner,
    ask: Callable[[ScriptedProvider], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ask(ScriptedProvider(calls(WRITE), says("ya está")))
    turn = await queued(person)

    def broken(*args: Any, **kwargs: Any) -> str:
        raise RuntimeError("a template is broken")

    monkeypatch.setattr(rendering, "turn_html", broken)
    here.start(turn.pk)
    await ended(here)
    assert (await as_it_is(turn)).state == TurnState.COMPLETED


async def test_failure_before_the_harness_begins_ends_the_turn_at_once(
    person: User, here: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = await queued(person)

    def missing(name: str) -> None:
        raise ImportError("the SDK is not installed")

    monkeypatch.setattr(registry, "provider", missing)
    here.start(turn.pk)
    await ended(here)
    turn = await as_it_is(turn)
    assert turn.stop_reason == StopReason.LOCAL_FAILURE
    assert "the SDK is not installed" in turn.diagnostic


async def test_turn_answered_while_its_last_run_says_goodbye_goes_on(
    person: User,
    here: Runner,
    ask: Callable[[ScriptedProvider], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    delete = "delete_measurement", {"date": "2020-01-04", "metric": "weight"}
    ask(ScriptedProvider(calls(WRITE), calls(delete), says("borrado")))
    turn = await queued(person)
    close = live.LiveTurn.close

    async def answered_in_the_midst(shown: live.LiveTurn) -> None:
        await close(shown)
        call = await in_database_thread(turn.calls.get, tool="delete_measurement")
        if await in_database_thread(store.answer_consent, call.pk, granted=True):
            here.start(turn.pk)

    monkeypatch.setattr(live.LiveTurn, "close", answered_in_the_midst)
    here.start(turn.pk)
    await ended(here)
    assert (await as_it_is(turn)).state == TurnState.COMPLETED


async def test_deleting_the_conversation_of_a_running_turn_ends_it_quietly(
    person: User,
    here: Runner,
    ask: Callable[[ScriptedProvider], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    ask(provider := Endless())
    turn = await queued(person)
    here.start(turn.pk)
    await provider.begun.wait()
    await in_database_thread(commands.delete, person, turn.conversation_id)
    await here.stop(turn.pk)
    await ended(here)
    assert not await in_database_thread(Turn.objects.exists)
    assert [record for record in caplog.records if record.exc_info] == []
