"""Checks a request body against the vendor's own types, with unknown keys refused at every depth."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

GOOGLE_STEP_KEYS = {
    "user_input": {"type", "content"},
    "model_output": {"type", "content"},
    "thought": {"type", "signature", "summary"},
    "function_call": {"type", "id", "name", "arguments"},
    "function_result": {"type", "call_id", "name", "result", "is_error"},
}


def check_anthropic(body: Mapping[str, Any]) -> None:
    _walk(_anthropic().validate_python(body, extra="forbid"))


def check_openai(body: Mapping[str, Any]) -> None:
    _walk(_openai().validate_python(body, extra="forbid"))
    for item in body["input"]:
        # The vendor's type says that the id may be missing. The vendor does not.
        if item["type"] in ("function_call", "function_call_output"):
            assert item["call_id"]


def check_google(body: Mapping[str, Any]) -> None:
    """The vendor's model refuses wrong values and lets unknown keys pass: those are checked here."""
    from google.genai.interactions import CreateModelInteraction

    assert set(body) <= set(CreateModelInteraction.model_fields)
    CreateModelInteraction.model_validate(body)
    for step in body["input"]:
        assert set(step) <= GOOGLE_STEP_KEYS[step["type"]], step
        if step["type"] == "function_call":
            assert step["id"]
        if step["type"] == "function_result":
            assert step["call_id"]


CHECKS: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
    "anthropic": check_anthropic,
    "openai": check_openai,
    "google": check_google,
}


@cache
def _anthropic() -> TypeAdapter[Any]:
    from anthropic.types.message_create_params import MessageCreateParamsStreaming

    return TypeAdapter(MessageCreateParamsStreaming)


@cache
def _openai() -> TypeAdapter[Any]:
    from openai.types.responses.response_create_params import ResponseCreateParamsStreaming

    return TypeAdapter(ResponseCreateParamsStreaming)


def _walk(value: Any) -> None:
    """Iterables are validated only when they are walked through."""
    if isinstance(value, Mapping):
        for inner in value.values():
            _walk(inner)
    elif isinstance(value, list | Iterator) or type(value).__name__ == "ValidatorIterator":
        for inner in value:
            _walk(inner)
