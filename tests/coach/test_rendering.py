"""A turn is drawn from its rows alone, and each state of what it did has a shape and a word of its own."""

import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from coach import ledger, notices, rendering
from coach.contract import ErrorCode, failure
from coach.models import CallState, Entry, EntryKind, StopReason, ToolCall, Turn, TurnState, Verification
from coach.providers.base import End, EndReason
from tests.coach.conftest import Ran, RunTurn, open_turn
from tests.coach.scripted import ScriptedProvider, calls, says
from tests.conftest import SetFaults

pytestmark = pytest.mark.django_db(transaction=True)


def write(
    value: float = 77.4, *, on: str = "2020-01-04", replace: bool = False
) -> tuple[str, dict[str, object]]:
    values = [{"metric": "weight", "value": value, "unit": "kg"}]
    return "write_measurement", {"date": on, "values": values, "replace": replace}


READ = "read_measurement", {"date": "2020-01-04"}


async def drawn(ran: Ran) -> str:
    return await sync_to_async(rendering.turn_html)(ran.turn.pk)


def cards(html: str) -> list[str]:
    """What the page calls each receipt or card of a turn."""
    return re.findall(r'class="receipt receipt-(\w+)"', html)


async def test_saved_value_has_a_receipt_with_undo(run_turn: RunTurn) -> None:
    html = await drawn(await run_turn(ScriptedProvider(calls(write()), says("ya"))))
    assert cards(html) == ["saved"]
    assert "77,4" in html
    assert 'data-command="undo"' in html


@pytest.mark.parametrize(
    ("fault", "card", "command"),
    [({"in_handler": "raise"}, "notsaved", "repeat"), ({"after_commit": "raise"}, "saved", "undo")],
)
async def test_uncertain_write_looks_as_storage_says_it_ended(
    run_turn: RunTurn, faults: SetFaults, fault: dict[str, str], card: str, command: str
) -> None:
    faults(**fault)
    ran = await run_turn(ScriptedProvider(calls(write())))
    html = await drawn(ran)
    assert cards(html) == [card]
    assert f'data-command="{command}"' in html
    assert "notice-unconfirmed" in html
    with notices.spoken_as(ran.turn):
        assert notices.verdict(ran.calls[0]) in html


async def test_write_that_could_not_be_checked_asks_to_check_again(
    run_turn: RunTurn, faults: SetFaults
) -> None:
    faults(in_handler="raise")
    ran = await run_turn(ScriptedProvider(calls(write())))
    await sync_to_async(ToolCall.objects.update)(verification=Verification.OPEN)
    html = await drawn(ran)
    assert cards(html) == ["notconfirmed"]
    assert 'data-command="verify"' in html


async def test_value_that_stood_there_already_is_no_change(run_turn: RunTurn) -> None:
    first = await run_turn(ScriptedProvider(calls(write()), says("ya")))
    again = await run_turn(
        ScriptedProvider(calls(write()), says("ya")), conversation_id=first.turn.conversation_id
    )
    html = await drawn(again)
    assert cards(html) == []
    assert "effect-line" in html


async def test_question_can_be_answered_only_while_it_is_open(run_turn: RunTurn, person: User) -> None:
    await run_turn(ScriptedProvider(calls(write()), says("ya")))
    ran = await run_turn(
        ScriptedProvider(calls(("delete_measurement", {"date": "2020-01-04", "metric": "weight"})))
    )
    assert cards(await drawn(ran)) == ["question"]
    await sync_to_async(ledger.answer_consent)(ran.calls[0].pk, granted=False)
    await sync_to_async(Turn.objects.filter(pk=ran.turn.pk).update)(state=TurnState.QUEUED)
    assert cards(await drawn(ran)) == []


async def test_read_that_failed_is_not_counted_as_read(run_turn: RunTurn, faults: SetFaults) -> None:
    faults(storage_read="raise")
    ran = await run_turn(ScriptedProvider(calls(READ), says("no pude")))
    assert ran.calls[0].error == "read_failed"
    with notices.spoken_as(ran.turn):
        view = await sync_to_async(lambda: rendering.turn_views(ran.turn.conversation.user, [ran.turn])[0])()
        nothing_read = notices.effect_line([], changed=False, uncertain=False)
    assert view.effect_line == nothing_read


async def test_line_opens_to_arguments_outcome_and_mark(run_turn: RunTurn) -> None:
    html = await drawn(await run_turn(ScriptedProvider(calls(READ), says("no"))))
    assert "2020-01-04" in html
    assert "<code>not_found</code>" in html
    assert "<code>choose_alternative</code>" in html


