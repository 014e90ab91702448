"""Where asynchronous code does its database work: one bounded pool of threads of our own.

Channels' default would run every consumer's queries on one thread, where one slow query holds up
all; asyncio.to_thread would leave connections open in threads that nobody cleans.
"""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import close_old_connections

DATABASE_THREADS = 16

_pool = ThreadPoolExecutor(max_workers=DATABASE_THREADS, thread_name_prefix="database")


async def in_database_thread[**P, R](function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Runs a synchronous, self-contained piece of database work and gives its result.

    Cancelling the caller does not stop the thread: what must not commit late needs a fence.
    """
    return await submit(function, *args, **kwargs)


def submit[**P, R](function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[R]:
    """As `in_database_thread`, for a caller that waits with a limit of its own."""
    context = contextvars.copy_context()

    def work() -> R:
        # Drops a connection that broke or outlived its age, as a request does at both its ends.
        close_old_connections()
        try:
            return context.run(function, *args, **kwargs)
        finally:
            close_old_connections()

    return asyncio.get_running_loop().run_in_executor(_pool, work)
