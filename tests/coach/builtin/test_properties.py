"""Whatever a person writes and whatever the tools give back."""

import asyncio
import json
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from coach.contract import ErrorCode, Outcome, failure, success
from coach.providers.base import End, Event, ToolCall
from coach.providers.builtin.moves import ToolName
from tests.coach.builtin.talk import Talk, day, record, result, said, situated

FORBIDDING = st.sampled_from(["don't change anything", "no cambies datos", "não altere nada", "NO CHANGES"])
WORDS = re.findall(
    r"\S+",
    "81,4 77.2 12st 7 1,081.4 18 % kg lb st cm in 2020-01-02 31/2 4/3/2026 7:30 25:61 at 7 a las às 7h30 "
    "today ayer ontem last week la semana pasada em janeiro 4 de enero March 5th between entre y and e "
    "hace 999 años ha sete meses last seven years 999 years ago in 0000 in 9999 since desde from de to a até "
    "weight peso waist cintura fat grasa gordura visceral log anota registra no, era sorry no não sí yes sim "
    "delete borra apague that lo last último how is cómo va como ? , . : note: nota: if not si no existe",
)
LANGUAGES = st.sampled_from(["en", "es", "pt-br", "fr"])
MASS = st.sampled_from(["kg", "lb", "st_lb"])
UTTERANCES = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
MIXED = st.tuples(UTTERANCES, st.text(max_size=20)).map(" ".join)
TEXTS = st.one_of(UTTERANCES, st.text(max_size=80), MIXED)
OUTCOMES = st.one_of(
    st.sampled_from([failure(code, "It failed.") for code in ErrorCode]),
    st.text(max_size=30).map(success),
    st.just(day("2026-11-30", record("81.4", time="07:00"), record(18, "%", "body_fat"))),
    st.just(day("2026-11-30", record("81.4"))),
    st.just(result({"saved": [{**record(81), "date": "2026-12-01", "change": "created"}]})),
    st.just(result({"deleted": {**record(81), "date": "2026-12-01"}})),
)
MOST_ROUNDS = 8


def respond(talk: Talk) -> list[Event]:
    return asyncio.run(talk.events())


def run(talk: Talk, outcomes: list[Outcome]) -> list[tuple[str, dict[str, Any]]]:
    """Runs a turn to its answer, as the harness does; gives the calls that were made."""
    made: list[tuple[str, dict[str, Any]]] = []
    for outcome in outcomes:
        events = respond(talk)
        assert isinstance(events[-1], End)
        calls = [event for event in events if isinstance(event, ToolCall)]
        if not calls:
            assert said(events).strip()
            return made
        (call,) = calls
        arguments = json.loads(call.arguments_text)
        assert call.name in set(ToolName)
        made.append((call.name, arguments))
        talk.called(call.name, arguments, outcome)
    raise AssertionError("a turn without an end")


@settings(max_examples=250, deadline=None)
@given(LANGUAGES, MASS, st.lists(TEXTS, min_size=1, max_size=3), st.lists(OUTCOMES, min_size=30, max_size=30))
def test_any_conversation_ends_in_an_answer(
    language: str, mass: str, texts: list[str], outcomes: list[Outcome]
) -> None:
    talk = Talk(situated(language, mass=mass))
    for n, text in enumerate(texts):
        talk.say(text)
        made = run(talk, outcomes[n * MOST_ROUNDS : (n + 1) * MOST_ROUNDS])
        talk.answered("…")
        assert len(made) == len({json.dumps(call) for call in made}), "the same call twice in a turn"


@settings(max_examples=250, deadline=None)
@given(LANGUAGES, TEXTS, FORBIDDING, TEXTS, st.lists(OUTCOMES, min_size=MOST_ROUNDS, max_size=MOST_ROUNDS))
def test_nothing_is_ever_written_when_the_person_forbids_it(
    language: str, before: str, forbidding: str, after: str, outcomes: list[Outcome]
) -> None:
    written = {"date": "2026-12-01", "values": [{"metric": "weight", "value": 80, "unit": "kg"}]}
    talk = Talk(situated(language)).say("80 kg")
    talk.called("write_measurement", written, failure(ErrorCode.ALREADY_RECORDED, "There.")).answered("…")
    talk.say(f"{before} {forbidding} {after}")
    assert not {tool for tool, _arguments in run(talk, outcomes)} & {ToolName.WRITE, ToolName.DELETE}


@settings(max_examples=250, deadline=None)
@given(LANGUAGES, UTTERANCES)
def test_a_value_that_is_written_is_one_that_was_said(language: str, text: str) -> None:
    events = respond(Talk(situated(language)).say(text))
    for call in [event for event in events if isinstance(event, ToolCall)]:
        if call.name != ToolName.WRITE:
            continue
        numbers = "".join(re.findall("[0-9]", text))
        for value in json.loads(call.arguments_text)["values"]:
            if value["unit"] == "st_lb":
                continue
            assert f"{value['value']:g}".replace(".", "").rstrip("0") in numbers


@settings(max_examples=200, deadline=None)
@given(LANGUAGES, TEXTS)
def test_an_answer_without_a_tool_result_holds_no_number_from_the_message(language: str, text: str) -> None:
    events = respond(Talk(situated(language)).say(f"{text} 64739"))
    assert "64739" not in said(events)
