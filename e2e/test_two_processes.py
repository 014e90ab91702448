"""Two server processes on one PostgreSQL and one Redis, a browser at each: as if there were one server."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from e2e.conftest import NewPerson
from e2e.people import Person
from e2e.server import Server, installed
from e2e.test_live import GONE, LONG_ANSWER, turns, unfinished
from tests.services import Missing, Redis, postgres, redis

SETTLED = 20_000
"""Milliseconds within which what a killed process left is settled and shown elsewhere."""


@dataclass
class Pair:
    """`here` runs what is said at it; `there` only shows it."""

    here: Server
    there: Server
    redis: Redis


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with ExitStack() as stack:
        try:
            database, shared_redis = stack.enter_context(postgres()), stack.enter_context(redis())
        except Missing as missing:
            if os.environ.get("CI"):
                raise
            pytest.skip(str(missing))
        shared = {
            "DATABASE_URL": database,
            "REDIS_URL": shared_redis.url,
            "SECRET_KEY": "only-for-tests-" + "x" * 50,
        }
        here = stack.enter_context(installed(tmp_path_factory.mktemp("here"), **shared))
        # The static files are there already; the faults are each one's own.
        there = Server(tmp_path_factory.mktemp("there"), **shared, GYMNASIA_VAR=str(here.folder))
        there.start()
        stack.callback(there.stop)
        yield Pair(here, there, shared_redis)
        print(here.log(), there.log(), sep="\n--- there ---\n")


@pytest.fixture
def person(pair: Pair, new_person: NewPerson) -> Person:
    """Somebody at the first process, who has begun a conversation."""
    pair.here.faults()
    somebody = new_person(pair.here)
    somebody.sign_up()
    somebody.begin("hola")
    return somebody


@pytest.fixture
def elsewhere(pair: Pair, person: Person, new_person: NewPerson) -> Page:
    """The same conversation at the other process, in another browser."""
    same = new_person(pair.there)
    same.sign_in(person.name)
    same.open(person.page.url.removeprefix(pair.here.url))
    expect(turns(same.page)).to_have_count(1)
    return same.page


def test_answer_is_followed_reloaded_and_stopped_elsewhere(
    pair: Pair, person: Person, elsewhere: Page
) -> None:
    pair.here.faults(mid_stream="hang:0.5")
    person.send(LONG_ANSWER)
    expect(unfinished(elsewhere).locator(".prose").first).not_to_be_empty()
    elsewhere.reload()
    expect(unfinished(elsewhere).locator(".prose").first).not_to_be_empty()
    elsewhere.locator("#stop").click()
    person.answered(2)
    expect(person.last_turn.locator(".notice")).to_have_count(1)
    expect(unfinished(elsewhere)).to_have_count(0)
    assert turns(elsewhere).all_inner_texts() == turns(person.page).all_inner_texts()


def test_question_is_answered_elsewhere(pair: Pair, person: Person, elsewhere: Page) -> None:
    person.ask("anota 77,4 kg el 2020-01-04")
    person.send("borra el peso del 2020-01-04")
    elsewhere.locator(".receipt-question button[value=yes]").click()
    person.answered(3)
    expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")
    expect(unfinished(elsewhere)).to_have_count(0)
    assert turns(elsewhere).all_inner_texts() == turns(person.page).all_inner_texts()


def test_process_that_runs_the_turn_is_killed_while_the_other_shows_it(
    pair: Pair, person: Person, elsewhere: Page
) -> None:
    person.complaints.expected += GONE
    pair.here.faults(mid_stream="hang:0.5")
    person.send(LONG_ANSWER)
    expect(unfinished(elsewhere).locator(".prose").first).not_to_be_empty()
    pair.here.kill()
    expect(unfinished(elsewhere)).to_have_count(0, timeout=SETTLED)
    expect(turns(elsewhere).last.locator(".notice")).to_have_count(1)
    elsewhere.locator("#message").fill("anota 77,4 kg el 2020-01-04")
    elsewhere.locator("#message").press("Enter")
    expect(turns(elsewhere).last.locator(".receipt-saved")).to_contain_text("77,4")

    pair.here.faults()
    pair.here.start()
    expect(turns(person.page)).to_have_count(3, timeout=SETTLED)
    assert turns(person.page).all_inner_texts() == turns(elsewhere).all_inner_texts()


def test_redis_goes_and_comes_back(
    pair: Pair, person: Person, elsewhere: Page, new_person: NewPerson
) -> None:
    logged = len(pair.here.log())
    pair.here.faults(mid_stream="hang:0.2")
    person.send(LONG_ANSWER)
    expect(unfinished(elsewhere)).to_have_count(1)
    pair.redis.stop()
    for page in (person.page, elsewhere):
        told = page.locator("#talk").get_attribute("data-away")
        assert told
        expect(page.locator("#connection")).to_have_text(told)

    # The turn goes on, and so do forms, signing in and the Coach.
    pair.here.faults()
    other = new_person(pair.here)
    other.sign_in(person.name)
    other.page.locator("[name=value]").fill("81,4")
    other.page.locator("[name=value]").press("Enter")
    expect(other.page.locator(".toast")).to_contain_text("81,4")
    other.page.goto(person.page.url)
    other.answered(2)
    other.ask("anota 77,4 kg el 2020-01-04")
    expect(other.last_turn.locator(".receipt-saved")).to_contain_text("77,4")

    pair.redis.start()
    for page in (person.page, elsewhere):
        expect(page.locator("#connection")).to_be_hidden(timeout=SETTLED)
        expect(turns(page)).to_have_count(3)
        expect(turns(page).last.locator(".receipt-saved")).to_contain_text("77,4")
    person.ask("hola")
    expect(turns(elsewhere)).to_have_count(4)
    log = pair.here.log()[logged:]
    assert log.count("live updates: away") == log.count("live updates: back") == 1
    assert "Traceback" not in log
