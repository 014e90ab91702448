"""`coach_say` runs a turn as the page does and says what happened, one JSON object a line."""

import asyncio
import datetime as dt
import io
import json
import signal
from collections.abc import AsyncGenerator, Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import override_settings
from django.utils import timezone

from coach import leases
from coach.models import Conversation, StopReason, Turn, TurnState
from coach.providers import registry
from coach.providers.base import Event, TextDelta
from measurements.models import Measurement, Source
from measurements.services import Moment, NewValue, Origin, record_measurements
from tests.coach.conftest import open_turn
from tests.coach.scripted import ScriptedProvider, calls, says
from tests.conftest import SetFaults

pytestmark = pytest.mark.django_db(transaction=True)

WORKED = "consulta el peso de 2020-01-02. Si no existe, consulta 2020-01-01. No crees ni cambies datos."


class TwoCallsAtTheLimit(ScriptedProvider):
    """Asks for two calls in a turn of one round, and so gets neither."""

    def __init__(self) -> None:
        read = "read_measurement", {"date": "2020-01-01"}
        super().__init__(calls(read, read))


class Talker(ScriptedProvider):
    def __init__(self) -> None:
        super().__init__(says("hola de nuevo"))


class Interrupted(ScriptedProvider):
    """Begins an answer; then somebody presses Ctrl-C, and nothing more comes."""

    async def stream(self, *args: Any, **kwargs: Any) -> AsyncGenerator[Event]:
        yield TextDelta("hola")
        signal.raise_signal(signal.SIGINT)
        await asyncio.Event().wait()


@pytest.fixture
def scripted() -> Iterator[None]:
    """Providers of this file, chosen by setting."""
    registry.provider.cache_clear()
    here = {name: f"{__name__}.{name}" for name in ("TwoCallsAtTheLimit", "Talker", "Interrupted")}
    installed = {name: {"api_key": "k", "base_url": "", "model": "m-1"} for name in here}
    with override_settings(
        COACH_PROVIDERS={**settings.COACH_PROVIDERS, **here},
        PROVIDER_CONNECTIONS={**settings.PROVIDER_CONNECTIONS, **installed},
    ):
        yield
    registry.provider.cache_clear()


def say(text: str, user: str = "ana", **options: Any) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("coach_say", text, user=user, stdout=out, **options)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def of(lines: list[dict[str, Any]], event: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["event"] == event]


def text_of(lines: list[dict[str, Any]]) -> str:
    return "".join(line["text"] for line in of(lines, "text"))


def weigh(user: User, on: str, value: str) -> None:
    record_measurements(
        user,
        moment=Moment(dt.date.fromisoformat(on)),
        values=[NewValue("weight", Decimal(value), "kg")],
        origin=Origin(Source.FORM),
    )


def test_worked_conversation_is_printed_as_it_happens(person: User) -> None:
    weigh(person, "2020-01-01", "76")

    lines = say(WORKED)

    first, second = of(lines, "tool_outcome")
    assert (first["is_error"], first["error"], first["recovery"]) == (True, "not_found", "choose_alternative")
    assert (second["is_error"], second["error"], second["recovery"]) == (False, "", "")
    assert [json.loads(call["arguments"])["date"] for call in of(lines, "tool_call")] == [
        "2020-01-02",
        "2020-01-01",
    ]
    assert "76 kg" in text_of(lines)
    assert of(lines, "notice") == []
    end = lines[-1]
    assert (end["event"], end["state"], end["stop_reason"], end["requests"]) == ("end", "completed", "", 3)


def test_every_call_is_announced_before_its_outcome(person: User) -> None:
    lines = say(WORKED)
    order = [(line["event"], line["call"]) for line in lines if line["event"].startswith("tool_")]
    announced: set[str] = set()
    for event, call in order:
        assert (event == "tool_call") != (call in announced)
        announced.add(call)


