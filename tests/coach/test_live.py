"""What an open page is sent: everything once, in order, whatever was dropped or came late."""

from typing import Any

import pytest
from django.core.cache import cache

from coach.live import Change, Follower, Snapshot, _key


def change(sequence: int, html: str = "", *, whole: bool = False, run: str = "r", number: int = 1) -> Change:
    return Change(
        type="turn.changed", turn_id=7, number=number, run=run, sequence=sequence, whole=whole, html=html
    )


@pytest.fixture
async def follower() -> Follower:
    """A page that shows turn 7 as of flush 3 of run r."""
    await cache.aset(_key(7), Snapshot("r", 3, "<li>three</li>"))
    page = Follower()
    assert "three" in await page.resume([(7, 1)], last_number=1)
    return page


@pytest.fixture(autouse=True)
def _empty_cache() -> Any:
    yield
    cache.clear()


async def test_nothing_is_sent_before_the_page_said_what_it_shows() -> None:
    assert await Follower().fragment_for(change(1, "<li>x</li>", whole=True)) == ""


async def test_next_change_is_forwarded_as_it_is(follower: Follower) -> None:
    assert await follower.fragment_for(change(4, "four")) == "four"
    assert await follower.fragment_for(change(5, "five")) == "five"


async def test_change_that_the_snapshot_held_is_not_sent_again(follower: Follower) -> None:
    assert await follower.fragment_for(change(3, "three")) == ""
    assert await follower.fragment_for(change(2, "<li>two</li>", whole=True)) == ""


async def test_gap_is_filled_by_a_new_snapshot(follower: Follower) -> None:
    await cache.aset(_key(7), Snapshot("r", 6, "<li>six</li>"))
    assert "<li>six</li>" in await follower.fragment_for(change(6, "only six"))
    assert await follower.fragment_for(change(7, "seven")) == "seven"


async def test_another_run_of_the_turn_counts_anew(follower: Follower) -> None:
    assert "again" in await follower.fragment_for(change(1, "<li>again</li>", whole=True, run="s"))
    assert await follower.fragment_for(change(2, "more", run="s")) == "more"


async def test_known_turn_is_replaced_and_new_one_appended_once(follower: Follower) -> None:
    replaced = await follower.fragment_for(change(4, "<li>four</li>", whole=True))
    assert 'hx-target="#turn-7"' in replaced
    added = await follower.fragment_for(change(1, "<li>new</li>", whole=True, number=2, run="n"))
    assert 'hx-target="#transcript" hx-swap="beforeend"' in added
