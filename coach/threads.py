"""Where asynchronous code does its database work: one bounded pool of threads of our own.

Channels' default would run every consumer's queries on one thread, where one slow query holds up
all; asyncio.to_thread would leave connections open in threads that nobody cleans.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import sync_to_async
from django.db import close_old_connections

DATABASE_THREADS = 16

_pool = ThreadPoolExecutor(max_workers=DATABASE_THREADS, thread_name_prefix="database")
# The event loop keeps only weak references to its tasks.
_running: set[asyncio.Future[Any]] = set()


async def in_database_thread[**P, R](function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Runs a synchronous, self-contained piece of database work and gives its result.

    The language and time zone of the caller are active in it. Cancelling the caller does not stop
    the thread: what must not commit late needs a fence.
    """

    def work() -> R:
        # Drops a connection that broke or outlived its age, as a request does at both its ends.
        close_old_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return await sync_to_async(work, thread_sensitive=False, executor=_pool)()


def submit[**P, R](function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[R]:
    """As `in_database_thread`, for a caller that waits with a limit of its own: it goes on past that."""
    task = asyncio.ensure_future(in_database_thread(function, *args, **kwargs))
    _running.add(task)
    task.add_done_callback(_running.discard)
    return task
