"""The Responses API, as far as this application uses it."""

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


class OpenAI(Dialect):
    name = "openai"
    path = "/v1/responses"
    models = ("gpt-6-luna", "gpt-6-luna-mini")

    def seen(self, body: Mapping[str, Any]) -> Seen:
        text, results = "", list[SeenResult]()
        for item in body["input"]:
            if item.get("role") == "user":
                text, results = item["content"], []
            elif item["type"] == "function_call_output":
                results.append(SeenResult(item["call_id"], item["output"], item.get("is_error")))
        return Seen(body, text, results)

    def events(self, reply: Reply) -> list[Marked]:
        events = [self._lifecycle("response.created", "in_progress")]
        for index, piece in enumerate(reply.pieces):
            refused = reply.end is End.REFUSAL
            events += [
                Marked({**event.data, "output_index": index}, event.place)
                for event in self._item(index, piece, refused)
            ]
            if reply.unknown_events:
                events.append(Marked({"type": "response.weather.report", "item": {"type": "rain"}}))
        if reply.error:
            return [*events, Marked({"type": "error", "code": reply.error, "message": "as scripted"})]
        if reply.end is End.LENGTH:
            cut_off = {"incomplete_details": {"reason": "max_output_tokens"}}
            return [*events, self._lifecycle("response.incomplete", "incomplete", **cut_off)]
        return [*events, self._lifecycle("response.completed", "completed")]

    def _lifecycle(self, kind: str, status: str, **more: Any) -> Marked:
        usage = None
        if kind != "response.created":
            cached = {"cached_tokens": 5, "cache_write_tokens": 0}
            usage = {"input_tokens": 17, "input_tokens_details": cached, "output_tokens": 9}
        response = {"id": "resp_fake", "object": "response", "status": status, "usage": usage, **more}
        place = Place.OTHER if kind == "response.created" else Place.TERMINAL
        return Marked({"type": kind, "response": response}, place)

    def _item(self, index: int, piece: Say | Think | Use, refused: bool) -> Iterator[Marked]:
        def added(**item: Any) -> Marked:
            return Marked({"type": "response.output_item.added", "item": item})

        def done(**item: Any) -> Marked:
            return Marked({"type": "response.output_item.done", "item": item})

        match piece:
            case Say(text):
                kind = "refusal" if refused else "output_text"
                yield added(type="message", id=f"msg_{index}", role="assistant", content=[])
                for word in words(text):
                    yield Marked({"type": f"response.{kind}.delta", "delta": word}, Place.TEXT)
                yield Marked({"type": f"response.{kind}.done", "text": text})
                yield done(type="message", id=f"msg_{index}", role="assistant", status="completed")
            case Think(signature):
                yield added(type="reasoning", id=f"rs_{index}", summary=[])
                yield done(type="reasoning", id=f"rs_{index}", summary=[], encrypted_content=signature)
            case Use(name, arguments, call_id):
                item = {"type": "function_call", "id": f"fc_{index}", "call_id": call_id, "name": name}
                given = arguments if isinstance(arguments, str) else json.dumps(arguments)
                yield added(**item, arguments="", status="in_progress")
                for half in halves(given):
                    delta = {"type": "response.function_call_arguments.delta", "delta": half}
                    yield Marked({**delta, "item_id": f"fc_{index}"}, Place.ARGUMENTS)
                yield done(**item, arguments=given, status="completed")

    def error_body(self, status: int, code: str) -> Mapping[str, Any]:
        return {
            "error": {
                "message": "as scripted",
                "type": "server_error" if status >= 500 else "invalid_request_error",
                "param": None,
                "code": code or None,
            }
        }

    def model_list(self) -> Mapping[str, Any]:
        models = [{"id": name, "object": "model", "created": 1, "owned_by": "fake"} for name in self.models]
        return {"object": "list", "data": models}
