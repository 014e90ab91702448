"""What a person may tell the Coach's page, over the socket and by form; and what a stranger may not."""

import asyncio
import datetime as dt
import json
import uuid
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connections
from django.test import AsyncClient

from coach import bus, commands, consumers, leases, live
from coach.commands import Refused
from coach.models import CallState, Conversation, StopReason, ToolCall, Turn, TurnState, Verification
from coach.providers import registry
from coach.runner import runner
from coach.threads import in_database_thread
from gymnasia.asgi import application
from measurements.models import Measurement, Source
from measurements.services import Moment, NewValue, Origin, record_measurements
from tests.coach.conftest import open_turn
from tests.coach.scripted import ScriptedProvider, calls, says
from tests.conftest import SetFaults

pytestmark = pytest.mark.django_db(transaction=True)

WRITE = (
    "write_measurement",
    {"date": "2020-01-04", "values": [{"metric": "weight", "value": 77.4, "unit": "kg"}]},
)
DELETE = "delete_measurement", {"date": "2020-01-04", "metric": "weight"}


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> ScriptedProvider:
    """Stands for the built-in coach; a test fills in its scripts."""
    provider = ScriptedProvider()
    monkeypatch.setattr(registry, "provider", lambda name: provider)
    return provider


@pytest.fixture(autouse=True)
async def _no_turn_outlives_its_test() -> AsyncIterator[None]:
    yield
    await finished()
    # Signing in by AsyncClient leaves a connection in the thread that Django runs synchronous code on.
    await sync_to_async(connections.close_all)()


async def finished() -> None:
    """All turns of this process have ended."""
    while runner._tasks:
        await asyncio.gather(*runner._tasks, return_exceptions=True)


async def said(user: User, text: str = "hola", conversation_id: int | None = None) -> Turn:
    taken = await commands.say(user, conversation_id, str(uuid.uuid4()), text)
    await finished()
    return await in_database_thread(Turn.objects.get, pk=taken.turn_id)


async def one_call(**facts: Any) -> ToolCall:
    return await in_database_thread(ToolCall.objects.get, **facts)


class TestSaying:
    async def test_opens_a_conversation_and_answers(self, person: User, scripted: ScriptedProvider) -> None:
        scripted.scripts = [says("buenas")]
        turn = await said(person)
        assert (turn.state, turn.language, turn.time_zone) == (TurnState.COMPLETED, "es", "Europe/Madrid")

    async def test_same_client_id_runs_once(self, person: User, scripted: ScriptedProvider) -> None:
        scripted.scripts = [says("buenas")]
        client_id = str(uuid.uuid4())
        first = await commands.say(person, None, client_id, "hola")
        again = await commands.say(person, None, client_id, "hola")
        await finished()
        assert first == again
        assert len(scripted.requests) == 1

    @pytest.mark.parametrize("text", ["", "  \n ", "x" * 8_001])
    async def test_empty_or_endless_is_refused_in_words(self, person: User, text: str) -> None:
        with pytest.raises(Refused) as refused:
            await commands.say(person, None, str(uuid.uuid4()), text)
        assert refused.value.message
        assert not await in_database_thread(Turn.objects.exists)

    async def test_bad_client_id_is_refused(self, person: User) -> None:
        with pytest.raises(Refused):
            await commands.say(person, None, "not-an-id", "hola")

    async def test_provider_without_a_key_stops_the_turn_and_keeps_the_text(
        self, person: User, scripted: ScriptedProvider
    ) -> None:
        conversation = await in_database_thread(
            Conversation.objects.create, user=person, provider="anthropic"
        )
        turn = await said(person, conversation_id=conversation.pk)
        assert (turn.stop_reason, turn.rejection) == (StopReason.PROVIDER_REJECTED, "auth")
        assert scripted.requests == []


