"""How a person's Stop reaches a turn that waits for something: at once, and only at safe places."""

import asyncio
from collections.abc import Awaitable


class StopRequested(Exception):
    """The person stopped the turn."""


class StopSignal:
    """Set once by the runner. The harness asks for it between steps and lets it cut its waits short."""

    def __init__(self) -> None:
        self._set = False
        self._limit: asyncio.Timeout | None = None

    def set(self) -> None:
        self._set = True
        if self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time())

    def check(self) -> None:
        if self._set:
            raise StopRequested

    async def race[T](self, work: Awaitable[T]) -> T:
        """The result of `work`, or StopRequested as soon as the person stops; `work` is cancelled then."""
        limit = asyncio.timeout(0 if self._set else None)
        try:
            async with limit:
                self._limit = limit
                return await work
        except TimeoutError:
            if limit.expired():
                raise StopRequested from None
            raise
        finally:
            self._limit = None

    async def wait(self, seconds: float) -> None:
        """Lets time pass, unless the person stops."""
        await self.race(asyncio.sleep(seconds))
