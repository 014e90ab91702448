"""How open pages and other processes hear of news at once. All that matters is in rows, never only here.

The channel layer may be away (Redis) and drops messages by design (a full channel). Nobody fails for
it: a turn goes on, a Stop is found in its row, and a page that lost its way comes back and reads the rows.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from gymnasia.outage import RETRY_SECONDS, Outage

PATIENCE_SECONDS: Final = 1.0
REJOIN_SECONDS: Final = 20.0
"""How long a listener hears nothing before it joins again: a layer forgets its groups in time."""

outage = Outage("live updates")


class Away(Exception):
    """Nobody can be told anything just now."""


LOST: Final = (Away, RedisError)
"""What comes of following a channel whose layer went away."""


async def publish(group: str, message: dict[str, Any]) -> None:
    """Tells whoever is in the group, if anybody can be told."""
    if outage.may_ask:
        with suppress(Away):
            await _reach("group_send", group, message)


async def join(group: str, channel: str) -> None:
    """Raises Away."""
    await _reach("group_add", group, channel)


async def leave(group: str, channel: str) -> None:
    if outage.may_ask:
        with suppress(Away):
            await _reach("group_discard", group, channel)


async def messages(group: str) -> AsyncGenerator[dict[str, Any]]:
    """Those that reach the group from now on. Whenever the layer was away, joins again by itself."""
    layer = get_channel_layer()
    channel = await layer.new_channel()
    while True:
        try:
            await join(group, channel)
            async with asyncio.timeout(REJOIN_SECONDS):
                message = await layer.receive(channel)
        except TimeoutError:
            continue
        except LOST:
            await asyncio.sleep(RETRY_SECONDS)
        else:
            yield message


async def _reach(operation: str, *args: Any) -> None:
    with _noticing():
        async with asyncio.timeout(PATIENCE_SECONDS):
            await getattr(get_channel_layer(), operation)(*args)


@contextmanager
def _noticing() -> Iterator[None]:
    try:
        yield
    except (RedisError, OSError) as error:
        outage.note_failure(error)
        raise Away from error
    outage.note_success()