class TestConsent:
    async def ask(self, person: User, scripted: ScriptedProvider) -> ToolCall:
        scripted.scripts = [calls(WRITE), says("ya"), calls(DELETE), says("listo")]
        turn = await said(person)
        asking = await said(person, "borra", turn.conversation_id)
        assert asking.state == TurnState.AWAITING_CONSENT
        return await one_call(tool="delete_measurement")

    async def test_nothing_is_deleted_before_the_answer(
        self, person: User, scripted: ScriptedProvider
    ) -> None:
        call = await self.ask(person, scripted)
        assert "77,4" in call.question
        assert call.started_at is None
        assert await in_database_thread(Measurement.objects.count) == 1

    @pytest.mark.parametrize(("granted", "left"), [(True, 0), (False, 1)])
    async def test_answer_decides(
        self, person: User, scripted: ScriptedProvider, granted: bool, left: int
    ) -> None:
        call = await self.ask(person, scripted)
        await commands.consent(person, call.pk, granted=granted)
        await finished()
        call = await one_call(pk=call.pk)
        assert call.state == (CallState.SUCCEEDED if granted else CallState.DECLINED)
        assert await in_database_thread(Measurement.objects.count) == left

    async def test_yes_to_what_has_changed_since_is_asked_again(
        self, person: User, scripted: ScriptedProvider
    ) -> None:
        call = await self.ask(person, scripted)
        await in_database_thread(
            record_measurements,
            person,
            moment=Moment(dt.date(2020, 1, 4)),
            values=[NewValue("weight", Decimal("78.5"), "kg")],
            replace=True,
            origin=Origin(Source.FORM),
        )
        await commands.consent(person, call.pk, granted=True)
        await finished()
        asked = await one_call(pk=call.pk)
        assert "78,5" in asked.question
        assert await in_database_thread(Measurement.objects.count) == 1
        await commands.consent(person, call.pk, granted=True)
        await finished()
        assert await in_database_thread(Measurement.objects.count) == 0

    async def test_second_answer_changes_nothing(self, person: User, scripted: ScriptedProvider) -> None:
        call = await self.ask(person, scripted)
        await commands.consent(person, call.pk, granted=False)
        await commands.consent(person, call.pk, granted=True)
        await finished()
        assert await in_database_thread(Measurement.objects.count) == 1

    async def test_parked_turn_can_be_stopped(self, person: User, scripted: ScriptedProvider) -> None:
        call = await self.ask(person, scripted)
        await commands.stop(person, call.turn_id)
        turn = await in_database_thread(Turn.objects.get, pk=call.turn_id)
        assert turn.stop_reason == StopReason.CANCELLED
        assert (await one_call(pk=call.pk)).error == "not_run"
        assert await in_database_thread(Measurement.objects.count) == 1

    async def test_of_a_doubtful_value_is_asked_too(self, person: User, scripted: ScriptedProvider) -> None:
        doubtful = {"date": "2020-01-05", "values": [{"metric": "weight", "value": 55, "unit": "kg"}]}
        scripted.scripts = [calls(WRITE), says("ya"), calls(("write_measurement", doubtful)), says("ya")]
        turn = await said(person)
        asking = await said(person, "y ayer 55", turn.conversation_id)
        assert asking.state == TurnState.AWAITING_CONSENT
        call = await one_call(turn=asking)
        assert "55" in call.question


