"""Requests as tests make them, and adapters asked against a real server."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from coach.messages import History, JSONObject, Opaque, UserMessage
from coach.providers.anthropic import AnthropicProvider
from coach.providers.base import (
    Connection,
    Event,
    OpaqueItem,
    Provider,
    ProviderError,
    Request,
    Situation,
    TextDelta,
    ToolCall,
    ToolSpec,
)
from coach.providers.google import GoogleProvider
from coach.providers.openai import OpenAIProvider
from coach.providers.transport import TimeLimits
from tests.fakes.server import Fake

VENDORS = ("anthropic", "openai", "google")
KEY = "sk-test-4f9a27c1d8e3b6"
QUICK = TimeLimits(connect=5, first_event=20, between_events=20, whole=30)

READ = ToolSpec(
    "read_measurement",
    "Reads a day.",
    {
        "type": "object",
        "properties": {
            "date": {"type": "string", "format": "date", "description": "A day."},
            "metrics": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        },
        "required": ["date"],
        "additionalProperties": False,
    },
)
NOW = dt.datetime(2026, 1, 5, 9, 0, tzinfo=dt.UTC)


class Adapter(Provider, Protocol):
    async def models(self, connection: Connection) -> tuple[str, ...]: ...


@cache
def adapter(vendor: str, limits: TimeLimits = QUICK) -> Adapter:
    made = {"anthropic": AnthropicProvider, "openai": OpenAIProvider, "google": GoogleProvider}[vendor]
    adapter: Adapter = made(limits=limits)
    return adapter


def request(*history: Any, **more: Any) -> Request:
    items: History = history or (UserMessage("hola"),)
    return Request(
        model="some-model",
        system="You are the Coach.",
        tools=(READ,),
        history=items,
        situation=Situation(NOW, "UTC", "es", "kg", "cm"),
        **more,
    )


@dataclass
class Asked:
    """What an adapter gave: its events, the body it recorded, and the error it ended with, if any."""

    events: list[Event] = field(default_factory=list)
    recorded: list[JSONObject] = field(default_factory=list)
    error: ProviderError | None = None

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))

    @property
    def calls(self) -> Sequence[ToolCall]:
        return [event for event in self.events if isinstance(event, ToolCall)]

    @property
    def opaque(self) -> Sequence[Opaque]:
        return [event.item for event in self.events if isinstance(event, OpaqueItem)]


async def ask(
    fake: Fake,
    sent: Request | None = None,
    *,
    limits: TimeLimits = QUICK,
    key: str = KEY,
    by: Provider | None = None,
) -> Asked:
    """Asks the fake through its vendor's adapter (or `by` another), and keeps whatever comes."""
    asked = Asked()
    stream = (by or adapter(fake.dialect.name, limits)).stream(
        sent or request(), connection=Connection(key, fake.base_url), record=asked.recorded.append
    )
    try:
        async for event in stream:
            asked.events.append(event)
    except ProviderError as error:
        asked.error = error
    return asked
