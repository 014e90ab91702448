"""The Messages API, as far as this application uses it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.fakes.scripts import (
    Dialect,
    End,
    Marked,
    Place,
    Reply,
    Say,
    Seen,
    SeenResult,
    Think,
    Use,
    halves,
    words,
)

STATUS_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    409: "conflict_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class Anthropic(Dialect):
    name = "anthropic"
    path = "/v1/messages"
    models = ("claude-sonnet-5-5", "claude-haiku-5")

    def seen(self, body: Mapping[str, Any]) -> Seen:
        text, results = "", list[SeenResult]()
        for message in body["messages"]:
            if message["role"] != "user":
                continue
            for block in message["content"]:
                if block["type"] == "text":
                    text, results = block["text"], []
                elif block["type"] == "tool_result":
                    mark = block.get("is_error", False)
                    results.append(SeenResult(block["tool_use_id"], block["content"], mark))
        return Seen(body, text, results)

    def events(self, reply: Reply) -> list[Marked]:
        usage = {"input_tokens": 12, "cache_read_input_tokens": 5, "output_tokens": 1}
        message = {"id": "msg_fake", "type": "message", "role": "assistant", "content": [], "usage": usage}
        events = [Marked({"type": "message_start", "message": message}), Marked({"type": "ping"})]
        for index, piece in enumerate(reply.pieces):
            events += [Marked({**event.data, "index": index}, event.place) for event in self._block(piece)]
            if reply.unknown_events:
                events.append(Marked({"type": "weather_report", "index": index, "delta": {"type": "rain"}}))
        if reply.error:
            return [*events, Marked(self.error_body(200, reply.error))]
        delta = {"stop_reason": self._stop_reason(reply), "stop_sequence": None}
        end = [
            Marked({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 9}}, Place.TERMINAL),
            Marked({"type": "message_stop"}, Place.TERMINAL),
        ]
        return [*events, *end]

    def _stop_reason(self, reply: Reply) -> str:
        match reply.end:
            case End.LENGTH:
                return "max_tokens"
            case End.REFUSAL:
                return "refusal"
            case End.AS_FITS:
                return "tool_use" if reply.calls else "end_turn"

    def _block(self, piece: Say | Think | Use) -> Iterator[Marked]:
        def delta(place: Place = Place.OTHER, **fields: Any) -> Marked:
            return Marked({"type": "content_block_delta", "delta": fields}, place)

        def start(**block: Any) -> Marked:
            return Marked({"type": "content_block_start", "content_block": block})

        match piece:
            case Say(text):
                yield start(type="text", text="")
                for word in words(text):
                    yield delta(Place.TEXT, type="text_delta", text=word)
            case Think(signature, text):
                yield start(type="thinking", thinking="", signature="")
                yield delta(type="thinking_delta", thinking=text)
                yield delta(type="signature_delta", signature=signature)
            case Use(name, arguments, call_id):
                yield start(type="tool_use", id=call_id, name=name, input={})
                given = arguments if isinstance(arguments, str) else json.dumps(arguments)
                for half in halves(given):
                    yield delta(Place.ARGUMENTS, type="input_json_delta", partial_json=half)
        yield Marked({"type": "content_block_stop"})

    def error_body(self, status: int, code: str) -> Mapping[str, Any]:
        kind = code or STATUS_TYPES.get(status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": "as scripted"}, "request_id": "req_fake"}

    def model_list(self) -> Mapping[str, Any]:
        models = [
            {"type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"}
            for name in self.models
        ]
        return {"data": models, "has_more": False, "first_id": None, "last_id": None}