class TestRepeating:
    async def uncertain(self, person: User, scripted: ScriptedProvider, faults: SetFaults) -> ToolCall:
        scripted.scripts = [calls(WRITE)]
        faults(before_commit="raise")
        await said(person)
        faults()
        return await one_call()

    async def test_saves_once_under_the_same_identity(
        self, person: User, scripted: ScriptedProvider, faults: SetFaults
    ) -> None:
        call = await self.uncertain(person, scripted, faults)
        first_outcome = call.content
        await commands.repeat(person, call.pk)
        await commands.repeat(person, call.pk)
        call = await one_call()
        assert (call.state, call.verification) == (CallState.SUCCEEDED, Verification.SAVED)
        assert call.content == first_outcome
        assert json.loads(call.repeat_content)["saved"]
        assert await in_database_thread(Measurement.objects.count) == 1
        assert len(scripted.requests) == 1

    async def test_two_at_once_save_once(
        self, person: User, scripted: ScriptedProvider, faults: SetFaults
    ) -> None:
        call = await self.uncertain(person, scripted, faults)
        await asyncio.gather(*(commands.repeat(person, call.pk) for _ in range(3)), return_exceptions=True)
        assert await in_database_thread(Measurement.objects.count) == 1

    async def test_that_fails_again_says_so_and_can_be_repeated(
        self, person: User, scripted: ScriptedProvider, faults: SetFaults
    ) -> None:
        call = await self.uncertain(person, scripted, faults)
        faults(before_commit="raise")
        with pytest.raises(Refused):
            await commands.repeat(person, call.pk)
        faults()
        assert (await one_call()).verification == Verification.NOT_SAVED
        await commands.repeat(person, call.pk)
        assert await in_database_thread(Measurement.objects.count) == 1

    async def test_that_was_committed_before_the_fault_is_found_saved(
        self, person: User, scripted: ScriptedProvider, faults: SetFaults
    ) -> None:
        call = await self.uncertain(person, scripted, faults)
        faults(after_commit="raise")
        await commands.repeat(person, call.pk)
        assert (await one_call()).verification == Verification.SAVED
        assert await in_database_thread(Measurement.objects.count) == 1


class TestStranger:
    async def test_reaches_nothing(
        self, person: User, stranger: User, scripted: ScriptedProvider, faults: SetFaults
    ) -> None:
        scripted.scripts = [calls(WRITE)]
        faults(before_commit="raise")
        turn = await said(person)
        call = await one_call()
        faults()
        for attempt in (
            commands.say(stranger, turn.conversation_id, str(uuid.uuid4()), "hola"),
            commands.stop(stranger, turn.pk),
            commands.consent(stranger, call.pk, granted=True),
            commands.verify(stranger, call.pk),
            commands.repeat(stranger, call.pk),
        ):
            with pytest.raises((Turn.DoesNotExist, ToolCall.DoesNotExist, Conversation.DoesNotExist)):
                await attempt
        assert not await in_database_thread(Measurement.objects.exists)

    async def test_sees_no_page_and_no_socket(
        self, person: User, stranger: User, scripted: ScriptedProvider
    ) -> None:
        scripted.scripts = [says("buenas")]
        turn = await said(person)
        client = AsyncClient()
        await client.aforce_login(stranger)
        page = await client.get(f"/coach/{turn.conversation_id}/")
        assert page.status_code == 404
        for path in (
            f"{turn.conversation_id}/say/",
            f"turn/{turn.pk}/stop/",
            f"{turn.conversation_id}/delete/",
        ):
            assert (await client.post(f"/coach/{path}", {"text": "x"})).status_code == 404
        socket = await connected(stranger, turn.conversation_id)
        assert (await socket.receive_output())["type"] == "websocket.accept"
        assert (await socket.receive_output())["code"] == 4404


async def connected(
    user: User, conversation_id: int, origin: str = "http://localhost"
) -> WebsocketCommunicator:
    client = AsyncClient()
    await client.aforce_login(user)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    headers = {"origin": origin, "host": "localhost", "cookie": cookie}
    socket = WebsocketCommunicator(
        application,
        f"/ws/coach/{conversation_id}/",
        headers=[(name.encode(), value.encode()) for name, value in headers.items()],
    )
    await socket.send_input({"type": "websocket.connect"})
    return socket


MALFORMED = [
    "not json",
    "[]",
    "{}",
    '{"command": "drop"}',
    '{"command": "stop"}',
    '{"command": "say", "text": 1}',
    '{"command": "stop", "turn_id": "1; DROP TABLE"}',
    "x" * 50_000,
]


