"""Whole turns: the real harness and ledger, a real adapter, and a vendor that answers over real HTTP."""

import datetime as dt
import json
import uuid
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User

from coach import harness, leases, notices, prompts, store
from coach.contract import ErrorCode
from coach.events import RetryScheduled, TextStreamed
from coach.models import CallState, Entry, EntryKind, StopReason, ToolCall, Turn, TurnState, Verification
from coach.providers.base import Connection
from coach.providers.transport import TimeLimits
from coach.stopping import StopSignal
from coach.threads import in_database_thread
from measurements.models import Measurement, Source
from measurements.services import Moment, NewValue, Origin, record_measurements
from tests.coach.conftest import OWNER, Ran, rows_of
from tests.coach.providers.asking import KEY, QUICK, VENDORS, adapter
from tests.coach.providers.conftest import Serve
from tests.coach.providers.vendor_types import CHECKS
from tests.conftest import SetFaults
from tests.fakes import scripts
from tests.fakes.by_hand import by_hand
from tests.fakes.scripts import Cut, Reply, Say, Seen, Think, Use, fails, says, uses
from tests.fakes.server import Fake

pytestmark = pytest.mark.django_db(transaction=True)

WORKED = "consulta el peso de 2020-01-02. Si no existe, consulta 2020-01-01. No crees ni cambies datos."
WRITE = {"date": "2020-01-04", "values": [{"metric": "weight", "value": 77.4, "unit": "kg"}]}


async def run(
    user: User,
    fake: Fake,
    text: str = "hola",
    *,
    conversation_id: int | None = None,
    limits: TimeLimits = QUICK,
    stop_at: type[TextStreamed] | None = None,
) -> Ran:
    """Opens a turn for the fake's vendor and runs it to its end, or stops it at an event."""
    vendor = fake.dialect.name
    new = store.NewTurn(
        client_id=uuid.uuid4(),
        provider=vendor,
        model=fake.dialect.models[0],
        language="en",
        time_zone="Europe/Madrid",
        prompt_version=prompts.VERSION,
    )
    opened = await in_database_thread(store.open_turn, user.pk, conversation_id, text, new)
    assert await in_database_thread(leases.claim, opened.turn.pk, OWNER)
    stop = StopSignal()
    running = harness.run(
        opened.turn.pk,
        owner=OWNER,
        provider=adapter(vendor, limits),
        connection=Connection(KEY, fake.base_url),
        stop=stop,
    )
    events = []
    async for event in running:
        events.append(event)
        if stop_at and isinstance(event, stop_at):
            stop.set()
    for body in fake.bodies:
        CHECKS[vendor](body)
    return await in_database_thread(rows_of, opened.turn.pk, events)


def weigh(user: User, on: str, value: str) -> None:
    record_measurements(
        user,
        moment=Moment(dt.date.fromisoformat(on)),
        values=[NewValue("weight", Decimal(value), "kg")],
        origin=Origin(Source.FORM),
    )


@sync_to_async
def saved() -> dict[str, Decimal]:
    return {m.measured_on.isoformat(): m.value for m in Measurement.objects.all()}


@sync_to_async
def notice_of(turn: Turn) -> str:
    with notices.spoken_as(turn):
        notice = notices.stop_notice(turn, changed=False)
    assert notice is not None
    return f"{notice.title} {notice.text}"


@sync_to_async
def texts_of(turn: Turn, kind: EntryKind) -> list[str]:
    return list(Entry.objects.filter(turn=turn, kind=kind).values_list("text", flat=True))


