"""Anthropic Messages: stateless, the whole history each time, nothing kept at the vendor."""

import importlib
import json
from collections.abc import AsyncGenerator, Iterator
from typing import Any, Final

import httpx2

from coach.messages import (
    Call,
    History,
    Item,
    JSONObject,
    JSONValue,
    Note,
    Opaque,
    Part,
    Response,
    Result,
    Results,
    Text,
    UserMessage,
)
from coach.providers import failures
from coach.providers.base import (
    Connection,
    End,
    EndReason,
    Event,
    OpaqueItem,
    Reasoning,
    Recorder,
    Request,
    StreamBroken,
    TextDelta,
    ToolCall,
    ToolSpec,
    Usage,
)
from coach.providers.transport import REMOTE, TimeLimits, Vendor, ask, converse
from coach.providers.wire import arguments_object, count, sendable, strict_schema, wire_name

BASE_URL: Final = "https://api.anthropic.com"
MODELS_LISTED: Final = 1000

END_REASONS: Final = {
    "tool_use": EndReason.CALLS,
    "end_turn": EndReason.COMPLETE,
    "stop_sequence": EndReason.COMPLETE,
    "max_tokens": EndReason.TRUNCATED,
    "model_context_window_exceeded": EndReason.TRUNCATED,
    "refusal": EndReason.REFUSED,
}


class AnthropicProvider:
    """Made at first use, in a thread: importing the SDK takes more than a second."""

    name = "anthropic"

    def __init__(self, *, limits: TimeLimits = REMOTE) -> None:
        self._sdk: Any = importlib.import_module("anthropic")
        importlib.import_module("anthropic.resources.messages")
        self._limits = limits

    def stream(self, request: Request, *, connection: Connection, record: Recorder) -> AsyncGenerator[Event]:
        body = body_of(request)
        record(body)
        return converse(
            lambda http: self._client(connection, http).messages.create(**body),
            MessageReader(),
            vendor=self._vendor(connection),
            limits=self._limits,
        )

    async def models(self, connection: Connection) -> tuple[str, ...]:
        """The models that the key may use. Raises ProviderError."""
        page = await ask(
            lambda http: self._client(connection, http).models.list(limit=MODELS_LISTED),
            vendor=self._vendor(connection),
        )
        return tuple(model.id for model in page.data)

    def _client(self, connection: Connection, http: httpx2.AsyncClient) -> Any:
        return self._sdk.AsyncAnthropic(
            api_key=connection.api_key,
            base_url=connection.base_url or BASE_URL,
            http_client=http,
            max_retries=0,
        )

    def _vendor(self, connection: Connection) -> Vendor:
        return Vendor((self._sdk.APIError,), connection.api_key)


def body_of(request: Request) -> dict[str, JSONValue]:
    """The body of the request. The breakpoints let the vendor cache tools and system text."""
    cached: JSONObject = {"type": "ephemeral"}
    body: dict[str, JSONValue] = {
        "model": request.model,
        "max_tokens": request.max_output_tokens,
        "system": [{"type": "text", "text": request.system, "cache_control": dict(cached)}],
        "messages": messages_of(request.history),
        "stream": True,
    }
    if request.tools:
        tools = [_tool(spec) for spec in request.tools]
        tools[-1]["cache_control"] = dict(cached)
        body["tools"] = list(tools)
    if request.effort:
        body["output_config"] = {"effort": request.effort}
    return body


def _tool(spec: ToolSpec) -> dict[str, JSONValue]:
    return {
        "name": spec.name,
        "description": spec.description,
        "input_schema": strict_schema(spec.schema),
        "strict": True,
    }


def messages_of(history: History) -> list[JSONValue]:
    """The history in alternating roles: what follows in the same role joins the message before it."""
    messages: list[JSONValue] = []
    blocks: list[JSONValue] = []
    last_role = ""
    for item in history:
        role, added = _blocks(item)
        if not added:
            continue
        if role != last_role:
            blocks = []
            messages.append({"role": role, "content": blocks})
            last_role = role
        blocks.extend(added)
    return messages