class TestSocket:
    async def test_takes_a_message_and_shows_the_turn(self, person: User, scripted: ScriptedProvider) -> None:
        scripted.scripts = [says("buenas"), says("adiós")]
        turn = await said(person)
        socket = await connected(person, turn.conversation_id)
        await socket.receive_output()
        await socket.send_to(json.dumps({"command": "resume", "last_number": 1}))
        assert 'id="turn-' in await socket.receive_from(5)
        client_id = str(uuid.uuid4())
        await socket.send_to(json.dumps({"command": "say", "client_id": client_id, "text": "adiós"}))
        frames = [await socket.receive_from(5)]
        while "adiós</p>" not in frames[-1] or "data-unfinished" in frames[-1]:
            frames.append(await socket.receive_from(5))
        assert f'data-taken="{client_id}"' in "".join(frames)
        assert "".join(frames).count('hx-target="#transcript" hx-swap="beforeend"') == 1
        await socket.disconnect()

    @pytest.mark.parametrize("frame", MALFORMED)
    async def test_malformed_frame_is_refused_in_words(
        self, person: User, scripted: ScriptedProvider, frame: str
    ) -> None:
        scripted.scripts = [says("buenas")]
        turn = await said(person)
        socket = await connected(person, turn.conversation_id)
        await socket.receive_output()
        await socket.send_to(frame)
        assert "data-refused" in await socket.receive_from(5)
        await socket.disconnect()

    async def test_message_to_a_conversation_that_was_deleted_is_given_back(
        self, person: User, scripted: ScriptedProvider
    ) -> None:
        scripted.scripts = [says("buenas")]
        turn = await said(person)
        socket = await connected(person, turn.conversation_id)
        await socket.receive_output()
        await socket.send_to(json.dumps({"command": "resume", "last_number": 1}))
        assert await socket.receive_from(5)
        await in_database_thread(commands.delete, person, turn.conversation_id)
        client_id = str(uuid.uuid4())
        await socket.send_to(json.dumps({"command": "say", "client_id": client_id, "text": "adiós"}))
        assert f'data-refused="{client_id}"' in await socket.receive_from(5)
        await socket.disconnect()

    async def test_page_of_a_conversation_that_was_deleted_is_closed(
        self, person: User, scripted: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        turn = await in_database_thread(open_turn, person)
        assert await in_database_thread(leases.claim, turn.pk, "somebody")
        await cache.aset(live._key(turn.pk), live.Snapshot("r", 1, "<li>at work</li>"))
        socket = await connected(person, turn.conversation_id)
        await socket.receive_output()
        await socket.send_to(json.dumps({"command": "resume", "last_number": 1}))
        assert "at work" in await socket.receive_from(5)
        await in_database_thread(commands.delete, person, turn.conversation_id)
        monkeypatch.setattr(consumers, "LOOK_SECONDS", 0.01)
        await bus.publish(live.group_of(turn.conversation_id), {"type": "look.again"})
        assert await socket.receive_output(5) == {"type": "websocket.close", "code": 4404}

    async def test_foreign_origin_is_not_let_in(self, person: User, scripted: ScriptedProvider) -> None:
        scripted.scripts = [says("buenas")]
        turn = await said(person)
        socket = await connected(person, turn.conversation_id, origin="https://evil.example")
        assert (await socket.receive_output())["type"] == "websocket.close"

    async def test_signed_out_is_told_so(self, person: User) -> None:
        socket = WebsocketCommunicator(
            application, "/ws/coach/1/", headers=[(b"origin", b"http://localhost"), (b"host", b"localhost")]
        )
        await socket.send_input({"type": "websocket.connect"})
        assert (await socket.receive_output())["type"] == "websocket.accept"
        assert (await socket.receive_output())["code"] == 4401


class TestForms:
    async def test_message_by_form_goes_to_its_conversation(
        self, person: User, scripted: ScriptedProvider
    ) -> None:
        scripted.scripts = [says("buenas")]
        client = AsyncClient()
        await client.aforce_login(person)
        answer = await client.post("/coach/say/", {"client_id": str(uuid.uuid4()), "text": "hola"})
        conversation = await in_database_thread(Conversation.objects.get)
        assert answer.headers["Location"] == f"/coach/{conversation.pk}/"

    async def test_refused_message_keeps_what_was_typed(self, person: User) -> None:
        client = AsyncClient()
        await client.aforce_login(person)
        typed = "palabra " * 2000
        answer = await client.post("/coach/say/", {"client_id": str(uuid.uuid4()), "text": typed})
        assert answer.status_code == 422
        assert typed in answer.content.decode()
