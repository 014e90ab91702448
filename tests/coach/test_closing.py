"""A server that is about to end: what it still does, what it leaves to the next, and how soon it is gone."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db import connections
from django.test import AsyncClient

from coach import commands, leases, store
from coach.commands import Restarting
from coach.models import StopReason, Turn, TurnState
from coach.providers import registry
from coach.providers.base import Provider, Unavailable
from coach.runner import Runner, runner
from coach.threads import in_database_thread
from tests.coach.conftest import open_turn
from tests.coach.scripted import ScriptedProvider, says

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 5.0
"""Seconds that are far more than ending needs, and far less than the wait that it cuts short."""


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[[Provider], None]:
    return lambda provider: monkeypatch.setattr(registry, "provider", lambda name: provider)


@pytest.fixture
async def closing(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """This process is closing."""
    monkeypatch.setattr(runner, "is_closing", True)
    yield
    await sync_to_async(connections.close_all)()


async def as_it_is(turn: Turn) -> Turn:
    return await in_database_thread(store.load_turn, turn.pk)


async def test_turn_that_has_not_begun_is_left_to_another_process(
    person: User, ask: Callable[[Provider], None]
) -> None:
    ask(ScriptedProvider(says("hola")))
    turn = await in_database_thread(open_turn, person, provider="builtin")
    here = Runner()
    here.start(turn.pk)
    await here.close()
    here.start(turn.pk)
    assert not here._tasks
    assert (await as_it_is(turn)).state == TurnState.QUEUED
    there = Runner()
    there.start(turn.pk)
    await asyncio.gather(*there._tasks)
    assert (await as_it_is(turn)).state == TurnState.COMPLETED


async def test_turn_that_waits_to_ask_its_provider_again_ends_at_once(
    person: User, ask: Callable[[Provider], None]
) -> None:
    ask(ScriptedProvider(by=lambda request: [Unavailable("busy", retry_after=30.0)]))
    turn = await in_database_thread(open_turn, person, provider="builtin")
    here = Runner()
    here.start(turn.pk)
    while not await in_database_thread(turn.requests.filter(ended_at__isnull=False).exists):
        pass
    async with asyncio.timeout(AT_ONCE):
        await here.close()
    assert (await as_it_is(turn)).stop_reason == StopReason.INTERRUPTED


@pytest.mark.usefixtures("closing")
async def test_message_is_not_taken_and_the_page_is_told_when_to_come_again(person: User) -> None:
    with pytest.raises(Restarting):
        await commands.say(person, None, str(uuid.uuid4()), "hola")
    client = AsyncClient()
    await client.aforce_login(person)
    message = {"text": "hola", "client_id": str(uuid.uuid4())}
    answer: Any = await client.post("/coach/say/", message, headers={"accept": "application/json"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert not await in_database_thread(Turn.objects.exists)


async def test_message_after_a_crash_is_taken_at_once(person: User, ask: Callable[[Provider], None]) -> None:
    ask(ScriptedProvider(says("aquí estoy")))
    left = await in_database_thread(open_turn, person, provider="builtin")
    host = runner.owner.split(":")[1]
    # No process has that number: Linux gives none above 2^22.
    assert await in_database_thread(leases.claim, left.pk, f"runner:{host}:99999999:gone")
    taken = await commands.say(person, left.conversation_id, str(uuid.uuid4()), "¿sigues ahí?")
    await asyncio.gather(*runner._tasks)
    assert (await as_it_is(left)).stop_reason == StopReason.INTERRUPTED
    turn = await in_database_thread(Turn.objects.get, pk=taken.turn_id)
    assert turn.state == TurnState.COMPLETED
