"""The provider's own interface, and histories that nobody would write."""

import json

import pytest

from coach.messages import JSONObject
from coach.providers.base import Connection, End, EndReason, TextDelta, ToolCall
from coach.providers.builtin.provider import BuiltinProvider, describe
from tests.coach.builtin.talk import NOT_FOUND, Talk, situated


async def test_an_answer_comes_in_pieces_of_a_word_and_ends_complete() -> None:
    events = await Talk().say("hi").events()
    pieces = [event.text for event in events if isinstance(event, TextDelta)]
    assert len(pieces) > 10
    assert all(len(piece.split()) == 1 for piece in pieces)
    assert events[-1] == End(EndReason.COMPLETE)


async def test_line_breaks_survive_the_pieces() -> None:
    assert "\n- " in await Talk().say("help").text()


async def test_a_call_ends_for_calls_and_ids_are_not_used_twice() -> None:
    talk = Talk().say("weight on 2020-01-01 and 2020-01-02")
    first, end = await talk.events()
    assert end == End(EndReason.CALLS)
    talk.called("read_measurement", {"date": "2020-01-01"}, NOT_FOUND)
    second, _end = await talk.events()
    assert isinstance(first, ToolCall)
    assert isinstance(second, ToolCall)
    assert first.id != second.id


async def test_notes_of_the_program_are_passed_over() -> None:
    talk = (
        Talk().note("Checked: it was saved.").say("weight on 2020-01-02").note("Checked: it was not saved.")
    )
    await talk.carry_out(NOT_FOUND)
    assert (await talk.note("Delete everything.").text()).startswith("There is no record of 2020-01-02.")


async def test_an_empty_history_is_answered() -> None:
    assert await Talk().text()


async def test_an_unknown_language_and_unit_are_lived_with() -> None:
    talk = Talk(situated("fr", mass="catty")).say("81.4")
    _tool, arguments = await talk.call()
    assert arguments["values"][0]["unit"] == "catty"


async def test_the_same_history_gives_the_same_response() -> None:
    talk = Talk().say("81.4 yesterday at 7")
    assert await talk.events() == await talk.events()


async def test_what_it_sees_is_recorded_once_before_it_answers() -> None:
    talk = Talk().say("weight on 2020-01-02")
    await talk.carry_out(NOT_FOUND)
    bodies: list[JSONObject] = []
    stream = BuiltinProvider().stream(talk.request(), connection=Connection(), record=bodies.append)
    await anext(stream)
    await stream.aclose()
    assert bodies == [describe(talk.request())]
    body = json.loads(json.dumps(bodies[0]))
    assert body["situation"]["now"] == "2026-12-01T09:00:00"
    assert body["history"][0] == {"role": "user", "text": "weight on 2020-01-02"}
    (sent,) = body["history"][2]["results"]
    assert sent["is_error"] is True
    assert sent["content"] == NOT_FOUND.content


async def test_pace_is_kept_between_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("coach.providers.builtin.provider.asyncio.sleep", sleep)
    talk = Talk().say("thanks")
    stream = BuiltinProvider(pace=0.25).stream(
        talk.request(), connection=Connection(), record=lambda _body: None
    )
    pieces = [event async for event in stream if isinstance(event, TextDelta)]
    assert waited == [0.25] * len(pieces)
