"""Google Interactions: stateless, the whole history as steps each time, nothing stored at the vendor."""

import importlib
import json
from collections.abc import AsyncGenerator, Awaitable, Iterator
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
from coach.providers.failures import Failure, Kind
from coach.providers.transport import REMOTE, Opened, TimeLimits, Vendor, ask, converse, tls
from coach.providers.wire import arguments_object, count, sendable, wire_name

BASE_URL: Final = "https://generativelanguage.googleapis.com"
MODELS_LISTED: Final = 1000

END_REASONS: Final = {
    "requires_action": EndReason.CALLS,
    "completed": EndReason.COMPLETE,
    "incomplete": EndReason.TRUNCATED,
    # The vendor stopped at its own limit for one request. Going on would be another request.
    "requires_continuation": EndReason.TRUNCATED,
}


class GoogleProvider:
    """Made at first use, in a thread: importing the SDK takes a second."""

    name = "google"

    def __init__(self, *, limits: TimeLimits = REMOTE) -> None:
        self._sdk: Any = importlib.import_module("google.genai")
        importlib.import_module("google.genai.interactions")
        # Interactions raise errors of their own, apart from the rest of this SDK.
        self._errors = (
            importlib.import_module("google.genai.errors").APIError,
            importlib.import_module("google.genai._interactions").APIError,
        )
        self._limits = limits

    def stream(self, request: Request, *, connection: Connection, record: Recorder) -> AsyncGenerator[Event]:
        body = body_of(request)
        record(body)
        return converse(
            lambda http: self._send(connection, http, body),
            InteractionReader(),
            vendor=self._vendor(connection),
            limits=self._limits,
        )

    async def models(self, connection: Connection) -> tuple[str, ...]:
        """The models that the key may use and that generate text. Raises ProviderError."""
        pager = await ask(
            lambda http: self._client(connection, http).models.list(config={"page_size": MODELS_LISTED}),
            vendor=self._vendor(connection),
        )
        return tuple(
            model.name.removeprefix("models/")
            for model in pager.page
            if not model.supported_actions or "generateContent" in model.supported_actions
        )

    def _send(
        self, connection: Connection, http: httpx2.AsyncClient, body: dict[str, JSONValue]
    ) -> Awaitable[Opened]:
        interactions = self._client(connection, http).interactions
        # Left on, the SDK would post again by itself after a broken stream.
        sent: Awaitable[Opened] = interactions.create(**body, automatic_continuation=False)
        return sent

    def _client(self, connection: Connection, http: httpx2.AsyncClient) -> Any:
        options = self._sdk.types.HttpOptions(
            base_url=connection.base_url or BASE_URL,
            httpx_async_client=http,
            client_args={"verify": tls()},
            retry_options=self._sdk.types.HttpRetryOptions(attempts=1),
        )
        return self._sdk.Client(api_key=connection.api_key, vertexai=False, http_options=options).aio

    def _vendor(self, connection: Connection) -> Vendor:
        return Vendor(self._errors, connection.api_key)


def body_of(request: Request) -> dict[str, JSONValue]:
    """The body of the request."""
    config: dict[str, JSONValue] = {"max_output_tokens": request.max_output_tokens}
    body: dict[str, JSONValue] = {
        "model": request.model,
        "system_instruction": request.system,
        "input": [step for item in request.history for step in _steps(item)],
        "generation_config": config,
        "store": False,
        "stream": True,
    }
    if request.tools:
        body["tools"] = [_tool(spec) for spec in request.tools]
        # The nearest that this vendor has to enforcing the schemas.
        config["tool_choice"] = "validated"
    if request.effort:
        config["thinking_level"] = request.effort
    return body


def _tool(spec: ToolSpec) -> JSONValue:
    return {
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": dict(spec.schema),
    }


def _steps(item: Item) -> Iterator[JSONValue]:
    match item:
        case Note(text=text) | UserMessage(text=text):
            yield {"type": "user_input", "content": [{"type": "text", "text": text}]}
        case Results(results=results):
            yield from (_result(result) for result in results)
        case Response():
            yield from (_part(part) for part in sendable(item))


