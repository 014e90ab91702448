"""Storage that is locked, full or read-only in the middle of a write: each ends in the right outcome."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection

from coach import ledger, recovery
from coach.contract import Outcome
from coach.models import CallState, StopReason, ToolCall, TurnState, Verification
from coach.threads import in_database_thread
from coach.tools import registry
from coach.tools.base import Tool, ToolContext
from measurements.models import Measurement
from tests.coach.conftest import drive, open_turn
from tests.coach.scripted import ScriptedProvider, calls, says

pytestmark = pytest.mark.django_db(transaction=True)

WRITE = (
    "write_measurement",
    {"date": "2020-01-03", "values": [{"metric": "weight", "value": 77.4, "unit": "kg"}]},
)


@pytest.fixture
def on_sqlite() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("these faults are SQLite's own")


def spoiled(monkeypatch: pytest.MonkeyPatch, spoil: Any) -> None:
    """The write's handler does its work, and then storage fails under it."""
    tool: Tool[Any] = registry.TOOLS["write_measurement"]

    def handler(context: ToolContext, arguments: Any) -> Any:
        content = tool.handler(context, arguments)
        spoil()
        return content

    monkeypatch.setitem(registry.TOOLS, tool.name, replace(tool, handler=handler))


async def one_call() -> ToolCall:
    return await in_database_thread(ToolCall.objects.get)


async def test_full_disk_ends_not_saved(
    on_sqlite: None, person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill() -> None:
        raw = connection.connection
        (pages,) = raw.execute("PRAGMA page_count").fetchone()
        raw.execute(f"PRAGMA max_page_count = {pages}")
        try:
            Measurement.objects.update(note="x" * 1_000_000)
        finally:
            raw.execute("PRAGMA max_page_count = 1073741823")

    spoiled(monkeypatch, fill)
    provider = ScriptedProvider(calls(WRITE))
    ran = await drive(await in_database_thread(open_turn, person), provider)
    assert (ran.turn.stop_reason, len(provider.requests)) == (StopReason.OUTCOME_UNKNOWN, 1)
    assert "full" in ran.calls[0].diagnostic
    assert ran.calls[0].verification == Verification.NOT_SAVED
    assert not await in_database_thread(Measurement.objects.exists)


async def test_read_only_database_ends_not_saved(
    on_sqlite: None, person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def freeze() -> None:
        # Past Django, which refuses any statement after the error.
        raw = connection.connection
        raw.execute("PRAGMA query_only = ON")
        try:
            Measurement.objects.update(note="x")
        finally:
            raw.execute("PRAGMA query_only = OFF")

    spoiled(monkeypatch, freeze)
    ran = await drive(await in_database_thread(open_turn, person), ScriptedProvider(calls(WRITE)))
    assert ran.turn.stop_reason == StopReason.OUTCOME_UNKNOWN
    assert ran.calls[0].verification == Verification.NOT_SAVED


async def test_database_locked_by_another_is_unknown_then_checked(
    on_sqlite: None, person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process holds the write lock past the busy time-out: the write never began."""
    turn = await in_database_thread(open_turn, person)
    original = ledger.commit_effect
    path = str(connection.settings_dict["NAME"])

    def locked(call_id: int, work: Any, **more: Any) -> Outcome:
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            connection.ensure_connection()
            connection.connection.execute("PRAGMA busy_timeout = 50")
            try:
                return original(call_id, work, **more)
            finally:
                connection.connection.execute("PRAGMA busy_timeout = 10000")
                other.rollback()

    monkeypatch.setattr(ledger, "commit_effect", locked)
    ran = await drive(turn, ScriptedProvider(calls(WRITE)))
    assert "locked" in ran.calls[0].diagnostic
    assert ran.turn.stop_reason == StopReason.OUTCOME_UNKNOWN
    assert ran.calls[0].verification == Verification.NOT_SAVED


async def test_storage_out_of_reach_stays_open_and_is_checked_later(
    person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = await in_database_thread(open_turn, person)

    def fail(call_id: int, work: Any, **more: Any) -> Outcome:
        raise OperationalError("server closed the connection unexpectedly")

    reachable = ledger.verify
    monkeypatch.setattr(ledger, "commit_effect", fail)
    monkeypatch.setattr(ledger, "verify", lambda *_args, **_more: Verification.OPEN)
    ran = await drive(turn, ScriptedProvider(calls(WRITE)))
    (call,) = ran.calls
    assert (call.state, call.verification) == (CallState.RUNNING, Verification.OPEN)
    assert ran.turn.state == TurnState.STOPPED

    monkeypatch.setattr(ledger, "verify", reachable)
    await in_database_thread(recovery.settle_abandoned, turn.conversation_id)
    assert (await one_call()).verification == Verification.NOT_SAVED


async def test_conversation_goes_on_afterwards(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    original = ledger.commit_effect

    def fail_once(call_id: int, work: Any, **more: Any) -> Outcome:
        monkeypatch.setattr(ledger, "commit_effect", original)
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(ledger, "commit_effect", fail_once)
    first = await in_database_thread(open_turn, person)
    await drive(first, ScriptedProvider(calls(WRITE)))
    again = await in_database_thread(open_turn, person, conversation_id=first.conversation_id)
    second = await drive(again, ScriptedProvider(calls(WRITE), says("listo")))
    assert second.turn.state == TurnState.COMPLETED
    assert await in_database_thread(Measurement.objects.count) == 1
