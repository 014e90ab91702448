"""An operator reads in the admin what happened in a turn, all of it, fast, and changes none of it."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.core.exceptions import FieldFetchBlocked
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from coach import notices
from coach.admin import TurnAdmin
from coach.models import Conversation, Entry, EntryKind, ModelRequest, StopReason, ToolCall, Turn, TurnState
from coach.providers import base
from tests.coach.conftest import RunTurn, open_turn
from tests.coach.scripted import ScriptedProvider, calls, says
from tests.conftest import SetFaults
from tests.pages import text

pytestmark = pytest.mark.django_db(transaction=True)

MODELS: dict[str, Any] = {
    "conversation": Conversation,
    "turn": Turn,
    "entry": Entry,
    "toolcall": ToolCall,
    "modelrequest": ModelRequest,
}
LISTS = list(MODELS)
READ = "read_measurement", {"date": "2020-01-01"}
WRITE = (
    "write_measurement",
    {"date": "2020-01-03", "values": [{"metric": "weight", "value": 77.4, "unit": "kg"}]},
)


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("operator", password="a-long-password"))
    return client


def turns_listed(client: Client, **query: str) -> list[int]:
    """The keys of the turns on the list's first page."""
    page = text(client.get(reverse("admin:coach_turn_changelist"), query))
    rows = re.findall(r'<th class="field-__str__"><a href="/admin/coach/turn/(\d+)/change/', page)
    return [int(pk) for pk in rows]


def page_of(client: Client, turn: Turn) -> str:
    return text(client.get(reverse("admin:coach_turn_change", args=[turn.pk])))


def make_turns(user: User, count: int) -> None:
    """Turns with a message, a request and a failed call each, written straight into the tables."""
    for _n in range(count):
        turn = open_turn(user)
        turn.state = TurnState.COMPLETED
        turn.save()
        call = ToolCall.objects.create(turn=turn, ordinal=0, round=1, tool="read_measurement")
        Entry.objects.create(turn=turn, position=1, round=1, kind=EntryKind.CALL, call=call)
        ModelRequest.objects.create(turn=turn, round=1, provider="builtin", sent={"system": "hello"})


def queries_of(get: Callable[[], HttpResponse | Any]) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert get().status_code == 200
    return [query["sql"] for query in captured.captured_queries]


# Who, and what they may do


@pytest.mark.parametrize("name", LISTS)
def test_person_who_is_no_operator_sees_nothing(client: Client, person: User, name: str) -> None:
    client.force_login(person)
    assert client.get(reverse(f"admin:coach_{name}_changelist")).status_code in (302, 403)


@pytest.mark.parametrize("name", LISTS)
def test_nothing_can_be_added_changed_or_deleted(operator: Client, person: User, name: str) -> None:
    make_turns(person, 1)
    row = MODELS[name].objects.first()
    change = reverse(f"admin:coach_{name}_change", args=[row.pk])

    page = text(operator.get(change))

    assert 'name="_save"' not in page
    assert "deletelink" not in page
    assert operator.get(reverse(f"admin:coach_{name}_add")).status_code == 403
    assert operator.post(change, {}).status_code == 403
    assert operator.post(reverse(f"admin:coach_{name}_delete", args=[row.pk])).status_code == 403


# How much a list costs


@pytest.mark.parametrize("name", LISTS)
def test_list_asks_as_often_for_many_rows_as_for_few(operator: Client, person: User, name: str) -> None:
    address = reverse(f"admin:coach_{name}_changelist")
    make_turns(person, 2)
    few = queries_of(lambda: operator.get(address))
    make_turns(person, 8)
    many = queries_of(lambda: operator.get(address))
    assert len(many) == len(few)


@pytest.mark.parametrize(
    ("name", "column"), [("turn", "diagnostic"), ("toolcall", "content"), ("modelrequest", "sent")]
)
def test_list_leaves_large_columns_in_the_database(
    operator: Client, person: User, name: str, column: str
) -> None:
    make_turns(person, 1)
    asked = queries_of(lambda: operator.get(reverse(f"admin:coach_{name}_changelist")))
    assert not any(f'"coach_{name}"."{column}"' in sql for sql in asked)