def _result(result: Result) -> JSONValue:
    step: dict[str, JSONValue] = {
        "type": "function_result",
        "call_id": result.call_id,
        "name": wire_name(result.name),
        "result": result.outcome.content,
    }
    if result.outcome.is_error:
        step["is_error"] = True
    return step


def _part(part: Part) -> JSONValue:
    match part:
        case Text(text=text):
            return {"type": "model_output", "content": [{"type": "text", "text": text}]}
        case Opaque(payload=payload):
            return dict(payload)
        case Call():
            return {
                "type": "function_call",
                "id": part.id,
                "name": wire_name(part.name),
                "arguments": dict(arguments_object(part.arguments_text)),
            }


class InteractionReader:
    """Reads the events of one streamed interaction."""

    def __init__(self) -> None:
        self.begun = False
        self._steps: dict[int, dict[str, Any]] = {}
        self._calls = 0

    def read(self, data: JSONObject) -> Iterator[Event]:
        match data:
            case {"event_type": "step.delta", "index": int(index), "delta": dict(delta)}:
                yield from self._delta(self._steps.get(index, {}), delta)
            case {"event_type": "step.start", "index": int(index), "step": dict(step)}:
                self.begun = True
                self._steps[index] = {**step, "pieces": []}
                yield from self._start(step)
            case {"event_type": "step.stop", "index": int(index)}:
                yield from self._close(self._steps.pop(index, {}))
            case {"event_type": "interaction.completed", "interaction": dict(interaction)}:
                yield from self._end(interaction, str(interaction.get("status")))
            case {"event_type": "interaction.requires_action"}:
                yield from self._end(data.get("interaction"), "requires_action")
            case {"event_type": "error"}:
                raise failures.of_event(data)

    def _start(self, step: dict[str, Any]) -> Iterator[Event]:
        match step:
            case {"type": "thought"}:
                yield Reasoning()
            case {"type": "model_output", "content": list(content)}:
                for block in content:
                    match block:
                        case {"type": "text", "text": str(text)} if text:
                            yield TextDelta(text)

    def _delta(self, step: dict[str, Any], delta: dict[str, Any]) -> Iterator[Event]:
        match delta:
            case {"type": "text", "text": str(text)}:
                yield TextDelta(text)
            case {"type": "arguments_delta", "arguments": str(piece)}:
                step.setdefault("pieces", []).append(piece)
            case {"type": "thought_signature", "signature": str(signature)}:
                step["signature"] = signature
            case {"type": "thought_summary", "content": dict(content)}:
                step["summary"] = [*(step.get("summary") or []), content]

    def _close(self, step: dict[str, Any]) -> Iterator[Event]:
        pieces = step.pop("pieces", [])
        match step:
            case {"type": "function_call", "id": str(call_id), "name": str(name)}:
                self._calls += 1
                whole = json.dumps(step["arguments"]) if step.get("arguments") else ""
                yield ToolCall(call_id, name, "".join(pieces) or whole)
            case {"type": "thought"}:
                yield OpaqueItem(Opaque(step))

    def _end(self, interaction: Any, status: str) -> Iterator[Event]:
        reason = END_REASONS.get(status)
        if status == "budget_exceeded":
            raise Failure(Kind.QUOTA, status)
        if reason is None or self._steps:
            raise StreamBroken(f"the interaction ended unfinished, as {status!r}")
        if reason is EndReason.CALLS and not self._calls:
            raise StreamBroken("the interaction ended for calls and holds none")
        facts = interaction if isinstance(interaction, dict) else {}
        if usage := facts.get("usage"):
            yield Usage(
                input_tokens=count(usage, "total_input_tokens"),
                output_tokens=count(usage, "total_output_tokens") + count(usage, "total_thought_tokens"),
                cached_tokens=count(usage, "total_cached_tokens"),
            )
        yield End(reason, str(facts.get("id", "")))
