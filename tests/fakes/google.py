"""The Interactions API, as far as this application uses it."""

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

STATUS_CODES = {
    400: "invalid_request",
    401: "authentication",
    403: "permission_denied",
    404: "model_not_found",
    409: "aborted",
    429: "rate_limit_exceeded",
    503: "service_unavailable",
}


class Google(Dialect):
    name = "google"
    path = "/v1/interactions"
    models = ("gemini-3.8-flash", "gemini-3.8-pro")

    def seen(self, body: Mapping[str, Any]) -> Seen:
        text, results = "", list[SeenResult]()
        for step in body["input"]:
            if step["type"] == "user_input":
                text, results = step["content"][0]["text"], []
            elif step["type"] == "function_result":
                results.append(SeenResult(step["call_id"], step["result"], step.get("is_error", False)))
        return Seen(body, text, results)

    def events(self, reply: Reply) -> list[Marked]:
        events = [self._lifecycle("interaction.created", "in_progress")]
        for index, piece in enumerate(reply.pieces):
            events += [Marked({**event.data, "index": index}, event.place) for event in self._step(piece)]
            if reply.unknown_events:
                events.append(Marked({"event_type": "weather.report", "index": index, "step": {}}))
        error = "safety" if reply.end is End.REFUSAL else reply.error
        if error:
            # Blocked content ends a stream with an error, and what came before it is not taken back.
            return [*events, Marked({"event_type": "error", **self.error_body(200, error)}, Place.TERMINAL)]
        if reply.end is End.LENGTH:
            return [*events, self._lifecycle("interaction.completed", "incomplete")]
        status = "requires_action" if reply.calls else "completed"
        return [*events, self._lifecycle("interaction.completed", status)]

    def _lifecycle(self, kind: str, status: str) -> Marked:
        interaction: dict[str, Any] = {"id": "int_fake", "object": "interaction", "status": status}
        if kind == "interaction.completed":
            tokens = {"total_input_tokens": 17, "total_output_tokens": 6, "total_thought_tokens": 3}
            interaction["usage"] = {**tokens, "total_cached_tokens": 5}
        place = Place.TERMINAL if kind == "interaction.completed" else Place.OTHER
        return Marked({"event_type": kind, "interaction": interaction}, place)

    def _step(self, piece: Say | Think | Use) -> Iterator[Marked]:
        def start(**step: Any) -> Marked:
            return Marked({"event_type": "step.start", "step": step})

        def delta(place: Place = Place.OTHER, **fields: Any) -> Marked:
            return Marked({"event_type": "step.delta", "delta": fields}, place)

        match piece:
            case Say(text):
                yield start(type="model_output")
                for word in words(text):
                    yield delta(Place.TEXT, type="text", text=word)
            case Think(signature, text):
                yield start(type="thought")
                yield delta(type="thought_summary", content={"type": "text", "text": text})
                yield delta(type="thought_signature", signature=signature)
            case Use(name, arguments, call_id):
                yield start(type="function_call", id=call_id, name=name, arguments={})
                given = arguments if isinstance(arguments, str) else json.dumps(arguments)
                for half in halves(given):
                    yield delta(Place.ARGUMENTS, type="arguments_delta", arguments=half)
        yield Marked({"event_type": "step.stop"})

    def error_body(self, status: int, code: str) -> Mapping[str, Any]:
        return {"error": {"code": code or STATUS_CODES.get(status, "api_error"), "message": "as scripted"}}

    def model_list(self) -> Mapping[str, Any]:
        actions = ["generateContent", "countTokens"]
        models = [{"name": f"models/{name}", "supportedGenerationMethods": actions} for name in self.models]
        embedding = {"name": "models/embed-1", "supportedGenerationMethods": ["embedContent"]}
        return {"models": [*models, embedding]}
