"""The built-in coach behind the interface of any model: offline, deterministic, no model at all."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator

from coach.messages import Call, Item, JSONObject, JSONValue, Note, Response, Results, Text, UserMessage
from coach.providers.base import (
    Connection,
    End,
    EndReason,
    Event,
    Recorder,
    Request,
    TextDelta,
    ToolCall,
)
from coach.providers.builtin.moves import Say
from coach.providers.builtin.planning import next_move

_PIECE = re.compile(r"\s*\S+\s*")


class BuiltinProvider:
    """`pace` is the time between two pieces of an answer, in seconds."""

    name = "builtin"

    def __init__(self, *, pace: float = 0.0) -> None:
        self.pace = pace

    async def stream(
        self, request: Request, *, connection: Connection, record: Recorder
    ) -> AsyncGenerator[Event]:
        """Answers in pieces of a word, or makes one call. Fails only when it has a defect."""
        record(describe(request))
        move = next_move(request.history, request.situation)
        if isinstance(move, Say):
            for piece in _PIECE.findall(move.text):
                yield TextDelta(piece)
                await asyncio.sleep(self.pace)
            yield End(EndReason.COMPLETE)
        else:
            arguments = json.dumps(move.arguments, ensure_ascii=False)
            yield ToolCall(_next_call_id(request), move.tool, arguments)
            yield End(EndReason.CALLS)


def describe(request: Request) -> JSONObject:
    """What the built-in coach gets to see, for the transcript. The system text is not part of it."""
    situation = request.situation
    return {
        "model": request.model,
        "situation": {
            "now": situation.now.isoformat(),
            "time_zone": situation.time_zone,
            "language": situation.language,
            "mass_unit": situation.mass_unit,
            "length_unit": situation.length_unit,
        },
        "tools": [tool.name for tool in request.tools],
        "history": [_describe(item) for item in request.history],
    }


def _describe(item: Item) -> JSONValue:
    match item:
        case Note(text=text):
            return {"role": "note", "text": text}
        case UserMessage(text=text):
            return {"role": "user", "text": text}
        case Response(parts=parts):
            said = "".join(part.text for part in parts if isinstance(part, Text))
            calls: list[JSONValue] = [
                {"id": part.id, "name": part.name, "arguments": part.arguments_text}
                for part in parts
                if isinstance(part, Call)
            ]
            return {"role": "coach", "text": said, "calls": calls}
        case Results(results=results):
            return {
                "role": "tools",
                "results": [
                    {
                        "call_id": result.call_id,
                        "name": result.name,
                        "content": result.outcome.content,
                        "is_error": result.outcome.is_error,
                    }
                    for result in results
                ],
            }


def _next_call_id(request: Request) -> str:
    """Counts the calls of the whole history, so that no id comes twice."""
    made = sum(
        isinstance(part, Call)
        for item in request.history
        if isinstance(item, Response)
        for part in item.parts
    )
    return f"builtin_{made + 1}"