async def test_worked_conversation_as_each_vendor_received_it(
    serve: Serve, vendor: str, person: User
) -> None:
    await sync_to_async(weigh)(person, "2020-01-01", "76")
    fake = serve(vendor, by_hand)

    ran = await run(person, fake, WORKED)

    assert ran.turn.state == TurnState.COMPLETED
    assert await texts_of(ran.turn, EntryKind.TEXT) == [
        "Falta el registro de 2020-01-02. El 2020-01-01 hay un peso guardado: 76 kg."
    ]
    seen = [fake.dialect.seen(body) for body in fake.bodies]
    assert [len(request.results) for request in seen] == [0, 1, 2]
    missing, found = seen[2].results
    assert json.loads(missing.content)["error"] == "not_found"
    marks = (None, None) if vendor == "openai" else (True, False)
    assert (missing.is_error, found.is_error) == marks
    assert [request.sent for request in ran.requests] == fake.bodies
    assert len(await saved()) == 1


async def test_uncertain_write_makes_exactly_one_request(
    serve: Serve, vendor: str, person: User, faults: SetFaults
) -> None:
    faults(in_handler="raise:network timeout")
    fake = serve(vendor, lambda seen: says("hecho") if seen.results else uses("write_measurement", WRITE))

    ran = await run(person, fake)

    assert len(fake.asked) == 1
    assert ran.turn.stop_reason == StopReason.OUTCOME_UNKNOWN
    (call,) = ran.calls
    assert (call.error, call.verification) == (ErrorCode.OUTCOME_UNKNOWN, Verification.NOT_SAVED)
    assert await saved() == {}
    assert "cannot confirm" in await notice_of(ran.turn)


async def test_write_is_saved_once_and_the_vendor_told(serve: Serve, vendor: str, person: User) -> None:
    fake = serve(vendor, by_hand)
    ran = await run(person, fake, "anota 77,4 kg el 2020-01-04")
    assert ran.turn.state == TurnState.COMPLETED
    assert await saved() == {"2020-01-04": Decimal("77.4")}
    assert len(fake.asked) == 2


BREAKS = {
    "cut_mid_text": (Reply(pieces=[Say("Voy a")], cut=Cut.MID_TEXT), StopReason.PROVIDER_STREAM_BROKEN),
    "cut_mid_arguments": (
        Reply(pieces=[Say("Voy"), Use("write_measurement", WRITE)], cut=Cut.MID_ARGUMENTS),
        StopReason.PROVIDER_STREAM_BROKEN,
    ),
    "cut_after_a_whole_call": (
        Reply(pieces=[Say("Voy"), Use("write_measurement", WRITE)], cut=Cut.BEFORE_END),
        StopReason.PROVIDER_STREAM_BROKEN,
    ),
    "ends_without_terminal_event": (
        Reply(pieces=[Use("write_measurement", WRITE)], cut=Cut.BEFORE_END, cleanly=True),
        StopReason.PROVIDER_STREAM_BROKEN,
    ),
    "length": (
        Reply(pieces=[Say("Voy"), Use("write_measurement", WRITE)], end=scripts.End.LENGTH),
        StopReason.PROVIDER_TRUNCATED,
    ),
    "refusal": (says("No puedo.", end=scripts.End.REFUSAL), StopReason.PROVIDER_REFUSED),
    "nothing": (Reply(), StopReason.PROVIDER_EMPTY),
    "400": (fails(400), StopReason.PROVIDER_REJECTED),
    "401": (fails(401), StopReason.PROVIDER_REJECTED),
    "403": (fails(403), StopReason.PROVIDER_REJECTED),
    "404": (fails(404), StopReason.PROVIDER_REJECTED),
}


@pytest.mark.parametrize(("reply", "reason"), BREAKS.values(), ids=BREAKS)
async def test_broken_answer_runs_nothing_and_leaves_the_conversation_usable(
    serve: Serve, vendor: str, person: User, reply: Reply, reason: StopReason
) -> None:
    fake = serve(vendor, lambda seen: says("ya") if seen.text == "sigue" else reply)

    ran = await run(person, fake, "anota 77,4")

    assert ran.turn.stop_reason == reason
    assert len(fake.asked) == 1
    assert await saved() == {}
    assert all(call.state == CallState.NOT_RUN and call.error == ErrorCode.NOT_RUN for call in ran.calls)
    assert notices.provider_name(vendor) in await notice_of(ran.turn)
    assert await texts_of(ran.turn, EntryKind.USER) == ["anota 77,4"]

    again = await run(person, fake, "sigue", conversation_id=ran.turn.conversation_id)
    assert again.turn.state == TurnState.COMPLETED
    assert await saved() == {}


