"""One turn with scripted models: what is asked, what runs, what stops it, and what rows say afterwards."""

import asyncio
import datetime as dt
import json
import math
import threading
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError

from coach import execution, ledger, store, threads
from coach.contract import Effect, ErrorCode
from coach.events import CallEnded, RetryScheduled, TextStreamed
from coach.messages import Note, Response, Results, Text, UserMessage
from coach.models import CallState, StopReason, ToolCall, TurnState, Verification
from coach.providers import base
from coach.providers.base import EndReason, Request, TextDelta
from coach.stopping import StopSignal
from coach.threads import in_database_thread
from coach.tools import registry
from coach.tools.base import Arguments, Tool, ToolContext
from measurements.models import Measurement, Source
from measurements.services import Moment, NewValue, Origin, record_measurements
from tests.coach.conftest import RunTurn, drive, open_turn
from tests.coach.scripted import ScriptedProvider, calls, says
from tests.conftest import SetFaults

pytestmark = pytest.mark.django_db(transaction=True)

WORKED = "consulta el peso de 2020-01-02. Si no existe, consulta 2020-01-01. No crees ni cambies datos."


def record(user: User, on: str, value: str, metric: str = "weight", unit: str = "kg") -> None:
    record_measurements(
        user,
        moment=Moment(dt.date.fromisoformat(on)),
        values=[NewValue(metric, Decimal(value), unit)],
        origin=Origin(Source.FORM),
    )


def write(on: str, value: Any = 77.4, **more: Any) -> tuple[str, Any]:
    values = [{"metric": "weight", "value": value, "unit": "kg"}]
    return "write_measurement", {"date": on, "values": values, **more}


def read(on: str) -> tuple[str, Any]:
    return "read_measurement", {"date": on}


def results_of(request: Request) -> list[Any]:
    return [result for item in request.history if isinstance(item, Results) for result in item.results]


def stored() -> dict[str, Decimal]:
    return {m.measured_on.isoformat(): m.value for m in Measurement.objects.order_by("measured_on")}


async def test_worked_conversation_request_by_request(run_turn: RunTurn, person: User) -> None:
    await in_database_thread(record, person, "2020-01-01", "76")
    answer = "Falta el registro de 2020-01-02. El 2020-01-01 hay un peso guardado: 76 kg."
    provider = ScriptedProvider(calls(read("2020-01-02")), calls(read("2020-01-01")), says(answer))

    ran = await run_turn(provider, WORKED)

    first, second, third = provider.requests
    assert first.history == (UserMessage(WORKED),)
    (missing,) = results_of(second)
    assert missing.outcome.is_error
    assert json.loads(missing.outcome.content)["error"] == "not_found"
    assert json.loads(missing.outcome.content)["recovery"] == "choose_alternative"
    again, found = results_of(third)
    assert again == missing
    assert not found.outcome.is_error
    assert json.loads(found.outcome.content)["measurements"] == [
        {"metric": "weight", "value": "76", "unit": "kg"}
    ]
    assert third.history[: len(second.history)] == second.history
    assert ran.turn.state == TurnState.COMPLETED
    assert [call.state for call in ran.calls] == [CallState.FAILED, CallState.SUCCEEDED]
    assert len(ran.requests) == 3


async def test_corrected_call_stores_exactly_one_measurement(run_turn: RunTurn) -> None:
    wrong = "write_measurement", {"date": "2020-02-30", "values": []}
    ran = await run_turn(ScriptedProvider(calls(wrong), calls(write("2020-02-29")), says("listo")))

    assert [call.error for call in ran.calls] == ["invalid_arguments", ""]
    assert ran.calls[0].recovery == "correct_arguments"
    assert await in_database_thread(stored) == {"2020-02-29": Decimal("77.4")}


