"""What has to happen when the server process starts and before it ends."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

type Hook = Callable[[], Awaitable[None]]
type Receive = Callable[[], Awaitable[dict[str, Any]]]
type Send = Callable[[dict[str, Any]], Awaitable[None]]


class Lifespan:
    """The ASGI lifespan protocol: awaits the hooks of each end before it says that it is complete."""

    def __init__(self, *, startup: Iterable[Hook], shutdown: Iterable[Hook]) -> None:
        self._hooks = {"lifespan.startup": tuple(startup), "lifespan.shutdown": tuple(shutdown)}

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        kind = ""
        while kind != "lifespan.shutdown":
            kind = (await receive())["type"]
            for hook in self._hooks[kind]:
                await hook()
            await send({"type": f"{kind}.complete"})
