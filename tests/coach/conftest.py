"""Turns, run by the real harness on a real database with a provider that a test scripts."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User

from coach import harness, leases, prompts, store
from coach.events import HarnessEvent, TurnEnded
from coach.models import ModelRequest, ToolCall, Turn
from coach.providers.base import Connection, Provider
from coach.stopping import StopSignal
from coach.threads import in_database_thread
from tests.coach.scripted import ScriptedProvider

OWNER = "test"


@dataclass
class Ran:
    """A turn that was run, with its rows as they stand afterwards."""

    turn: Turn
    events: list[HarnessEvent]
    calls: list[ToolCall]
    requests: list[ModelRequest]

    @property
    def end(self) -> TurnEnded:
        last = self.events[-1]
        assert isinstance(last, TurnEnded)
        return last


type RunTurn = Callable[..., Awaitable[Ran]]


def open_turn(
    user: User, text: str = "hola", *, conversation_id: int | None = None, provider: str = "scripted"
) -> Turn:
    new = store.NewTurn(
        client_id=uuid.uuid4(),
        provider=provider,
        model="m",
        language="es",
        time_zone="Europe/Madrid",
        prompt_version=prompts.VERSION,
    )
    return store.open_turn(user.pk, conversation_id, text, new).turn


async def drive(turn: Turn, provider: Provider, *, stop: StopSignal | None = None, owner: str = OWNER) -> Ran:
    assert await in_database_thread(leases.claim, turn.pk, owner)
    run = harness.run(
        turn.pk, owner=owner, provider=provider, connection=Connection(), stop=stop or StopSignal()
    )
    events = [event async for event in run]
    return await in_database_thread(rows_of, turn.pk, events)


def rows_of(turn_id: int, events: list[HarnessEvent]) -> Ran:
    turn = store.load_turn(turn_id)
    return Ran(turn, events, list(turn.calls.all()), list(turn.requests.all()))


@pytest.fixture
def run_turn(transactional_db: None, person: User) -> RunTurn:
    """Opens a turn with a text and runs it against a scripted provider."""

    async def run(
        provider: ScriptedProvider, text: str = "hola", *, conversation_id: int | None = None
    ) -> Ran:
        turn = await in_database_thread(open_turn, person, text, conversation_id=conversation_id)
        return await drive(turn, provider)

    return run
