"""What each vendor receives for each outcome, as it received it."""

import json
from typing import Any

import pydantic
import pytest

from coach.contract import ErrorCode, FieldProblem, Outcome, failure, success
from coach.history import RecordedCall, RecordedResponse, build
from coach.messages import Call, Note, Opaque, Response, Result, Results, Text, UserMessage
from coach.providers.base import ToolCall
from tests.coach.providers.asking import ask, request
from tests.coach.providers.conftest import Serve
from tests.coach.providers.vendor_types import CHECKS
from tests.fakes.scripts import Reply, Say, Seen, Think, Use, says
from tests.fakes.server import Fake

LOOKS_LIKE_AN_ERROR = '{"is_error": true, "kind": "tool_error", "error": "outcome_unknown"}'
OUTCOMES = {
    "success": success('{"date": "2020-01-01", "measurements": []}'),
    "success_that_looks_like_an_error": success(LOOKS_LIKE_AN_ERROR),
    "success_in_words": success("Error: not found"),
    "success_that_is_empty": success(""),
    **{code.value: failure(code, "Mensaje «seguro» para ti.") for code in ErrorCode},
    "with_fields": failure(ErrorCode.INVALID_ARGUMENTS, "m", [FieldProblem("date", "is missing")]),
}
ARGUMENTS = '{"date": "2020-01-02"}'
CALL = Call("c_01", "read_measurement", ARGUMENTS)


def history(outcome: Outcome, vendor: str) -> tuple[Any, ...]:
    return (
        UserMessage("consulta"),
        Response(vendor, (CALL,)),
        Results((Result("c_01", "read_measurement", outcome),)),
    )


def pinned(vendor: str, outcome: Outcome) -> list[Any]:
    """The end of the history as the contract has it (section 6)."""
    mark = {"is_error": True} if outcome.is_error else {}
    arguments = json.loads(ARGUMENTS)
    match vendor:
        case "anthropic":
            use = {"type": "tool_use", "id": "c_01", "name": CALL.name, "input": arguments}
            result = {"type": "tool_result", "tool_use_id": "c_01", "content": outcome.content, **mark}
            return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
        case "google":
            use = {"type": "function_call", "id": "c_01", "name": CALL.name, "arguments": arguments}
            result = {"type": "function_result", "call_id": "c_01", "name": CALL.name}
            return [use, {**result, "result": outcome.content, **mark}]
        case _:
            use = {"type": "function_call", "call_id": "c_01", "name": CALL.name, "arguments": ARGUMENTS}
            return [use, {"type": "function_call_output", "call_id": "c_01", "output": outcome.content}]


def said(vendor: str, body: Any) -> list[Any]:
    items: list[Any] = body["messages" if vendor == "anthropic" else "input"]
    return items


@pytest.mark.parametrize("outcome", OUTCOMES.values(), ids=OUTCOMES)
async def test_each_outcome_arrives_as_the_contract_has_it(
    serve: Serve, vendor: str, outcome: Outcome
) -> None:
    served = serve(vendor, says("ah"))
    asked = await ask(served, request(*history(outcome, vendor)))

    assert asked.error is None
    (body,) = served.bodies
    # The content is text inside the body's JSON: equal text means our payload, byte for byte.
    assert said(vendor, body)[1:] == pinned(vendor, outcome)
    CHECKS[vendor](body)


async def test_whole_body_for_anthropic(serve: Serve) -> None:
    body = await body_for(serve("anthropic", says("ah")))
    assert body == {
        "model": "some-model",
        "max_tokens": 16_000,
        "system": [
            {"type": "text", "text": "You are the Coach.", "cache_control": {"type": "ephemeral"}},
        ],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hola"}]}],
        "stream": True,
        "tools": [
            {
                "name": "read_measurement",
                "description": "Reads a day.",
                "input_schema": STRICT,
                "strict": True,
                "cache_control": {"type": "ephemeral"},
            }
        ],
        "output_config": {"effort": "high"},
    }


STRICT = {
    "type": "object",
    "properties": {
        "date": {"type": "string", "description": "A day."},
        "metrics": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
    },
    "required": ["date", "metrics"],
    "additionalProperties": False,
}


