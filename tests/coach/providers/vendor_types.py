"""Checks a request body against the vendor's own types, with unknown keys refused at every depth."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
GOOGLE_STEP_KEYS = {
    "user_input": {"type", "content"},
    "model_output": {"type", "content"},
    "thought": {"type", "signature", "summary"},
    "function_call": {"type", "id", "name", "arguments"},
    "function_result": {"type", "call_id", "name", "result", "is_error"},
}


def check_anthropic(body: Mapping[str, Any]) -> None:
    _check_names(body)
    _walk(_anthropic().validate_python(body, extra="forbid"))


def check_openai(body: Mapping[str, Any]) -> None:
    _check_names(body)
    _walk(_openai().validate_python(body, extra="forbid"))
    for item in body["input"]:
        # The vendor's type says that the id may be missing. The vendor does not.
        if item["type"] in ("function_call", "function_call_output"):
            assert item["call_id"]


def check_google(body: Mapping[str, Any]) -> None:
    """The vendor's model refuses wrong values and lets unknown keys pass: those are checked here."""
    from google.genai.interactions import CreateModelInteraction

    _check_names(body)
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


def _check_names(value: Any) -> None:
    """The vendors' types say that a tool's name is a string. Their servers say more."""
    if isinstance(value, Mapping):
        if value.get("type") in ("tool_use", "function", "function_call", "function_result"):
            assert TOOL_NAME.fullmatch(value.get("name", "")), value
        for inner in value.values():
            _check_names(inner)
    elif isinstance(value, list):
        for inner in value:
            _check_names(inner)


def _walk(value: Any) -> None:
    """Iterables are validated only when they are walked through."""
    if isinstance(value, Mapping):
        for inner in value.values():
            _walk(inner)
    elif isinstance(value, list | Iterator) or type(value).__name__ == "ValidatorIterator":
        for inner in value:
            _walk(inner)