def _blocks(item: Item) -> tuple[str, list[JSONValue]]:
    match item:
        case Note(text=text) | UserMessage(text=text):
            return "user", [{"type": "text", "text": text}]
        case Results(results=results):
            return "user", [_result(result) for result in results]
        case Response():
            return "assistant", [_part(part) for part in sendable(item)]


def _result(result: Result) -> JSONValue:
    block: dict[str, JSONValue] = {
        "type": "tool_result",
        "tool_use_id": result.call_id,
        "content": result.outcome.content,
    }
    if result.outcome.is_error:
        block["is_error"] = True
    return block


def _part(part: Part) -> JSONValue:
    match part:
        case Text(text=text):
            return {"type": "text", "text": text}
        case Opaque(payload=payload):
            return dict(payload)
        case Call():
            return {
                "type": "tool_use",
                "id": part.id,
                "name": wire_name(part.name),
                "input": dict(arguments_object(part.arguments_text)),
            }


class MessageReader:
    """Reads the events of one streamed message."""

    def __init__(self) -> None:
        self.begun = False
        self._id = ""
        self._blocks: dict[int, dict[str, Any]] = {}
        self._usage: dict[str, Any] = {}
        self._stop_reason = ""
        self._calls = 0

    def read(self, data: JSONObject) -> Iterator[Event]:
        match data:
            case {"type": "content_block_delta", "index": int(index), "delta": dict(delta)}:
                yield from self._delta(index, delta)
            case {"type": "message_start", "message": dict(message)}:
                self._id = str(message.get("id", ""))
                self._count(message.get("usage"))
            case {"type": "content_block_start", "index": int(index), "content_block": dict(block)}:
                self.begun = True
                self._blocks[index] = {**block, "pieces": []}
                if block.get("type") in ("thinking", "redacted_thinking"):
                    yield Reasoning()
            case {"type": "content_block_stop", "index": int(index)}:
                yield from self._close(self._blocks.pop(index, {}))
            case {"type": "message_delta", "delta": dict(delta)}:
                self._stop_reason = str(delta.get("stop_reason") or "")
                self._count(data.get("usage"))
            case {"type": "message_stop"}:
                yield from self._end()
            case {"type": "error"}:
                raise failures.of_event(data)

    def _delta(self, index: int, delta: dict[str, Any]) -> Iterator[Event]:
        block = self._blocks.get(index, {})
        match delta:
            case {"type": "text_delta", "text": str(text)}:
                yield TextDelta(text)
            case {"type": "input_json_delta", "partial_json": str(piece)}:
                block.setdefault("pieces", []).append(piece)
            case {"type": "thinking_delta", "thinking": str(piece)}:
                block["thinking"] = block.get("thinking", "") + piece
            case {"type": "signature_delta", "signature": str(signature)}:
                block["signature"] = signature

    def _close(self, block: dict[str, Any]) -> Iterator[Event]:
        pieces = block.pop("pieces", [])
        match block:
            case {"type": "tool_use", "id": str(call_id), "name": str(name)}:
                self._calls += 1
                whole = json.dumps(block["input"]) if block.get("input") else ""
                yield ToolCall(call_id, name, "".join(pieces) or whole)
            case {"type": "thinking" | "redacted_thinking"}:
                yield OpaqueItem(Opaque(block))

    def _count(self, usage: object) -> None:
        if isinstance(usage, dict):
            self._usage |= {key: value for key, value in usage.items() if value is not None}

    def _end(self) -> Iterator[Event]:
        reason = END_REASONS.get(self._stop_reason)
        if reason is None or self._blocks:
            raise StreamBroken(f"the message ended unfinished, for {self._stop_reason!r}")
        if reason is EndReason.CALLS and not self._calls:
            raise StreamBroken("the message ended for calls and holds none")
        cached = count(self._usage, "cache_read_input_tokens")
        written = count(self._usage, "cache_creation_input_tokens")
        yield Usage(
            input_tokens=count(self._usage, "input_tokens") + written + cached,
            output_tokens=count(self._usage, "output_tokens"),
            cached_tokens=cached,
        )
        yield End(reason, self._id)
