"""Work in a database thread speaks the caller's language, and is not stopped by the caller's limit."""

import asyncio
import threading

import pytest
from django.utils import timezone, translation

from coach.threads import in_database_thread, submit

pytestmark = pytest.mark.django_db(transaction=True)


async def test_language_and_time_zone_of_the_caller_are_active() -> None:
    with translation.override("pt-br"), timezone.override("America/Sao_Paulo"):
        assert await in_database_thread(translation.get_language) == "pt-br"
        assert await in_database_thread(timezone.get_current_timezone_name) == "America/Sao_Paulo"


async def test_nothing_of_it_is_left_in_the_thread() -> None:
    with translation.override("es"):
        await asyncio.gather(*(in_database_thread(translation.get_language) for _ in range(20)))
    assert await in_database_thread(translation.get_language) == "en"


async def test_work_goes_on_past_the_limit_of_whoever_waits() -> None:
    let_go, ended = threading.Event(), threading.Event()

    def work() -> None:
        assert let_go.wait(10)
        ended.set()

    done, _pending = await asyncio.wait({submit(work)}, timeout=0.01)
    assert not done
    let_go.set()
    assert await in_database_thread(ended.wait, 10)
