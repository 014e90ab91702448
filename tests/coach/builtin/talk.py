"""Conversations with the built-in coach, written down by hand."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from coach.contract import ErrorCode, Outcome, failure, success
from coach.messages import Call, Item, Note, Response, Result, Results, Text, UserMessage
from coach.providers.base import Connection, End, Event, Request, Situation, TextDelta, ToolCall
from coach.providers.builtin.provider import BuiltinProvider

TUESDAY = datetime(2026, 12, 1, 9, 0)
NOT_FOUND = failure(ErrorCode.NOT_FOUND, "Nothing there.")


def situated(language: str = "en", *, mass: str = "kg", now: datetime = TUESDAY) -> Situation:
    return Situation(now, "Europe/Madrid", language, mass, "cm")


def result(content: Mapping[str, Any]) -> Outcome:
    return success(json.dumps(content))


def day(on: str, *records: Mapping[str, Any]) -> Outcome:
    return result({"date": on, "measurements": list(records)})


def record(value: object, unit: str = "kg", metric: str = "weight", **more: str) -> dict[str, object]:
    return {"metric": metric, "value": value, "unit": unit, **more}


DECLINED = failure(ErrorCode.DECLINED, "Declined.")
READ_FAILED = failure(ErrorCode.READ_FAILED, "Broken.")
ALREADY = failure(ErrorCode.ALREADY_RECORDED, "Another value is there.")


def saved(*records: dict[str, object], on: str = "2026-12-01", change: str = "created") -> Outcome:
    return result({"saved": [{**one, "date": on, "change": change} for one in records]})


def write(value: float, *, on: str = "2026-12-01", unit: str = "kg", **more: Any) -> dict[str, Any]:
    values = [{"metric": "weight", "value": value, "unit": unit}]
    return {"date": on, "values": values, **more}


def dated(value: str, on: str, unit: str = "kg") -> dict[str, str]:
    return {"value": value, "unit": unit, "date": on}


SUMMARY = {
    "metric": "weight",
    "days": 30,
    "start": "2026-11-02",
    "end": "2026-12-01",
    "count": 20,
    "missing_days": 10,
    "first": dated("81.40", "2026-11-02"),
    "last": dated("80.1", "2026-11-29"),
    "min": dated("79.9", "2026-11-28"),
    "max": dated("81.6", "2026-11-04"),
    "mean": "80.7",
    "change_per_week": "-0.3",
    "unit": "kg",
}


@dataclass
class Talk:
    """A conversation so far; asking gives the built-in coach's next response."""

    situation: Situation = field(default_factory=situated)
    items: list[Item] = field(default_factory=list)

    def say(self, text: str) -> "Talk":
        self.items.append(UserMessage(text))
        return self

    def note(self, text: str) -> "Talk":
        self.items.append(Note(text))
        return self

    def answered(self, text: str) -> "Talk":
        self.items.append(Response("builtin", (Text(text),)))
        return self

    def called(self, tool: str, arguments: Mapping[str, Any], outcome: Outcome) -> "Talk":
        call_id = f"call_{len(self.items)}"
        self.items.append(Response("builtin", (Call(call_id, tool, json.dumps(arguments)),)))
        self.items.append(Results((Result(call_id, tool, outcome),)))
        return self

    async def text(self) -> str:
        """Its answer; the test fails when it makes a call."""
        events = await self.events()
        assert not [event for event in events if isinstance(event, ToolCall)], events
        return said(events)

    async def call(self) -> tuple[str, dict[str, Any]]:
        """Its one call; the test fails when it answers."""
        events = await self.events()
        calls = [event for event in events if isinstance(event, ToolCall)]
        assert len(calls) == 1, events
        return calls[0].name, json.loads(calls[0].arguments_text)

    async def carry_out(self, outcome: Outcome) -> tuple[str, dict[str, Any]]:
        """Its one call, which then has this outcome."""
        tool, arguments = await self.call()
        self.called(tool, arguments, outcome)
        return tool, arguments

    async def events(self) -> list[Event]:
        provider = BuiltinProvider()
        stream = provider.stream(self.request(), connection=Connection(), record=lambda _body: None)
        events = [event async for event in stream]
        assert [isinstance(event, End) for event in events].count(True) == 1
        assert isinstance(events[-1], End)
        return events

    def request(self) -> Request:
        return Request(model="", system="", tools=(), history=tuple(self.items), situation=self.situation)


def said(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))
