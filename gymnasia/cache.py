"""The cache of several processes: Redis, or this process's own memory for as long as Redis is away."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from gymnasia.outage import Outage

# Django makes a cache object for each thread; they all speak to the same Redis.
outage = Outage("cache")


class RedisOrLocalCache(RedisCache):
    """Never fails for want of Redis: sign-in and forms, whose limits are counted here, go on."""

    @cached_property
    def _cache(self) -> Any:
        return _RedisOrLocal(super()._cache)


class _RedisOrLocal:
    """Each operation of Django's Redis client, or the same one of a local cache."""

    def __init__(self, redis: Any) -> None:
        self._redis = redis
        self._local = LocMemCache("while-redis-is-away", {})

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def carry_out(*args: Any, **kwargs: Any) -> Any:
            if outage.may_ask:
                try:
                    given = getattr(self._redis, operation)(*args, **kwargs)
                except RedisError as error:
                    outage.note_failure(error)
                else:
                    if outage.note_success():
                        # What was noted meanwhile must not come up again in the next outage.
                        self._local.clear()
                    return given
            return getattr(self._local, operation)(*args, **kwargs)

        return carry_out