async def test_silent_vendor_ends_at_the_limit(serve: Serve, vendor: str, person: User) -> None:
    fake = serve(vendor, says("Voy a mirar", cut=Cut.MID_TEXT, silent=True))
    ran = await run(person, fake, limits=TimeLimits(5, 20, 0.3, 20))
    assert ran.turn.stop_reason == StopReason.PROVIDER_STREAM_BROKEN
    assert await texts_of(ran.turn, EntryKind.TEXT) == ["Voy "]


@pytest.mark.parametrize(
    "reply", [fails(429, retry_after="0"), fails(529), fails(503), fails(408), Reply(cut=Cut.BEFORE_ANYTHING)]
)
async def test_busy_vendor_is_asked_again_and_the_person_told(
    serve: Serve, vendor: str, person: User, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    monkeypatch.setattr("coach.limits.FIRST_RETRY_SECONDS", 0.01)
    fake = serve(vendor, says("ya"))
    # Content cannot tell two equal requests apart: this is the one script that goes by their number.
    fake.script = lambda _seen: reply if len(fake.asked) == 1 else says("ya")

    ran = await run(person, fake)

    assert ran.turn.state == TurnState.COMPLETED
    assert [event.attempt for event in ran.events if isinstance(event, RetryScheduled)] == [1]
    first, second = fake.asked
    assert first.raw == second.raw


async def test_busy_vendor_is_given_up_after_some_attempts(
    serve: Serve, vendor: str, person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coach.limits.FIRST_RETRY_SECONDS", 0.01)
    fake = serve(vendor, fails(529))
    ran = await run(person, fake)
    assert ran.turn.stop_reason == StopReason.PROVIDER_UNAVAILABLE
    assert len(fake.asked) == 4
    assert notices.provider_name(vendor) in await notice_of(ran.turn)


async def test_long_retry_after_is_not_waited_for(serve: Serve, vendor: str, person: User) -> None:
    fake = serve(vendor, fails(429, retry_after="3600"))
    ran = await run(person, fake)
    assert ran.turn.stop_reason == StopReason.PROVIDER_UNAVAILABLE
    assert len(fake.asked) == 1


async def test_tools_do_not_run_again_when_a_later_request_is_retried(
    serve: Serve, vendor: str, person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coach.limits.FIRST_RETRY_SECONDS", 0.01)
    fake = serve(vendor, says("ya"))

    def script(seen: Seen) -> Reply:
        if not seen.results:
            return uses("write_measurement", WRITE)
        return fails(503) if len(fake.asked) == 2 else says("hecho")

    fake.script = script
    ran = await run(person, fake)
    assert ran.turn.state == TurnState.COMPLETED
    assert len(ran.calls) == 1
    assert await sync_to_async(Measurement.objects.count)() == 1


@pytest.mark.parametrize(
    ("use", "error"),
    [
        (Use("read_measurement", "{not json"), "invalid_arguments"),
        (Use("read_measurement", ""), "invalid_arguments"),
        (Use("read_measurement", "[1, 2]"), "invalid_arguments"),
        (Use("lánzalo ya", {}), "unknown_tool"),
    ],
)
async def test_bad_call_is_answered_and_can_be_put_right(
    serve: Serve, vendor: str, person: User, use: Use, error: str
) -> None:
    await sync_to_async(weigh)(person, "2020-01-01", "76")

    def script(seen: Seen) -> Reply:
        match len(seen.results):
            case 0:
                return Reply(pieces=[use])
            case 1:
                return Reply(pieces=[Use("read_measurement", {"date": "2020-01-01"}, "call_2")])
            case _:
                return says("76 kg")

    fake = serve(vendor, script)
    ran = await run(person, fake)
    assert ran.turn.state == TurnState.COMPLETED
    assert [call.error for call in ran.calls] == [error, ""]


async def test_call_ids_that_come_again_stay_apart(serve: Serve, vendor: str, person: User) -> None:
    """Twice in one response, and again in the next turn with other arguments."""

    def script(seen: Seen) -> Reply:
        if seen.results:
            return says("ya")
        day = "2020-01-01" if seen.text == "uno" else "2020-01-05"
        return Reply(pieces=[Use("read_measurement", {"date": day}, "same")] * 2)

    fake = serve(vendor, script)
    first = await run(person, fake, "uno")
    second = await run(person, fake, "dos", conversation_id=first.turn.conversation_id)
    assert second.turn.state == TurnState.COMPLETED
    assert [call.provider_call_id for call in second.calls] == ["same", "same"]
    last = fake.asked[-1].raw.decode()
    ids = [f"gym_{second.turn.pk}_{n}" for n in (0, 1)]
    assert all(last.count(f'"{name}"') == 2 for name in ids)


async def test_conversation_goes_through_all_three_and_back(serve: Serve, person: User) -> None:
    """Reasoning, calls and errors in the history: each accepts it, and says the same bytes of the past."""
    await sync_to_async(weigh)(person, "2020-01-01", "76")

    def script(seen: Seen) -> Reply:
        if seen.results:
            return by_hand(seen)
        reply = by_hand(seen)
        return Reply(pieces=[Think("c2lnbmF0dXJl"), *reply.pieces])

    fakes = {name: serve(name, script) for name in VENDORS}
    conversation_id = None
    for speaker in ("anthropic", "google", "openai", "anthropic"):
        ran = await run(person, fakes[speaker], WORKED, conversation_id=conversation_id)
        assert ran.turn.state == TurnState.COMPLETED
        conversation_id = ran.turn.conversation_id

    first, last = fakes["anthropic"].bodies[2], fakes["anthropic"].bodies[-1]
    old, new = first["messages"], last["messages"]
    assert new[: len(old)] == old
    assert json.dumps(new).count('"c2lnbmF0dXJl"') == 2
    missing = [
        block
        for message in new
        for block in message["content"]
        if block["type"] == "tool_result" and block.get("is_error")
    ]
    assert len(missing) == 4
    assert "c2lnbmF0dXJl" in fakes["google"].asked[-1].raw.decode()
    assert "c2lnbmF0dXJl" in fakes["openai"].asked[-1].raw.decode()


async def test_stop_in_the_middle_keeps_what_was_said(serve: Serve, vendor: str, person: User) -> None:
    fake = serve(vendor, says("Voy a mirar", cut=Cut.MID_TEXT, silent=True))
    ran = await run(person, fake, stop_at=TextStreamed)
    assert ran.turn.stop_reason == StopReason.CANCELLED
    assert await texts_of(ran.turn, EntryKind.TEXT) == ["Voy "]
    assert len(fake.asked) == 1


async def test_key_is_in_no_row(serve: Serve, vendor: str, person: User) -> None:
    fake = serve(
        vendor, lambda seen: by_hand(seen) if seen.results else uses("read_measurement", {"date": "x"})
    )
    await run(person, fake)
    fake.script = lambda _seen: fails(401, f"bad_{KEY}")
    await run(person, fake)

    @sync_to_async
    def rows() -> list[Any]:
        from coach.models import ModelRequest

        return [
            *ModelRequest.objects.values(),
            *Turn.objects.values(),
            *ToolCall.objects.values(),
            *Entry.objects.values(),
        ]

    assert KEY not in str(await rows())
