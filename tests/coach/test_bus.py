"""News travels while there is a way, and nobody fails when there is none."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest
from django.utils.module_loading import import_string

from coach import bus
from gymnasia import outage
from gymnasia.outage import Outage
from tests.services import Redis, redis


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Redis]:
    """A Redis under the channel layer of this test."""
    with redis() as running:
        address = {"address": running.url, "socket_connect_timeout": 1, "socket_timeout": 8}
        layer = import_string("channels_redis.core.RedisChannelLayer")(hosts=[address])
        monkeypatch.setattr(bus, "get_channel_layer", lambda: layer)
        monkeypatch.setattr(bus, "outage", Outage("test"))
        monkeypatch.setattr(bus, "RETRY_SECONDS", 0.05)
        monkeypatch.setattr(outage, "RETRY_SECONDS", 0.05)
        yield running
        await layer.close_pools()


async def heard_after(words: str) -> None:
    """Says it until somebody can have heard."""
    while True:
        await bus.publish("group", {"type": "news", "words": words})
        await asyncio.sleep(0.05)


async def next_of(messages: Any, words: str) -> None:
    """Waits for the message, while somebody keeps saying it."""
    saying = asyncio.create_task(heard_after(words))
    try:
        async with asyncio.timeout(10):
            while (await anext(messages))["words"] != words:
                pass
    finally:
        saying.cancel()


async def test_listener_hears_again_when_redis_is_back(server: Redis) -> None:
    async with aclosing(bus.messages("group")) as messages:
        await next_of(messages, "before")
        server.stop()
        await bus.publish("group", {"type": "news", "words": "lost"})
        server.start()
        await next_of(messages, "after")


async def test_publishing_fails_nobody_and_joining_says_so(server: Redis) -> None:
    server.stop()
    await bus.publish("group", {"type": "news"})
    await bus.leave("group", "specific.x!y")
    with pytest.raises(bus.Away):
        await bus.join("group", "specific.x!y")


async def test_layer_that_does_not_answer_is_not_waited_for(
    server: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus, "PATIENCE_SECONDS", 0.05)

    async def never(*_args: Any) -> None:
        asked.append(1)
        await asyncio.Event().wait()

    asked: list[int] = []
    monkeypatch.setattr("channels_redis.core.RedisChannelLayer.group_send", never)
    monkeypatch.setattr(outage, "RETRY_SECONDS", 60)
    async with asyncio.timeout(5):
        for _ in range(100):
            await bus.publish("group", {"type": "news"})
    assert asked == [1]