@pytest.mark.parametrize(
    "arguments",
    [
        "{not json",
        "",
        "[]",
        '"text"',
        "null",
        '{"date": "2020-01-01"}',
        '{"date": "2020-02-30", "values": [{"metric": "weight", "value": 77, "unit": "kg"}]}',
        '{"date": "2020-01-01", "values": [{"metric": "weight", "value": true, "unit": "kg"}]}',
        '{"date": "2020-01-01", "values": [{"metric": "weight", "value": 77, "unit": "parsec"}]}',
        '{"date": "2020-01-01", "values": [{"metric": "weight", "value": 7777, "unit": "kg"}]}',
        '{"date": "2020-01-01", "values": [{"metric": "weight", "value": 77, "unit": "cm"}]}',
        '{"date": "2020-01-01", "values": [{"metric": "luck", "value": 77, "unit": "kg"}]}',
        '{"date": "2020-01-01", "values": [{"metric": "weight", "value": 77, "unit": "kg"}], "user": 1}',
        '{"date": "2999-01-01", "values": [{"metric": "weight", "value": 77, "unit": "kg"}]}',
        '{"date": "2020-01-01", "values": [{"metric": "weight", "value": NaN, "unit": "kg"}]}',
        '{"date": "2020-01-01", "note": "a\\u0000b", '
        '"values": [{"metric": "weight", "value": 77, "unit": "kg"}]}',
        '{"date": 18262, "values": [{"metric": "weight", "value": 77, "unit": "kg"}]}',
        '{"date": "1577836800", "values": [{"metric": "weight", "value": 77, "unit": "kg"}]}',
        '{"date": "2020-01-01", "time": "07:00Z", '
        '"values": [{"metric": "weight", "value": 77, "unit": "kg"}]}',
        '{"date": "2020-01-01", "time": "07:00:30", '
        '"values": [{"metric": "weight", "value": 77, "unit": "kg"}]}',
    ],
)
async def test_invalid_arguments_never_enter_the_handler(
    run_turn: RunTurn, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    entered: list[Any] = []
    spy = replace_handler(registry.TOOLS["write_measurement"], lambda *given: entered.append(given))
    monkeypatch.setitem(registry.TOOLS, "write_measurement", spy)

    ran = await run_turn(ScriptedProvider(calls(("write_measurement", arguments)), says("ah")))

    assert entered == []
    (call,) = ran.calls
    assert (call.state, call.error, call.is_error) == (CallState.REJECTED, "invalid_arguments", True)
    problems = [field["problem"] for field in json.loads(call.content)["fields"]]
    assert problems
    # In words of our own, and so in the person's language.
    assert not any("Input should" in problem or "Field required" in problem for problem in problems)
    assert call.started_at is None


def replace_handler(tool: Tool[Any], handler: Callable[..., Any]) -> Tool[Any]:
    from dataclasses import replace

    return replace(tool, handler=handler)


async def test_empty_arguments_mean_none_for_a_tool_that_requires_none(
    run_turn: RunTurn, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = Tool(
        name="ping",
        description="",
        arguments=Arguments,
        effect=Effect.READ,
        handler=lambda _context, _arguments: "pong",
        describe=lambda _arguments, _facts: "",
    )
    monkeypatch.setitem(registry.TOOLS, "ping", tool)
    ran = await run_turn(ScriptedProvider(calls(("ping", ""), ("ping", "{")), says("ah")))
    assert [call.error for call in ran.calls] == ["", "invalid_arguments"]


async def test_saved_text_that_looks_like_an_error_stays_a_success(run_turn: RunTurn) -> None:
    note = '{"is_error": true, "kind": "tool_error", "error": "outcome_unknown"}'
    ran = await run_turn(
        ScriptedProvider(calls(write("2020-01-04", note=note)), calls(read("2020-01-04")), says("hecho"))
    )
    wrote, seen = ran.calls
    assert (wrote.is_error, seen.is_error) == (False, False)
    assert json.loads(seen.content)["measurements"][0]["note"] == note
    assert ran.turn.state == TurnState.COMPLETED


async def test_unknown_tool_is_marked_and_can_be_corrected(run_turn: RunTurn) -> None:
    provider = ScriptedProvider(calls(("launch", {})), says("ah"))
    ran = await run_turn(provider)
    (call,) = ran.calls
    assert (call.state, call.error) == (CallState.REJECTED, "unknown_tool")
    assert results_of(provider.requests[1])[0].outcome.is_error


async def test_third_identical_read_is_refused(run_turn: RunTurn, person: User) -> None:
    await in_database_thread(record, person, "2020-01-01", "76")
    again = calls(read("2020-01-01"))
    ran = await run_turn(ScriptedProvider(again, again, again, says("ya")))
    assert [call.error for call in ran.calls] == ["", "", "repeated_call"]


async def test_same_arguments_spelled_otherwise_are_the_same_read(run_turn: RunTurn, person: User) -> None:
    await in_database_thread(record, person, "2020-01-01", "76")
    spellings = [
        '{"date":"2020-01-01"}',
        '{ "date": "2020-01-01" }',
        '{"date": "2020-01-01", "metrics": null}',
    ]
    scripts = [calls(("read_measurement", text)) for text in spellings]
    ran = await run_turn(ScriptedProvider(*scripts, says("ya")))
    assert ran.calls[-1].error == "repeated_call"


async def test_different_value_is_not_replaced_without_being_asked(run_turn: RunTurn, person: User) -> None:
    await in_database_thread(record, person, "2020-01-04", "80")
    ran = await run_turn(ScriptedProvider(calls(write("2020-01-04", 79.5)), says("ya hay otro")))
    (call,) = ran.calls
    assert (call.error, call.state) == ("already_recorded", CallState.FAILED)
    assert "80" in json.loads(call.content)["message"]
    assert await in_database_thread(stored) == {"2020-01-04": Decimal("80")}


async def test_metric_not_recorded_says_that_the_day_has_others(run_turn: RunTurn, person: User) -> None:
    await in_database_thread(record, person, "2020-01-04", "80")
    asked = "read_measurement", {"date": "2020-01-04", "metrics": ["waist"]}
    ran = await run_turn(ScriptedProvider(calls(asked), says("no")))
    assert ran.calls[0].error == "metric_not_recorded"


async def test_failed_read_is_a_safe_error_and_not_an_absence(run_turn: RunTurn, faults: SetFaults) -> None:
    faults(storage_read="raise:SELECT secret FROM users")
    provider = ScriptedProvider(calls(read("2020-01-01")), says("no se pudo leer"))
    ran = await run_turn(provider)
    (call,) = ran.calls
    assert (call.error, call.recovery, call.state) == ("read_failed", "choose_alternative", CallState.FAILED)
    assert "secret" not in call.content
    assert "secret" in call.diagnostic
    assert ran.turn.state == TurnState.COMPLETED
    assert len(provider.requests) == 2


async def test_read_that_takes_too_long_fails(
    run_turn: RunTurn, faults: SetFaults, short_limit: None
) -> None:
    faults(storage_read="hang:1")
    ran = await run_turn(ScriptedProvider(calls(read("2020-01-01")), says("no")))
    assert ran.calls[0].error == "read_failed"


@pytest.fixture
def short_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    for name in ("read_measurement", "write_measurement"):
        monkeypatch.setitem(registry.TOOLS, name, replace(registry.TOOLS[name], time_limit=0.2))


class TestUncertainWrite:
    """Whatever comes out of a write: one request, no retry, the notice, and what storage says."""

    EXCEPTIONS: tuple[BaseException, ...] = (
        TimeoutError("network timeout"),
        OperationalError("database is locked"),
        ValidationError("bad"),
        asyncio.CancelledError(),
        KeyError("x"),
        SystemExit(1),
    )

    @pytest.mark.parametrize("error", EXCEPTIONS, ids=lambda error: type(error).__name__)
    async def test_exception_in_the_handler(
        self, run_turn: RunTurn, monkeypatch: pytest.MonkeyPatch, error: BaseException
    ) -> None:
        tool = registry.TOOLS["write_measurement"]

        def handler(context: ToolContext, arguments: Any) -> Any:
            tool.handler(context, arguments)
            raise error

        monkeypatch.setitem(registry.TOOLS, tool.name, replace_handler(tool, handler))
        provider = ScriptedProvider(calls(write("2020-01-03"), read("2020-01-01")))

        ran = await run_turn(provider)

        assert len(provider.requests) == 1
        assert (ran.turn.state, ran.turn.stop_reason) == (TurnState.STOPPED, StopReason.OUTCOME_UNKNOWN)
        wrote, sibling = ran.calls
        assert (wrote.state, wrote.error) == (CallState.UNKNOWN, "outcome_unknown")
        assert wrote.verification == Verification.NOT_SAVED
        assert (sibling.state, sibling.error) == (CallState.NOT_RUN, "not_run")
        assert type(error).__name__ in wrote.diagnostic
        assert await in_database_thread(stored) == {}
        ended = [event for event in ran.events if isinstance(event, CallEnded)]
        assert [event.outcome.error for event in ended] == [ErrorCode.OUTCOME_UNKNOWN]

    @pytest.mark.parametrize("point", ["after_intent", "in_handler", "before_commit"])
    async def test_fault_before_the_commit_is_verified_not_saved(
        self, run_turn: RunTurn, faults: SetFaults, point: str
    ) -> None:
        faults(**{point: "raise"})
        provider = ScriptedProvider(calls(write("2020-01-03")))
        ran = await run_turn(provider)
        assert ran.calls[0].verification == Verification.NOT_SAVED
        assert ran.turn.stop_reason == StopReason.OUTCOME_UNKNOWN
        assert len(provider.requests) == 1
        assert await in_database_thread(stored) == {}

    @pytest.mark.parametrize("action", ["raise", "disconnect"])
    async def test_fault_after_the_commit_is_verified_saved(
        self, run_turn: RunTurn, faults: SetFaults, action: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        faults(after_commit="raise")
        provider = ScriptedProvider(calls(write("2020-01-03")))
        ran = await run_turn(provider)
        (call,) = ran.calls
        assert ran.turn.stop_reason == StopReason.OUTCOME_UNKNOWN
        assert (call.state, call.verification) == (CallState.SUCCEEDED, Verification.SAVED)
        assert len(provider.requests) == 1
        assert await in_database_thread(stored) == {"2020-01-03": Decimal("77.4")}

    async def test_connection_cut_inside_the_transaction(self, run_turn: RunTurn, faults: SetFaults) -> None:
        faults(before_commit="disconnect")
        ran = await run_turn(ScriptedProvider(calls(write("2020-01-03"))))
        assert ran.calls[0].verification == Verification.NOT_SAVED
        assert await in_database_thread(stored) == {}

    async def test_exception_raised_by_the_commit_itself(
        self, run_turn: RunTurn, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from django.db.backends.base.base import BaseDatabaseWrapper

        real = BaseDatabaseWrapper.commit
        broken: list[bool] = []

        def commit(self: Any) -> None:
            with self.wrap_database_errors:
                in_write = ToolCall.objects.filter(state=CallState.SUCCEEDED).exists() and not broken
            real(self)
            if in_write:
                broken.append(True)
                raise OperationalError("server closed the connection unexpectedly")

        monkeypatch.setattr(BaseDatabaseWrapper, "commit", commit)
        provider = ScriptedProvider(calls(write("2020-01-03")))
        ran = await run_turn(provider)
        assert broken
        assert len(provider.requests) == 1
        assert ran.turn.stop_reason == StopReason.OUTCOME_UNKNOWN
        assert ran.calls[0].verification == Verification.SAVED
        assert await in_database_thread(stored) == {"2020-01-03": Decimal("77.4")}

    @pytest.mark.parametrize("point", ["in_handler", "before_commit"])
    async def test_handler_that_hangs_past_its_limit_commits_nothing(
        self, run_turn: RunTurn, faults: SetFaults, short_limit: None, point: str
    ) -> None:
        faults(**{point: "hang:1"})
        provider = ScriptedProvider(calls(write("2020-01-03")))
        ran = await run_turn(provider)
        assert ran.turn.stop_reason == StopReason.OUTCOME_UNKNOWN
        assert ran.calls[0].verification == Verification.NOT_SAVED
        assert len(provider.requests) == 1
        # On PostgreSQL the thread still hangs when the verdict is given.
        await asyncio.gather(*threads._running)
        assert await in_database_thread(stored) == {}

    async def test_thread_that_wakes_after_the_verdict_is_fenced_off(
        self, run_turn: RunTurn, monkeypatch: pytest.MonkeyPatch, short_limit: None
    ) -> None:
        let_go, ended = threading.Event(), threading.Event()
        original = ledger.commit_effect

        def commit_late(call_id: int, work: Any, **_more: Any) -> Any:
            assert let_go.wait(20)
            try:
                return original(call_id, work, deadline=math.inf)
            finally:
                ended.set()

        monkeypatch.setattr(ledger, "commit_effect", commit_late)
        ran = await run_turn(ScriptedProvider(calls(write("2020-01-03"))))
        let_go.set()
        assert await in_database_thread(ended.wait, 20)
        assert ran.calls[0].verification == Verification.NOT_SAVED
        assert await in_database_thread(stored) == {}

    async def test_model_hears_of_the_verdict_before_the_next_message(
        self, run_turn: RunTurn, faults: SetFaults
    ) -> None:
        faults(in_handler="raise")
        ran = await run_turn(ScriptedProvider(calls(write("2020-01-03"))))
        faults()
        provider = ScriptedProvider(says("no se guardó"))
        await run_turn(provider, "¿y?", conversation_id=ran.turn.conversation_id)
        notes = [item.text for item in provider.requests[0].history if isinstance(item, Note)]
        assert any("not saved" in note for note in notes)
        assert results_of(provider.requests[0])[0].outcome.error is ErrorCode.OUTCOME_UNKNOWN


async def test_call_that_stops_the_turn_leaves_the_later_ones_unrun(
    run_turn: RunTurn, faults: SetFaults
) -> None:
    faults(in_handler="raise")
    ran = await run_turn(
        ScriptedProvider(calls(write("2020-01-03"), write("2020-01-04"), write("2020-01-05")))
    )
    assert [call.error for call in ran.calls] == ["outcome_unknown", "not_run", "not_run"]
    assert await in_database_thread(stored) == {}


async def test_several_calls_run_one_after_the_other_in_order(run_turn: RunTurn) -> None:
    ran = await run_turn(
        ScriptedProvider(calls(write("2020-01-03"), read("2020-01-03"), write("2020-01-04", 78)), says("ok"))
    )
    assert [call.is_error for call in ran.calls] == [False, False, False]
    assert len(await in_database_thread(stored)) == 2


async def test_round_limit_stops_the_turn(run_turn: RunTurn, settings: Any) -> None:
    settings.COACH_MAX_ROUNDS = 3
    by_round = iter(range(1, 10))
    provider = ScriptedProvider(by=lambda _request: calls(read(f"2020-01-0{next(by_round)}")))
    ran = await run_turn(provider)
    assert len(provider.requests) == 3
    assert ran.turn.stop_reason == StopReason.ROUND_LIMIT
    assert ran.calls[-1].error == "not_run"
    assert all(call.is_error is not None for call in ran.calls)


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (EndReason.TRUNCATED, StopReason.PROVIDER_TRUNCATED),
        (EndReason.REFUSED, StopReason.PROVIDER_REFUSED),
        (EndReason.COMPLETE, StopReason.PROVIDER_STREAM_BROKEN),
    ],
)
async def test_calls_of_a_response_that_ended_otherwise_never_run(
    run_turn: RunTurn, end: EndReason, reason: StopReason
) -> None:
    ran = await run_turn(ScriptedProvider(calls(write("2020-01-03"), end=end)))
    assert ran.turn.stop_reason == reason
    assert [call.error for call in ran.calls] == ["not_run"]
    assert await in_database_thread(stored) == {}


async def test_stream_without_terminal_event_keeps_its_text_and_runs_nothing(run_turn: RunTurn) -> None:
    script = [TextDelta("Voy a "), *calls(write("2020-01-03"))[:-1]]
    ran = await run_turn(ScriptedProvider(script))
    assert ran.turn.stop_reason == StopReason.PROVIDER_STREAM_BROKEN
    assert [call.error for call in ran.calls] == ["not_run"]
    texts = await in_database_thread(
        lambda: list(ran.turn.entries.filter(kind="text").values_list("text", "complete"))
    )
    assert texts == [("Voy a ", False)]


async def test_empty_answer_is_said_to_be_one(run_turn: RunTurn) -> None:
    ran = await run_turn(ScriptedProvider(says("")))
    assert ran.turn.stop_reason == StopReason.PROVIDER_EMPTY


async def test_request_that_yielded_nothing_is_sent_again(run_turn: RunTurn, no_waiting: None) -> None:
    provider = ScriptedProvider([base.Unavailable("busy", retry_after=0.0)], says("hola"))
    ran = await run_turn(provider)
    assert ran.turn.state == TurnState.COMPLETED
    assert provider.requests[0] == provider.requests[1]
    assert [type(event) for event in ran.events].count(RetryScheduled) == 1
    assert [request.attempt for request in ran.requests] == [1, 2]
    assert ran.requests[0].error == "provider_unavailable"


async def test_request_that_began_is_never_sent_again(run_turn: RunTurn, no_waiting: None) -> None:
    provider = ScriptedProvider([TextDelta("Hol"), base.Unavailable("gone")], says("hola"))
    ran = await run_turn(provider)
    assert len(provider.requests) == 1
    assert ran.turn.stop_reason == StopReason.PROVIDER_STREAM_BROKEN


async def test_retries_are_bounded(run_turn: RunTurn, no_waiting: None) -> None:
    provider = ScriptedProvider(by=lambda _request: [base.Unavailable("busy")])
    ran = await run_turn(provider)
    assert ran.turn.stop_reason == StopReason.PROVIDER_UNAVAILABLE
    assert len(provider.requests) == 4


async def test_rejected_request_is_not_sent_again(run_turn: RunTurn) -> None:
    provider = ScriptedProvider([base.Rejected("401", reason=base.RejectionReason.AUTH)])
    ran = await run_turn(provider)
    assert (ran.turn.stop_reason, ran.turn.rejection) == (StopReason.PROVIDER_REJECTED, "auth")
    assert len(provider.requests) == 1


async def test_what_was_sent_is_written_down_before_how_it_ended(
    run_turn: RunTurn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the answer comes before the database is done with the request."""
    order: list[str] = []
    answered = threading.Event()
    record_sent, save_response = store.record_sent, store.save_response

    def slow_record_sent(*given: Any) -> None:
        assert answered.wait(20)
        record_sent(*given)
        order.append("sent")

    def noted_save_response(*given: Any, **more: Any) -> None:
        save_response(*given, **more)
        order.append("ended")

    def refuse(_request: Request) -> list[Exception]:
        threading.Timer(0.05, answered.set).start()
        return [base.Rejected("401", reason=base.RejectionReason.AUTH)]

    monkeypatch.setattr(store, "record_sent", slow_record_sent)
    monkeypatch.setattr(store, "save_response", noted_save_response)
    ran = await run_turn(ScriptedProvider(by=refuse))
    assert order == ["sent", "ended"]
    assert ran.requests[0].sent


async def test_failure_of_our_own_is_not_blamed_on_the_provider(run_turn: RunTurn, faults: SetFaults) -> None:
    faults(before_request="raise:secret detail")
    provider = ScriptedProvider(says("hola"))
    ran = await run_turn(provider)
    assert ran.turn.stop_reason == StopReason.LOCAL_FAILURE
    assert provider.requests == []
    assert "secret detail" in ran.turn.diagnostic


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(self: StopSignal, _seconds: float) -> None:
        self.check()

    monkeypatch.setattr(StopSignal, "wait", wait)


async def test_stop_in_mid_answer_keeps_the_text_and_ends_at_once(person: User) -> None:
    stop = StopSignal()

    class Endless(ScriptedProvider):
        async def stream(self, request: Request, **_: Any) -> Any:
            yield TextDelta("uno ")
            stop.set()
            await asyncio.Event().wait()

    turn = await in_database_thread(open_turn, person)
    ran = await drive(turn, Endless(), stop=stop)
    assert ran.turn.stop_reason == StopReason.CANCELLED
    assert [event.text for event in ran.events if isinstance(event, TextStreamed)] == ["uno "]


async def test_stop_between_calls_leaves_the_rest_unrun(
    person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = StopSignal()
    loop = asyncio.get_running_loop()
    tool = registry.TOOLS["write_measurement"]

    def handler(context: ToolContext, arguments: Any) -> Any:
        loop.call_soon_threadsafe(stop.set)
        return tool.handler(context, arguments)

    monkeypatch.setitem(registry.TOOLS, tool.name, replace_handler(tool, handler))
    turn = await in_database_thread(open_turn, person)
    ran = await drive(turn, ScriptedProvider(calls(write("2020-01-03"), write("2020-01-04"))), stop=stop)
    assert ran.turn.stop_reason == StopReason.CANCELLED
    assert [call.state for call in ran.calls] == [CallState.SUCCEEDED, CallState.NOT_RUN]


async def test_later_turn_sees_all_that_was_said(run_turn: RunTurn) -> None:
    ran = await run_turn(ScriptedProvider(calls(write("2020-01-03")), says("hecho")))
    provider = ScriptedProvider(says("hola"))
    await run_turn(provider, "y ahora?", conversation_id=ran.turn.conversation_id)
    said, response, results, answer, asked = provider.requests[0].history
    assert isinstance(said, UserMessage)
    assert isinstance(response, Response)
    assert isinstance(results, Results)
    assert answer == Response("scripted", (Text("hecho"),))
    assert asked == UserMessage("y ahora?")


async def test_read_that_ends_just_as_its_time_is_up_stands(
    run_turn: RunTurn, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def too_late(work: asyncio.Future[Any], ready: Any) -> Any:
        await work
        return execution._Unexpected("no answer in time")

    monkeypatch.setattr(execution, "_within_limit", too_late)
    ran = await run_turn(ScriptedProvider(calls(read("2020-01-01")), says("no")))
    assert ran.turn.state == TurnState.COMPLETED
    assert ran.calls[0].error == "not_found"


async def test_write_whose_check_finds_the_connection_broken_stays_open(
    run_turn: RunTurn, faults: SetFaults, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def close(self) -> None:
            raise InterfaceError("connection already closed")

    faults(in_handler="raise")
    monkeypatch.setattr(ledger, "connection", Broken())
    ran = await run_turn(ScriptedProvider(calls(write("2020-01-03"))))
    assert ran.turn.stop_reason == StopReason.OUTCOME_UNKNOWN
    assert ran.calls[0].verification == Verification.OPEN


async def test_failure_of_our_own_in_mid_answer_keeps_what_had_arrived(run_turn: RunTurn) -> None:
    ran = await run_turn(ScriptedProvider([TextDelta("Empiezo"), ValueError("a bug in an adapter")]))
    assert ran.turn.stop_reason == StopReason.LOCAL_FAILURE
    assert await in_database_thread(ran.turn.entries.filter(text="Empiezo", complete=False).exists)
    assert "a bug in an adapter" in ran.requests[0].diagnostic