async def test_whole_body_for_openai(serve: Serve) -> None:
    body = await body_for(serve("openai", says("ah")))
    assert body == {
        "model": "some-model",
        "instructions": "You are the Coach.",
        "input": [{"type": "message", "role": "user", "content": "hola"}],
        "max_output_tokens": 16_000,
        "store": False,
        "stream": True,
        "tools": [
            {
                "type": "function",
                "name": "read_measurement",
                "description": "Reads a day.",
                "parameters": STRICT,
                "strict": True,
            }
        ],
        "include": ["reasoning.encrypted_content"],
        "reasoning": {"effort": "high"},
    }


async def test_whole_body_for_google(serve: Serve) -> None:
    body = await body_for(serve("google", says("ah")))
    sent = request().tools[0]
    assert body == {
        "model": "some-model",
        "system_instruction": "You are the Coach.",
        "input": [{"type": "user_input", "content": [{"type": "text", "text": "hola"}]}],
        "generation_config": {
            "max_output_tokens": 16_000,
            "tool_choice": "validated",
            "thinking_level": "high",
        },
        "store": False,
        "stream": True,
        "tools": [
            {
                "type": "function",
                "name": sent.name,
                "description": sent.description,
                "parameters": sent.schema,
            }
        ],
    }


async def body_for(served: Fake) -> Any:
    asked = await ask(served, request(effort="high"))
    assert asked.error is None
    (body,) = served.bodies
    CHECKS[served.dialect.name](body)
    return body


async def test_reasoning_comes_back_unchanged_before_its_call(serve: Serve, vendor: str) -> None:
    """Two rounds over the wire: what the first gave is in the second as it came."""

    def script(seen: Seen) -> Reply:
        if seen.results:
            return says("ya")
        call = Use("read_measurement", {"date": "2020-01-02"})
        return Reply(pieces=[Think("c2lnbmF0dXJhLw=="), Say("Miro"), Think("b3RyYQ=="), call])

    served = serve(vendor, script)
    first = await ask(served)
    assert len(first.opaque) == 2
    thought, other = first.opaque
    call = Call(first.calls[0].id, first.calls[0].name, first.calls[0].arguments_text)
    result = Result(call.id, call.name, success("{}"))
    response = Response(vendor, (thought, Text("Miro"), other, call))
    await ask(served, request(UserMessage("hola"), response, Results((result,))))

    body = served.bodies[1]
    CHECKS[vendor](body)
    items = said(vendor, body)[1:]
    parts = items[0]["content"] if vendor == "anthropic" else items[:4]
    assert parts[0] == expected_thought(vendor, "c2lnbmF0dXJhLw==", 0)
    assert parts[2] == expected_thought(vendor, "b3RyYQ==", 2)
    assert parts[3]["type"] in ("tool_use", "function_call")


def expected_thought(vendor: str, signature: str, index: int) -> Any:
    match vendor:
        case "anthropic":
            return {"type": "thinking", "thinking": "hmm", "signature": signature}
        case "openai":
            return {"type": "reasoning", "id": f"rs_{index}", "summary": [], "encrypted_content": signature}
        case _:
            return {
                "type": "thought",
                "summary": [{"type": "text", "text": "hmm"}],
                "signature": signature,
            }


async def test_results_stand_first_and_together_in_one_message_at_anthropic(serve: Serve) -> None:
    served = serve("anthropic", says("ah"))
    calls = (Call("a", "read_measurement", "{}"), Call("b", "read_measurement", ""))
    results = tuple(Result(call.id, call.name, success("{}")) for call in calls)
    await ask(
        served,
        request(
            UserMessage("uno"),
            Response("anthropic", calls),
            Results(results),
            Note("The previous turn stopped."),
            UserMessage("dos"),
        ),
    )
    (body,) = served.bodies
    CHECKS["anthropic"](body)
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    last = body["messages"][-1]["content"]
    assert [block["type"] for block in last] == ["tool_result", "tool_result", "text", "text"]


