"""One person cannot take the server from the others, and is told what to do instead."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connections
from django.test import AsyncClient
from django.utils import timezone

from coach import bus, commands, consumers, leases, live, pace, store
from coach.commands import Refused
from coach.live import Change
from coach.models import StopReason, Turn
from coach.providers import registry
from coach.providers.base import End, EndReason, TextDelta
from coach.threads import in_database_thread
from tests.coach.conftest import OWNER, RunTurn, open_turn
from tests.coach.scripted import ScriptedProvider, says
from tests.coach.test_commands import connected, finished

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def _tidy(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    provider = ScriptedProvider(by=lambda request: says("ya"))
    monkeypatch.setattr(registry, "provider", lambda name: provider)
    yield
    await finished()
    await sync_to_async(connections.close_all)()


async def say(user: User) -> None:
    await commands.say(user, None, str(uuid.uuid4()), "hola")


async def in_hand(user: User) -> Turn:
    turn = await in_database_thread(open_turn, user)
    assert await in_database_thread(leases.claim, turn.pk, OWNER)
    return turn


class TestTurns:
    async def test_one_too_many_at_once_waits_for_an_end(
        self, person: User, stranger: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pace, "TURNS_AT_ONCE", 2)
        first, _second = await in_hand(person), await in_hand(person)
        with pytest.raises(Refused, match="Wait for one to end"):
            await say(person)
        await say(stranger)
        await in_database_thread(store.finish, first, OWNER)
        await say(person)

    async def test_that_nobody_works_on_do_not_count(
        self, person: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pace, "TURNS_AT_ONCE", 1)
        left = await in_hand(person)
        over = timezone.now() - timedelta(seconds=1)
        await in_database_thread(Turn.objects.filter(pk=left.pk).update, lease_expires_at=over)
        waiting = await in_hand(person)
        await in_database_thread(store.park, waiting.pk, OWNER)
        await say(person)

    async def test_too_many_within_a_minute(self, person: User, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(settings, "COACH_TURNS_PER_MINUTE", 2)
        for _ in range(2):
            await say(person)
            await finished()
        with pytest.raises(Refused, match="within a minute"):
            await say(person)

    async def test_message_that_was_taken_is_taken_again(
        self, person: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(settings, "COACH_TURNS_PER_MINUTE", 1)
        client_id = str(uuid.uuid4())
        first = await commands.say(person, None, client_id, "hola")
        assert await commands.say(person, None, client_id, "hola") == first

    async def test_response_without_end_is_cut(
        self, run_turn: RunTurn, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("coach.harness.RESPONSE_CHARACTERS", 10)
        pieces = [TextDelta("palabras ")] * 1_000
        ran = await run_turn(ScriptedProvider([*pieces, End(EndReason.COMPLETE)]))
        assert ran.turn.stop_reason == StopReason.PROVIDER_TRUNCATED
        said = await in_database_thread(ran.turn.entries.get, kind="text")
        assert (said.text, said.complete) == ("palabras palabras ", False)


class TestPages:
    async def test_one_too_many_is_told_so(self, person: User, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(consumers, "PAGES_OPEN", 1)
        turn = await in_database_thread(open_turn, person)
        first = await connected(person, turn.conversation_id)
        assert (await first.receive_output(5))["type"] == "websocket.accept"
        second = await connected(person, turn.conversation_id)
        assert (await second.receive_output(5))["type"] == "websocket.accept"
        assert await second.receive_output(5) == {"type": "websocket.close", "code": 4429}
        await second.disconnect()
        await first.disconnect()
        third = await connected(person, turn.conversation_id)
        assert (await third.receive_output(5))["type"] == "websocket.accept"
        await third.send_input({"type": "websocket.receive", "text": json.dumps(RESUME)})
        assert (await third.receive_output(5))["type"] == "websocket.send"
        await third.disconnect()
        assert person.pk not in consumers._pages_of

    async def test_that_hears_nothing_looks_for_itself(
        self, person: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(consumers, "LOOK_SECONDS", 0.05)
        turn = await in_hand(person)
        socket = await connected(person, turn.conversation_id)
        assert (await socket.receive_output(5))["type"] == "websocket.accept"
        await socket.send_input({"type": "websocket.receive", "text": json.dumps(RESUME)})
        assert "data-unfinished" in (await socket.receive_output(5))["text"]
        await bus.publish(live.group_of(turn.conversation_id), dict(whole_of(turn)))
        await socket.receive_output(5)
        await in_database_thread(store.finish, turn, OWNER)
        shown = await socket.receive_output(5)
        assert "data-unfinished" not in shown["text"]
        await socket.disconnect()

    async def test_that_its_groups_forgot_joins_them_again(
        self, person: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(consumers, "LOOK_SECONDS", 0.05)
        turn = await in_hand(person)
        socket = await connected(person, turn.conversation_id)
        assert (await socket.receive_output(5))["type"] == "websocket.accept"
        layer = get_channel_layer()
        for _ in range(2):
            async with asyncio.timeout(5):
                # Each reading of rows lets the page's own work go on.
                while live.group_of(turn.conversation_id) not in layer.groups:
                    await in_database_thread(Turn.objects.count)
            layer.groups.clear()
        await socket.disconnect()

    async def test_that_can_be_told_no_news_is_told_to_try_later(
        self, person: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def join(group: str, channel: str) -> None:
            raise bus.Away

        monkeypatch.setattr(bus, "join", join)
        monkeypatch.setattr(consumers, "PAUSE_SECONDS", 0)
        turn = await in_database_thread(open_turn, person)
        socket = await connected(person, turn.conversation_id)
        assert (await socket.receive_output(5))["type"] == "websocket.accept"
        assert await socket.receive_output(5) == {"type": "websocket.close", "code": 1013}
        assert person.pk not in consumers._pages_of

    async def test_that_takes_nothing_is_let_go_and_holds_up_nobody(
        self, person: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(consumers, "SEND_SECONDS", 0.2)
        turn = await in_hand(person)
        stuck = asyncio.Event()
        inbox: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        page = consumers.CoachConsumer()  # type: ignore[no-untyped-call]

        async def send(message: dict[str, str]) -> None:
            if message["type"] == "websocket.send":
                stuck.set()
                await asyncio.Event().wait()

        client = AsyncClient()
        await client.aforce_login(person)
        scope = {
            "type": "websocket",
            "user": person,
            "session": client.session,
            "url_route": {"kwargs": {"pk": turn.conversation_id}},
        }
        running = asyncio.create_task(page(scope, inbox.get, send))
        await inbox.put({"type": "websocket.connect"})
        await inbox.put({"type": "websocket.receive", "text": json.dumps(RESUME)})
        await asyncio.wait_for(stuck.wait(), 5)

        layer = get_channel_layer()
        for sequence in range(10 * layer.capacity):
            await bus.publish(live.group_of(turn.conversation_id), dict(whole_of(turn, sequence)))
        assert layer.channels[page.channel_name].qsize() <= layer.capacity

        await asyncio.wait_for(running, 5)
        assert not layer.groups.get(live.group_of(turn.conversation_id))
        assert person.pk not in consumers._pages_of


RESUME = {"command": "resume", "last_number": 1}


def whole_of(turn: Turn, sequence: int = 1) -> Change:
    return Change(
        type="turn.changed",
        turn_id=turn.pk,
        number=turn.number,
        run="run",
        sequence=sequence,
        whole=True,
        html="<li data-unfinished></li>",
    )
