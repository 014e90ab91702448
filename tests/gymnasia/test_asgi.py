"""Who may open a WebSocket, and what happens at both ends of the process."""

from typing import Any

import pytest
from channels.testing import WebsocketCommunicator

from gymnasia.asgi import application
from gymnasia.lifespan import Lifespan

# A consumer, the refusing one too, tidies the database connections of its thread.
pytestmark = pytest.mark.django_db(transaction=True)


async def is_let_in(*, origin: str | None) -> bool:
    headers = [(b"origin", origin.encode())] if origin is not None else []
    socket = WebsocketCommunicator(application, "/ws/coach/1/", headers)
    connected, _ = await socket.connect()
    await socket.disconnect()
    return bool(connected)


@pytest.mark.parametrize("origin", ["http://localhost:8000", "http://127.0.0.1:9001", "http://[::1]:8000"])
async def test_socket_from_our_own_pages_is_let_in(origin: str) -> None:
    assert await is_let_in(origin=origin)


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost.evil.example", "null", None])
async def test_socket_from_elsewhere_is_refused(origin: str | None) -> None:
    assert not await is_let_in(origin=origin)


async def test_hooks_run_in_order_before_each_end_is_reported() -> None:
    seen: list[str] = []
    events = iter(["lifespan.startup", "lifespan.shutdown"])

    async def receive() -> dict[str, Any]:
        return {"type": next(events)}

    async def send(message: dict[str, Any]) -> None:
        seen.append(message["type"])

    def hook(name: str) -> Any:
        async def note() -> None:
            seen.append(name)

        return note

    await Lifespan(startup=[hook("first"), hook("second")], shutdown=[hook("last")])({}, receive, send)
    assert seen == ["first", "second", "lifespan.startup.complete", "last", "lifespan.shutdown.complete"]
