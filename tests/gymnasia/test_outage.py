"""A service that is away costs one caller a moment, and the log two lines."""

import logging
import signal
import time
from collections.abc import Iterator

import pytest

from gymnasia import cache, outage
from gymnasia.cache import RedisOrLocalCache
from gymnasia.outage import Outage
from tests.services import Redis, redis


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("gymnasia.outage.time.monotonic", lambda: now[0])
    return now


def test_failed_service_is_asked_again_after_a_while(clock: list[float]) -> None:
    service = Outage("test")
    assert service.may_ask
    service.note_failure(OSError("refused"))
    assert not service.may_ask
    clock[0] += outage.RETRY_SECONDS
    assert service.may_ask


def test_log_says_once_that_it_is_away_and_once_that_it_is_back(
    clock: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    service = Outage("test")
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            service.note_failure(OSError("refused"))
            clock[0] += 2
        assert service.note_success()
        assert not service.note_success()
    assert [record.getMessage() for record in caplog.records] == [
        "test: away (refused); going on without",
        "test: back after 10 s",
    ]


@pytest.fixture
def server() -> Iterator[Redis]:
    with redis() as running:
        yield running


@pytest.fixture
def shared(server: Redis, monkeypatch: pytest.MonkeyPatch) -> RedisOrLocalCache:
    monkeypatch.setattr(cache, "outage", Outage("test"))
    monkeypatch.setattr(outage, "RETRY_SECONDS", 0)
    return RedisOrLocalCache(server.url, {"OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1}})


def test_cache_goes_on_in_this_process_while_redis_is_away_and_forgets_it_then(
    shared: RedisOrLocalCache, server: Redis
) -> None:
    shared.set("shared", "there", 60)
    server.stop()
    assert shared.get("shared") is None
    shared.set("counted", 1, 60)
    shared.incr("counted")
    assert shared.get_many(["counted", "shared"]) == {"counted": 2}
    server.start()
    assert shared.get("counted") is None
    server.stop()
    assert shared.get("counted") is None


def test_redis_that_does_not_answer_is_waited_for_once(
    shared: RedisOrLocalCache, server: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared.set("shared", "there", 60)
    monkeypatch.setattr(outage, "RETRY_SECONDS", 60)
    assert server.process
    server.process.send_signal(signal.SIGSTOP)
    begun = time.monotonic()
    assert [shared.get("shared") for _ in range(20)] == [None] * 20
    assert time.monotonic() - begun < 5
