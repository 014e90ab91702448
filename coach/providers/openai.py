"""OpenAI Responses, stateless; and the local servers that speak it (llama.cpp, Ollama, vLLM)."""

import importlib
from collections.abc import AsyncGenerator, Iterator
from typing import Any, Final

import httpx2

from coach.messages import (
    Call,
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
from coach.providers.transport import LOCAL, REMOTE, TimeLimits, Vendor, ask, converse
from coach.providers.wire import count, sendable, strict_schema, wire_name

BASE_URL: Final = "https://api.openai.com/v1"
NO_KEY: Final = "none"
"""Sent to a local server, which asks for no key; the SDK insists on one."""


class OpenAIProvider:
    """Made at first use, in a thread: importing the SDK takes half a second.

    Without a key it is a local server that stands in OpenAI's place.
    """

    name = "openai"

    def __init__(self, *, limits: TimeLimits = REMOTE, local_limits: TimeLimits = LOCAL) -> None:
        self._sdk: Any = importlib.import_module("openai")
        importlib.import_module("openai.resources.responses")
        self._limits = limits
        self._local_limits = local_limits

    def is_local(self, connection: Connection) -> bool:
        return not connection.api_key

    def stream(self, request: Request, *, connection: Connection, record: Recorder) -> AsyncGenerator[Event]:
        local = self.is_local(connection)
        body = body_of(request, local=local)
        record(body)
        return converse(
            lambda http: self._client(connection, http).responses.create(**body),
            ResponseReader(keeps_reasoning=not local),
            vendor=self._vendor(connection),
            limits=self._local_limits if local else self._limits,
        )

    async def models(self, connection: Connection) -> tuple[str, ...]:
        """The models that the key may use, or that a local server has. Raises ProviderError."""
        page = await ask(
            lambda http: self._client(connection, http).models.list(), vendor=self._vendor(connection)
        )
        return tuple(model.id for model in page.data)

    def _client(self, connection: Connection, http: httpx2.AsyncClient) -> Any:
        return self._sdk.AsyncOpenAI(
            api_key=connection.api_key or NO_KEY,
            base_url=connection.base_url or BASE_URL,
            http_client=http,
            max_retries=0,
        )

    def _vendor(self, connection: Connection) -> Vendor:
        return Vendor((self._sdk.APIError,), connection.api_key)


class LocalProvider(OpenAIProvider):
    """A model server of one's own. It may ask for a key all the same."""

    name = "local"

    def is_local(self, connection: Connection) -> bool:
        return True


def body_of(request: Request, *, local: bool = False) -> dict[str, JSONValue]:
    """The body of the request.

    A local server is sent no reasoning items, which it chokes on, and is not asked for any.
    """
    body: dict[str, JSONValue] = {
        "model": request.model,
        "instructions": request.system,
        "input": [entry for item in request.history for entry in _entries(item, local)],
        "max_output_tokens": request.max_output_tokens,
        "store": False,
        "stream": True,
    }
    if request.tools:
        body["tools"] = [_tool(spec, strict=not local) for spec in request.tools]
    if not local:
        body["include"] = ["reasoning.encrypted_content"]
    if request.effort:
        body["reasoning"] = {"effort": request.effort}
    return body


def _tool(spec: ToolSpec, *, strict: bool) -> JSONValue:
    return {
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": strict_schema(spec.schema) if strict else dict(spec.schema),
        "strict": strict,
    }


def _entries(item: Item, local: bool) -> Iterator[JSONValue]:
    match item:
        case Note(text=text) | UserMessage(text=text):
            yield {"type": "message", "role": "user", "content": text}
        case Results(results=results):
            yield from (_result(result) for result in results)
        case Response():
            parts = sendable(item)
            yield from (_part(part) for part in parts if not (local and isinstance(part, Opaque)))


def _result(result: Result) -> JSONValue:
    # The API has no field for the mark: it stands inside the output alone.
    return {
        "type": "function_call_output",
        "call_id": result.call_id,
        "output": result.outcome.content,
    }


def _part(part: Part) -> JSONValue:
    match part:
        case Text(text=text):
            return {"type": "message", "role": "assistant", "content": text}
        case Opaque(payload=payload):
            return dict(payload)
        case Call():
            return {
                "type": "function_call",
                "call_id": part.id,
                "name": wire_name(part.name),
                "arguments": part.arguments_text or "{}",
            }


class ResponseReader:
    """Reads the events of one streamed response."""

    def __init__(self, *, keeps_reasoning: bool = True) -> None:
        self.begun = False
        self._keeps_reasoning = keeps_reasoning
        self._calls = 0
        self._is_refused = False

    def read(self, data: JSONObject) -> Iterator[Event]:
        match data:
            case {"type": "response.output_text.delta", "delta": str(text)}:
                self.begun = True
                yield TextDelta(text)
            case {"type": "response.refusal.delta", "delta": str(text)}:
                self.begun = self._is_refused = True
                yield TextDelta(text)
            case {"type": "response.output_item.added", "item": dict(item)}:
                self.begun = True
                if item.get("type") == "reasoning":
                    yield Reasoning()
            case {"type": "response.output_item.done", "item": dict(item)}:
                self.begun = True
                yield from self._item(item)
            case {"type": "response.completed", "response": dict(response)}:
                yield from self._end(response, self._reason())
            case {"type": "response.incomplete", "response": dict(response)}:
                details = response.get("incomplete_details")
                filtered = isinstance(details, dict) and details.get("reason") == "content_filter"
                yield from self._end(response, EndReason.REFUSED if filtered else EndReason.TRUNCATED)
            case {"type": "response.failed", "response": dict(response)}:
                raise failures.of_event(response)
            case {"type": "error"} | {"error": {}}:
                # Local servers send the error alone, without a type.
                raise failures.of_event(data)

    def _item(self, item: dict[str, Any]) -> Iterator[Event]:
        match item:
            case {"type": "function_call", "call_id": str(call_id), "name": str(name)}:
                self._calls += 1
                yield ToolCall(call_id, name, str(item.get("arguments") or ""))
            case {"type": "reasoning"} if self._keeps_reasoning:
                yield OpaqueItem(Opaque(item))

    def _reason(self) -> EndReason:
        if self._is_refused:
            return EndReason.REFUSED
        return EndReason.CALLS if self._calls else EndReason.COMPLETE

    def _end(self, response: dict[str, Any], reason: EndReason) -> Iterator[Event]:
        if response.get("status", "completed") not in ("completed", "incomplete"):
            raise StreamBroken(f"the response ended as {response['status']!r}")
        if usage := response.get("usage"):
            yield Usage(
                input_tokens=count(usage, "input_tokens"),
                output_tokens=count(usage, "output_tokens"),
                cached_tokens=count(usage, "input_tokens_details", "cached_tokens"),
            )
        yield End(reason, str(response.get("id", "")))
