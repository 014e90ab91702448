"""How a Stop reaches a turn that waits for something: at once, and only at safe places."""

import asyncio
from collections.abc import Awaitable

from coach.models import StopReason


class StopRequested(Exception):
    """Somebody stopped the turn: the person, or the server that is about to end."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason = reason


class StopSignal:
    """Set by the runner. The harness asks for it between steps and lets it cut its waits short."""

    def __init__(self) -> None:
        self._reason: StopReason | None = None
        self._limit: asyncio.Timeout | None = None

    def set(self, reason: StopReason = StopReason.CANCELLED) -> None:
        """Stops the turn. The first reason given is the one that counts."""
        self._reason = self._reason or reason
        if self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time())

    def check(self) -> None:
        if self._reason:
            raise StopRequested(self._reason)

    async def race[T](self, work: Awaitable[T]) -> T:
        """The result of `work`, or StopRequested as soon as it is set; `work` is cancelled then."""
        limit = asyncio.timeout(0 if self._reason else None)
        try:
            async with limit:
                self._limit = limit
                return await work
        except TimeoutError:
            if limit.expired() and self._reason:
                raise StopRequested(self._reason) from None
            raise
        finally:
            self._limit = None

    async def wait(self, seconds: float) -> None:
        """Lets time pass, unless the turn is stopped."""
        await self.race(asyncio.sleep(seconds))