async def test_unknown_tool_and_bad_arguments_have_lines_of_their_own(run_turn: RunTurn) -> None:
    html = await drawn(
        await run_turn(ScriptedProvider(calls(("launch_rocket", {}), ("read_measurement", "{")), says("no")))
    )
    assert "launch_rocket" in html
    assert "<code>unknown_tool</code>" in html
    assert "<code>invalid_arguments</code>" in html


@pytest.mark.parametrize("text", ['<img src=x onerror="alert(1)">', "<b hx-get=/x data-command=undo>x</b>"])
async def test_what_anybody_wrote_cannot_act(run_turn: RunTurn, text: str) -> None:
    html = await drawn(await run_turn(ScriptedProvider(says(text)), text))
    tags = re.findall(r"<[a-z][^>]*>", html)
    assert not any("onerror" in tag or "hx-get" in tag or 'data-command="undo"' in tag for tag in tags)


def test_spinner_only_while_somebody_works_on_it(person: User) -> None:
    turn = open_turn(person)
    assert "status-working" in rendering.turn_html(turn.pk)
    Turn.objects.filter(pk=turn.pk).update(lease_expires_at="2020-01-01T00:00Z")
    assert "status-working" not in rendering.turn_html(turn.pk)


def test_broken_off_answer_says_that_it_is_not_whole(person: User) -> None:
    turn = open_turn(person)
    Entry.objects.create(turn=turn, position=1, round=1, kind=EntryKind.TEXT, text="Pesas", complete=False)
    assert "prose-broken" in rendering.turn_html(turn.pk)


def test_turns_are_drawn_in_a_constant_number_of_queries(person: User) -> None:
    def grow(count: int) -> list[Turn]:
        for _n in range(count):
            turn = open_turn(person)
            Turn.objects.filter(pk=turn.pk).update(state=TurnState.COMPLETED)
            call = ToolCall.objects.create(turn=turn, ordinal=0, round=1, tool="write_measurement")
            outcome = failure(ErrorCode.NOT_RUN, "x")
            ledger.record(call.pk, outcome, was=CallState.REQUESTED)
            Entry.objects.create(turn=turn, position=1, round=1, kind=EntryKind.CALL, call=call)
        return list(Turn.objects.all())

    counts = []
    for turns in (grow(1), grow(6)):
        with CaptureQueriesContext(connection) as captured:
            rendering.turn_views(person, turns)
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_another_persons_turns_are_not_drawn(person: User, stranger: User) -> None:
    assert rendering.turn_views(stranger, [open_turn(person)]) == []


async def test_change_on_the_same_record_overtakes_the_earlier_turn(run_turn: RunTurn, person: User) -> None:
    first = await run_turn(ScriptedProvider(calls(write(77.4)), says("ya")))
    talk = first.turn.conversation_id
    await run_turn(ScriptedProvider(calls(write(70, on="2020-02-01")), says("ya")), conversation_id=talk)
    later = await run_turn(
        ScriptedProvider(calls(write(77.2, replace=True)), says("ya")), conversation_id=talk
    )
    assert await sync_to_async(rendering.overtaken_by)(later.turn.pk) == [(first.turn.pk, 1)]
    assert 'data-command="undo"' not in await drawn(first)
    assert await sync_to_async(rendering.overtaken_by)(first.turn.pk) == [(later.turn.pk, 3)]


async def test_refusal_after_a_change_does_not_say_that_nothing_was_changed(run_turn: RunTurn) -> None:
    html = await drawn(await run_turn(ScriptedProvider(calls(write()), [End(EndReason.REFUSED)])))
    assert cards(html) == ["saved"]
    for nothing in ("Nothing was changed", "No se ha cambiado nada", "No ha cambiado nada"):
        assert nothing not in html


@pytest.mark.parametrize(("provider", "text"), [("scripted", "Continue, please."), ("builtin", "hola")])
async def test_interrupted_turn_offers_what_its_provider_can_follow(
    person: User, provider: str, text: str
) -> None:
    turn = await sync_to_async(open_turn)(person, provider=provider)
    await Turn.objects.filter(pk=turn.pk).aupdate(state=TurnState.STOPPED, stop_reason=StopReason.INTERRUPTED)
    with translation.override("en"):
        (view,) = await sync_to_async(rendering.turn_views)(person, [turn])
    assert view.resend is not None
    assert view.resend.text == text