def test_column_that_would_query_row_by_row_fails(
    operator: Client, person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_turns(person, 1)
    monkeypatch.setattr(TurnAdmin, "list_select_related", ("conversation",))
    with pytest.raises(FieldFetchBlocked):
        operator.get(reverse("admin:coach_turn_changelist"))


def test_unfiltered_list_counts_its_table_once(operator: Client, person: User) -> None:
    make_turns(person, 2)
    asked = queries_of(lambda: operator.get(reverse("admin:coach_turn_changelist")))
    assert len([sql for sql in asked if "COUNT(" in sql]) == 1


# Finding a turn


async def test_turns_are_found_by_how_they_ended_and_what_failed(
    operator: Client, run_turn: RunTurn, faults: SetFaults
) -> None:
    failed = await run_turn(
        ScriptedProvider(calls(READ, ("read_measurement", {"date": "2020-01-02"})), says("no"))
    )
    plain = await run_turn(ScriptedProvider(says("hola")))
    faults(in_handler="raise")
    unknown = await run_turn(ScriptedProvider(calls(WRITE)))

    listed = sync_to_async(turns_listed)
    # Two calls of it failed so: it is listed once.
    assert await listed(operator, error="not_found") == [failed.turn.pk]
    assert await listed(operator, recovery="choose_alternative") == [failed.turn.pk]
    assert await listed(operator, recovery="stop_turn") == [unknown.turn.pk]
    assert await listed(operator, state__exact="stopped") == [unknown.turn.pk]
    assert await listed(operator, stop_reason__exact=StopReason.OUTCOME_UNKNOWN) == [unknown.turn.pk]
    assert await listed(operator) == [unknown.turn.pk, plain.turn.pk, failed.turn.pk]


def test_turns_are_found_by_provider(operator: Client, person: User) -> None:
    asked = open_turn(person, provider="openai")
    open_turn(person, provider="google")
    assert turns_listed(operator, provider="openai") == [asked.pk]


def test_turns_are_found_by_their_conversation(operator: Client, person: User) -> None:
    wanted, _other = open_turn(person), open_turn(person)
    assert turns_listed(operator, conversation__id__exact=str(wanted.conversation_id)) == [wanted.pk]


async def test_search_finds_what_was_said_and_who_said_it(
    operator: Client, run_turn: RunTurn, person: User
) -> None:
    ran = await run_turn(ScriptedProvider(says("zanahoria y zanahoria")), "una pregunta de zanahoria")
    await run_turn(ScriptedProvider(says("otra cosa")), "otra")

    listed = sync_to_async(turns_listed)
    assert await listed(operator, q="zanahoria pregunta") == [ran.turn.pk]
    assert await listed(operator, q="zanahoria otra") == []
    assert len(await listed(operator, q=person.username)) == 2


# Reading a turn


async def test_timeline_tells_the_turn_in_its_order(operator: Client, run_turn: RunTurn) -> None:
    ran = await run_turn(ScriptedProvider(calls(READ), says("no hay")), "¿cuánto pesaba?")

    page = await sync_to_async(page_of)(operator, ran.turn)
    shown = page[page.index('id="timeline-title"') :]
    places = [
        shown.index(piece)
        for piece in (
            "¿cuánto pesaba?",
            "round 1, attempt 1",
            "read_measurement",
            "round 2, attempt 1",
            "nohay",
        )
    ]
    assert places == sorted(places)


async def test_timeline_shows_request_arguments_outcome_and_mark(operator: Client, run_turn: RunTurn) -> None:
    ran = await run_turn(ScriptedProvider(calls(READ), says("no")))

    page = await sync_to_async(page_of)(operator, ran.turn)

    (call,) = ran.calls
    assert '"items": 1' in page  # what the first request sent
    assert '{"date": "2020-01-01"}' in page
    assert call.content in page
    assert "error not_found" in page
    assert "choose_alternative" in page
    assert re.search(r"\d\.\d{3} s", page)
    assert reverse("admin:coach_toolcall_change", args=[call.pk]) in page


async def test_timeline_of_an_uncertain_write_shows_verification_notice_and_diagnostic(
    operator: Client, run_turn: RunTurn, faults: SetFaults
) -> None:
    faults(in_handler="raise:the disk is on fire")
    ran = await run_turn(ScriptedProvider(calls(WRITE)))

    page = await sync_to_async(page_of)(operator, ran.turn)

    assert "verified: not saved" in page
    assert "the disk is on fire" in page
    with notices.spoken_as(ran.turn):
        notice = notices.stop_notice(ran.turn, changed=False)
        assert notice is not None
        assert notice.text in page
        assert notices.verdict(ran.calls[0]) in page


async def test_what_a_provider_answered_on_failure_is_shown(operator: Client, run_turn: RunTurn) -> None:
    ran = await run_turn(ScriptedProvider([base.Rejected("bad key 123", reason=base.RejectionReason.AUTH)]))
    page = await sync_to_async(page_of)(operator, ran.turn)
    assert "bad key 123" in page
    assert "error provider_rejected" in page


async def test_what_was_said_comes_out_as_text(operator: Client, run_turn: RunTurn) -> None:
    ran = await run_turn(ScriptedProvider(says("<script>alert(1)</script>")), "<b>hola</b>")
    address = reverse("admin:coach_turn_change", args=[ran.turn.pk])
    page = (await sync_to_async(operator.get)(address)).content.decode()
    assert "<script>alert" not in page
    assert "<b>hola" not in page


def test_conversation_lists_its_turns(operator: Client, person: User) -> None:
    turn = open_turn(person, "un mensaje para ver")
    page = text(operator.get(reverse("admin:coach_conversation_change", args=[turn.conversation_id])))
    assert "un mensaje para ver" in page
    assert reverse("admin:coach_turn_change", args=[turn.pk]) in page


def test_turn_that_is_not_there_is_said(operator: Client) -> None:
    assert operator.get(reverse("admin:coach_turn_change", args=[4711])).status_code == 302
    assert operator.get("/admin/coach/turn/abc/change/").status_code == 302


@pytest.mark.parametrize("name", LISTS)
def test_rows_pages_open(operator: Client, person: User, name: str) -> None:
    make_turns(person, 1)
    for row in MODELS[name].objects.all():
        assert operator.get(reverse(f"admin:coach_{name}_change", args=[row.pk])).status_code == 200
