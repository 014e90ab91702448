"""What all three wire forms need of the neutral history. Pure."""

import json
import re
from collections.abc import Mapping
from typing import Final

from coach.messages import JSONObject, JSONValue, Opaque, Part, Response, Text

NAME_CHARACTERS: Final = 64

_STRICT_KEYWORDS: Final = frozenset(
    {"type", "properties", "required", "items", "enum", "const", "anyOf", "description"}
)


def sendable(response: Response) -> tuple[Part, ...]:
    """The parts of a response that a vendor accepts back.

    Blank texts are refused everywhere; a reasoning item with nothing after it, too.
    """
    parts = [part for part in response.parts if not (isinstance(part, Text) and not part.text.strip())]
    while parts and isinstance(parts[-1], Opaque):
        parts.pop()
    return tuple(parts)


def wire_name(name: str) -> str:
    """A tool's name as it may be sent. A model can call what does not exist, by any name at all."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:NAME_CHARACTERS] or "_"


def arguments_object(text: str) -> JSONObject:
    """A call's arguments for a vendor that takes an object and nothing else.

    What the model sent instead of one is wrapped, so that it sees what its error speaks of.
    """
    try:
        arguments = json.loads(text or "{}", parse_constant=_refuse)
        # What cannot be written as UTF-8 (half a surrogate pair) cannot be sent either.
        json.dumps(arguments, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return {"INVALID_JSON": text}
    return arguments if isinstance(arguments, dict) else {"INVALID_JSON": text}


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def count(source: object, *path: str) -> int:
    """A count somewhere inside what a vendor sent; 0 where there is none."""
    for key in path:
        source = source.get(key) if isinstance(source, Mapping) else None
    return source if isinstance(source, int) else 0


def strict_schema(schema: JSONObject) -> dict[str, JSONValue]:
    """The schema as vendors enforce it: every property required, none added, no finer limits.

    Optional arguments are nullable in our schemas, so a model that has to give them can give null.
    The program checks all limits itself, whatever a vendor enforced.
    """
    kept = {key: value for key, value in _each(schema).items() if key in _STRICT_KEYWORDS}
    if isinstance(properties := kept.get("properties"), dict):
        kept |= {"required": list(properties), "additionalProperties": False}
    return kept


def _each(schema: JSONObject) -> JSONObject:
    """The schema with each schema inside it made strict."""
    changed: dict[str, JSONValue] = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, dict):
            changed[key] = {name: _inner(schema) for name, schema in value.items()}
        elif key == "anyOf" and isinstance(value, list):
            changed[key] = [_inner(schema) for schema in value]
        else:
            changed[key] = _inner(value) if key == "items" else value
    return changed


def _inner(schema: JSONValue) -> JSONValue:
    return strict_schema(schema) if isinstance(schema, dict) else schema