def test_uncertain_write_makes_one_request_and_says_what_was_found(person: User, faults: SetFaults) -> None:
    faults(in_handler="raise")

    lines = say("anota 77,4 kg el 2020-01-03")

    (outcome,) = of(lines, "tool_outcome")
    assert (outcome["error"], outcome["recovery"]) == ("outcome_unknown", "stop_turn")
    assert outcome["verification"] == "not_saved"
    assert len(of(lines, "notice")) == 2
    end = lines[-1]
    assert (end["state"], end["stop_reason"], end["requests"]) == ("stopped", "outcome_unknown", 1)
    assert not Measurement.objects.exists()


def test_new_conversation_each_time_unless_one_is_named(person: User) -> None:
    first = say("hola")[-1]["conversation"]
    second = say("hola")[-1]["conversation"]
    again = say("hola", conversation=first)[-1]["conversation"]
    assert first != second
    assert again == first


def test_named_provider_and_model_are_asked(person: User, scripted: None) -> None:
    lines = say("hola", provider="Talker", model="m-2")
    assert text_of(lines) == "holadenuevo"
    turn = Turn.objects.get()
    assert (turn.provider, turn.model) == ("Talker", "m-2")


def test_provider_without_a_named_model_is_asked_for_its_default(person: User, scripted: None) -> None:
    say("hola", provider="Talker")
    assert Turn.objects.get().model == "m-1"


def test_calls_that_never_ran_are_told_too(person: User, scripted: None) -> None:
    with override_settings(COACH_MAX_ROUNDS=1):
        lines = say("hola", provider="TwoCallsAtTheLimit")
    assert [outcome["error"] for outcome in of(lines, "tool_outcome")] == ["not_run", "not_run"]
    assert lines[-1]["stop_reason"] == StopReason.ROUND_LIMIT


def test_provider_without_a_key_is_never_asked(person: User) -> None:
    lines = say("hola", provider="anthropic")
    (notice,) = of(lines, "notice")
    assert "Anthropic" in notice["text"]
    assert (lines[-1]["stop_reason"], lines[-1]["requests"]) == ("provider_rejected", 0)


def test_ctrl_c_stops_the_answer_and_settles_it(person: User, scripted: None) -> None:
    lines = say("hola", provider="Interrupted")
    assert text_of(lines) == "hola"
    assert (lines[-1]["state"], lines[-1]["stop_reason"]) == ("stopped", "cancelled")
    assert Turn.objects.get().entries.last().text == "hola"  # type: ignore[union-attr]


def test_deletion_waits_for_the_person(person: User) -> None:
    weigh(person, "2020-01-04", "77.4")
    lines = say("borra el peso del 2020-01-04")
    assert lines[-1]["state"] == TurnState.AWAITING_CONSENT
    assert len(of(lines, "notice")) == 1
    assert Measurement.objects.exists()


def test_what_a_crash_left_in_the_conversation_is_settled_first(person: User) -> None:
    left = open_turn(person)
    assert leases.claim(left.pk, "a process that was killed")
    Turn.objects.filter(pk=left.pk).update(lease_expires_at=timezone.now() - dt.timedelta(seconds=1))

    assert say("hola", conversation=left.conversation_id)[-1]["state"] == "completed"

    left.refresh_from_db()
    assert left.stop_reason == StopReason.INTERRUPTED


def test_conversation_that_is_being_answered_is_left_alone(person: User) -> None:
    running = open_turn(person)
    with pytest.raises(CommandError):
        say("hola", conversation=running.conversation_id)


def test_another_persons_conversation_is_not_there(person: User, stranger: User) -> None:
    theirs = Conversation.objects.create(user=stranger)
    with pytest.raises(CommandError, match="no conversation"):
        say("hola", conversation=theirs.pk)


def test_unknown_user_is_said(db: None) -> None:
    with pytest.raises(CommandError, match="no user"):
        say("hola", user="nobody")
