"""Runs a fake vendor as a real server: HTTP and server-sent events over a real socket."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn

from tests.fakes.anthropic import Anthropic
from tests.fakes.google import Google
from tests.fakes.openai import OpenAI
from tests.fakes.scripts import Cut, Dialect, Marked, Place, Reply, Script, says

DIALECTS: Mapping[str, type[Dialect]] = {
    "anthropic": Anthropic,
    "openai": OpenAI,
    "google": Google,
}
WRONG_KEY = "wrong-key-0000000000"


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw)


@dataclass
class Fake:
    """One vendor. `script` decides each answer by what the request holds, never by how many came."""

    dialect: Dialect
    script: Script = field(default=lambda _seen: says("Hello."))
    port: int = 0
    received: list[Received] = field(default_factory=list)
    checks_key: bool = True

    def reset(self, script: Script) -> None:
        """As new, for the next test."""
        self.script = script
        self.received = []

    @property
    def base_url(self) -> str:
        """As the vendor's SDK wants it."""
        suffix = "/v1" if self.dialect.name == "openai" else ""
        return f"http://127.0.0.1:{self.port}{suffix}"

    @property
    def asked(self) -> list[Received]:
        """The requests for an answer, without those for the list of models."""
        return [received for received in self.received if received.method == "POST"]

    @property
    def bodies(self) -> list[Any]:
        return [received.body for received in self.asked]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        received = await self._take(scope, receive)
        self.received.append(received)
        if self.checks_key and WRONG_KEY in str(received.headers):
            reply = Reply(status=401)
        elif received.method == "GET" and received.path.endswith("/models"):
            await self._send_json(send, 200, {}, self.dialect.model_list())
            return
        elif received.path != self.dialect.path:
            reply = Reply(status=404)
        else:
            reply = self.script(self.dialect.seen(received.body))
        if reply.status != 200:
            body = self.dialect.error_body(reply.status, reply.error)
            await self._send_json(send, reply.status, reply.headers, body)
            return
        await self._stream(reply, send)

    async def _take(self, scope: Any, receive: Any) -> Received:
        raw, more = b"", True
        while more:
            message = await receive()
            raw += message.get("body", b"")
            more = message.get("more_body", False)
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        return Received(scope["method"], scope["path"], headers, raw)

    async def _send_json(
        self, send: Any, status: int, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> None:
        await send(_start(status, {"content-type": "application/json", **headers}))
        await send({"type": "http.response.body", "body": json.dumps(body).encode()})

    async def _stream(self, reply: Reply, send: Any) -> None:
        await send(_start(200, {"content-type": "text/event-stream", **reply.headers}))
        events = self.dialect.events(reply)
        kept = _kept(events, reply.cut)
        wire = b"".join(_encoded(event, escaped=reply.escaped) for event in kept)
        if reply.cut is Cut.NOWHERE and self.dialect.name != "anthropic":
            wire += b"data: [DONE]\n\n"
        for chunk in _chunks(wire, reply.split):
            await asyncio.sleep(reply.pause)
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        if reply.silent:
            await asyncio.Event().wait()
        if reply.cut is not Cut.NOWHERE and not reply.cleanly:
            raise ConnectionAbortedError("as scripted")
        await send({"type": "http.response.body", "body": b""})


def _encoded(event: Marked, *, escaped: bool) -> bytes:
    name = event.data.get("type") or event.data.get("event_type")
    return f"event: {name}\ndata: {json.dumps(event.data, ensure_ascii=escaped)}\n\n".encode()


def _start(status: int, headers: Mapping[str, str]) -> dict[str, Any]:
    pairs = {"request-id": "req_fake", "x-request-id": "req_fake", **headers}
    encoded = [(name.encode(), value.encode()) for name, value in pairs.items()]
    return {"type": "http.response.start", "status": status, "headers": encoded}


def _kept(events: list[Marked], cut: Cut) -> list[Marked]:
    """The events that go out before the cut."""
    match cut:
        case Cut.NOWHERE:
            return events
        case Cut.BEFORE_ANYTHING:
            return []
        case Cut.MID_TEXT | Cut.MID_ARGUMENTS:
            wanted = Place.TEXT if cut is Cut.MID_TEXT else Place.ARGUMENTS
            first = next(n for n, event in enumerate(events) if event.place is wanted)
            return events[: first + 1]
        case Cut.BEFORE_END:
            return [event for event in events if event.place is not Place.TERMINAL]


def _chunks(wire: bytes, split: Any) -> Iterator[bytes]:
    sizes = iter(split)
    while wire:
        size = next(sizes, len(wire))
        yield wire[:size]
        wire = wire[size:]


@contextmanager
def serving(fake: Fake, *, port: int = 0) -> Iterator[Fake]:
    """Serves `fake` from a thread of its own, until the block ends."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen()
    fake.port = listener.getsockname()[1]
    config = uvicorn.Config(
        fake, log_config=None, log_level="critical", lifespan="off", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    # The socket already listens: whoever connects early waits in its queue.
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
        listener.close()


def fake(name: str, script: Script | None = None) -> Fake:
    """A fake of that vendor, not yet serving."""
    made = Fake(DIALECTS[name]())
    if script:
        made.script = script
    return made
