"""What all three wire forms share: sendable parts, names, argument objects, strict schemas."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.messages import Call, JSONObject, Opaque, Response, Text
from coach.providers.wire import arguments_object, sendable, strict_schema, wire_name
from coach.tools import registry


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_blank_text_is_not_sent(text: str) -> None:
    call = Call("c", "read", "{}")
    assert sendable(Response("x", (Text(text), call))) == (call,)


def test_reasoning_goes_back_only_with_what_followed_it() -> None:
    first, last, call = Opaque({"n": 1}), Opaque({"n": 2}), Call("c", "read", "{}")
    assert sendable(Response("x", (first, call, last))) == (first, call)
    assert sendable(Response("x", (first, Text(" ")))) == ()


@pytest.mark.parametrize(
    ("name", "sent"),
    [("read_measurement", "read_measurement"), ("", "_"), ("lánzalo ya", "l_nzalo_ya"), ("x" * 99, "x" * 64)],
)
def test_any_name_a_model_calls_becomes_one_that_vendors_accept(name: str, sent: str) -> None:
    assert wire_name(name) == sent


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("", {}),
        ('{"a": 1.50}', {"a": 1.5}),
        ("[1]", {"INVALID_JSON": "[1]"}),
        ("{not json", {"INVALID_JSON": "{not json"}),
        ('{"a": NaN}', {"INVALID_JSON": '{"a": NaN}'}),
        (r'{"a": "\ud800"}', {"INVALID_JSON": r'{"a": "\ud800"}'}),
        ("[" * 100_000, {"INVALID_JSON": "[" * 100_000}),
    ],
)
def test_arguments_are_always_an_object_that_can_be_sent(text: str, sent: JSONObject) -> None:
    assert arguments_object(text) == sent


@given(st.text())
def test_any_argument_text_becomes_sendable_json(text: str) -> None:
    json.dumps(arguments_object(text), ensure_ascii=False, allow_nan=False).encode()


def objects_in(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for item in schema for found in objects_in(item)]
    if not isinstance(schema, dict):
        return []
    inner = [found for value in schema.values() for found in objects_in(value)]
    return [schema, *inner] if schema.get("type") == "object" else inner


@pytest.mark.parametrize("spec", registry.specs(), ids=lambda spec: spec.name)
def test_strict_schema_requires_every_property_and_adds_none(spec: Any) -> None:
    strict = strict_schema(spec.schema)
    for found in objects_in(strict):
        assert found["required"] == list(found["properties"])
        assert found["additionalProperties"] is False
    unsupported = {"default", "minimum", "maximum", "minItems", "maxItems", "maxLength", "pattern", "format"}
    assert not [word for word in unsupported if f'"{word}":' in json.dumps(strict)]


def test_property_named_like_a_keyword_stays() -> None:
    schema: JSONObject = {"type": "object", "properties": {"format": {"type": "string", "format": "date"}}}
    assert strict_schema(schema)["properties"] == {"format": {"type": "string"}}


@pytest.mark.parametrize("spec", registry.specs(), ids=lambda spec: spec.name)
def test_what_is_optional_may_be_given_as_null(spec: Any) -> None:
    optional = set(spec.schema["properties"]) - set(spec.schema["required"])
    for name in optional:
        assert {"type": "null"} in spec.schema["properties"][name]["anyOf"], name