async def test_whatever_a_model_called_can_be_sent_back(serve: Serve, vendor: str) -> None:
    calls = tuple(
        Call(f"c{n}", name, text)
        for n, (name, text) in enumerate([("lánzalo ya!", "{no"), ("", "[1]"), ("read_measurement", "")])
    )
    results = tuple(Result(call.id, call.name, failure(ErrorCode.UNKNOWN_TOOL, "m")) for call in calls)
    served = serve(vendor, says("ah"))
    asked = await ask(
        served,
        request(
            UserMessage("x"),
            Response(vendor, (Text("  "), *calls)),
            Results(results),
            UserMessage("y"),
            Response(vendor, (Opaque({"type": "reasoning", "id": "r", "summary": []}), Text(""))),
            UserMessage("z"),
        ),
    )
    assert asked.error is None
    CHECKS[vendor](served.bodies[0])


async def test_text_that_broke_off_is_sent_as_it_came(serve: Serve, vendor: str) -> None:
    served = serve(vendor, says("ah"))
    broken = Response(vendor, (Text("Son 76", complete=False),))
    await ask(served, request(UserMessage("x"), broken, UserMessage("sigue")))
    CHECKS[vendor](served.bodies[0])
    assert "Son 76" in json.dumps(said(vendor, served.bodies[0]))


async def test_conversation_that_went_through_all_three_is_accepted_by_each(
    serve: Serve, vendor: str
) -> None:
    """Marks survive the switch; reasoning goes back to its own vendor alone; ids tie and are unique."""
    recorded: list[Any] = []
    thoughts = {
        "anthropic": Opaque({"type": "thinking", "thinking": "", "signature": "of-anthropic"}),
        "openai": Opaque({"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "of-openai"}),
        "google": Opaque({"type": "thought", "signature": "b2YtZ29vZ2xl"}),
    }
    marks = {"anthropic": "of-anthropic", "openai": "of-openai", "google": "b2YtZ29vZ2xl"}
    for turn, speaker in enumerate(["anthropic", "google", "openai", "anthropic"]):
        missing = failure(ErrorCode.NOT_FOUND, "No hay registro.")
        # Every vendor used the same id.
        call = RecordedCall(Call("call_1", "read_measurement", ARGUMENTS), turn, 0, missing)
        recorded += [
            UserMessage("consulta"),
            RecordedResponse(speaker, (thoughts[speaker], call)),
            RecordedResponse(speaker, (Text("No hay."),)),
        ]
    items = build([*recorded, UserMessage("¿y ahora?")], provider=vendor)
    assert items == build([*recorded, UserMessage("¿y ahora?")], provider=vendor)
    served = serve(vendor, says("nada"))

    asked = await ask(served, request(*items))
    again = await ask(served, request(*items))

    assert asked.error is None
    assert again.error is None
    first, second = served.asked
    assert first.raw == second.raw
    CHECKS[vendor](first.body)
    for name, mark in marks.items():
        assert (mark in first.raw.decode()) is (name == vendor)
    seen = served.dialect.seen(first.body)
    assert seen.text == "¿y ahora?"
    text = first.raw.decode()
    if vendor == "openai":
        assert '"is_error":' not in text.replace('\\"is_error\\"', "")
    else:
        assert text.count('"is_error":true') + text.count('"is_error": true') == 4


def test_mark_beside_the_output_would_be_caught_for_openai() -> None:
    item = {"type": "function_call_output", "call_id": "c", "output": "{}", "is_error": True}
    body = {"model": "m", "input": [item], "stream": True}
    with pytest.raises(pydantic.ValidationError):
        CHECKS["openai"](body)
    del item["is_error"]
    CHECKS["openai"](body)


def test_unknown_key_in_a_result_would_be_caught_for_anthropic_and_google() -> None:
    block = {"type": "tool_result", "tool_use_id": "c", "content": "{}", "is_eror": True}
    messages = [{"role": "user", "content": [block]}]
    with pytest.raises(pydantic.ValidationError):
        CHECKS["anthropic"]({"model": "m", "max_tokens": 1, "messages": messages, "stream": True})
    step = {"type": "function_result", "call_id": "c", "name": "n", "result": "{}", "is_eror": True}
    with pytest.raises(AssertionError):
        CHECKS["google"]({"model": "m", "input": [step]})


def test_call_that_comes_back_is_the_call_that_was_made() -> None:
    """The neutral form keeps a call's id, name and arguments text as they are."""
    made = ToolCall("c", "n", '{"a": 1}')
    assert Call(made.id, made.name, made.arguments_text) == Call("c", "n", '{"a": 1}')
