"""A provider that says what a test wants, and keeps every request as it was asked."""

import json
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

from coach.messages import JSONObject
from coach.providers.base import (
    Connection,
    End,
    EndReason,
    Event,
    ProviderError,
    Recorder,
    Request,
    TextDelta,
    ToolCall,
)

type Script = Sequence[Event | Exception]
type Scripter = Callable[[Request], Script]


def says(text: str) -> Script:
    """A whole answer, in pieces."""
    return [*(TextDelta(piece) for piece in text.split(" ")), End(EndReason.COMPLETE)]


def calls(*made: tuple[str, Any], end: EndReason = EndReason.CALLS) -> Script:
    """A response of tool calls; arguments are JSON, or a string sent as it is."""
    return [
        *(
            ToolCall(f"call_{n}", name, given if isinstance(given, str) else json.dumps(given))
            for n, (name, given) in enumerate(made)
        ),
        End(end),
    ]


class ScriptedProvider:
    """Gives the scripts in turn, one for each request; or asks a function for each."""

    name = "scripted"

    def __init__(self, *scripts: Script, by: Scripter | None = None) -> None:
        self.scripts = list(scripts)
        self.by = by
        self.requests: list[Request] = []

    async def stream(
        self, request: Request, *, connection: Connection, record: Recorder
    ) -> AsyncGenerator[Event]:
        self.requests.append(request)
        body: JSONObject = {"items": len(request.history), "model": request.model}
        record(body)
        script = self.by(request) if self.by else self.scripts[len(self.requests) - 1]
        for event in script:
            if isinstance(event, Exception):
                raise event
            yield event


__all__ = ["ProviderError", "Script", "ScriptedProvider", "calls", "says"]
