"""The server ends in the middle of things and comes back: told, waited for, nothing lost, nothing twice."""

import re
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from e2e.conftest import NewPerson
from e2e.people import Person
from e2e.server import Server, installed
from e2e.test_live import GONE, LONG_ANSWER, turns, unfinished

BACK = 20_000
"""Milliseconds within which an open page has found a server that came back."""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that the tests of this module may end, as long as they start it again."""
    with installed(tmp_path_factory.mktemp("restarted")) as server:
        yield server
        print(server.log())


@pytest.fixture
def person(own: Server, new_person: NewPerson) -> Person:
    own.faults()
    somebody = new_person(own)
    somebody.sign_up()
    somebody.complaints.expected += GONE
    return somebody


def test_stopped_in_mid_answer(person: Person, own: Server) -> None:
    person.begin("hola")
    own.faults(mid_stream="hang:0.2")
    person.send(LONG_ANSWER)
    said = unfinished(person.page).locator(".prose").first
    expect(said).not_to_be_empty()

    own.stop()
    told = person.page.locator("#talk").get_attribute("data-restarting")
    assert told
    expect(person.page.locator("#connection")).to_have_text(told)
    person.send("anota 77,4 kg el 2020-01-04")
    expect(person.page.locator("#pending > li")).to_have_count(1)
    own.faults()
    own.start()

    expect(turns(person.page)).to_have_count(3, timeout=BACK)
    person.answered(3)
    expect(person.page.locator("#connection")).to_be_hidden()
    expect(turns(person.page).nth(1).locator(".notice")).to_have_count(1)
    expect(turns(person.page).nth(1).locator(".prose-broken")).not_to_be_empty()
    expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")
    shown = turns(person.page).all_inner_texts()
    person.page.reload()
    assert turns(person.page).all_inner_texts() == shown
    expect(person.page.locator("#pending > li")).to_have_count(0)


def test_stopped_in_mid_write_finishes_it_first(person: Person, own: Server) -> None:
    person.begin("hola")
    own.faults(in_handler="hang:1.5")
    person.send("anota 77,4 kg el 2020-01-04")
    expect(unfinished(person.page).locator(".call")).to_have_count(1)
    # Whoever presses twice does not cut it short.
    own.send_signal(signal.SIGTERM)
    own.stop()
    own.faults()
    own.start()
    expect(unfinished(person.page)).to_have_count(0, timeout=BACK)
    expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")
    expect(person.last_turn.locator(".notice")).to_have_count(1)
    person.ask("consulta el peso de 2020-01-04")
    expect(person.last_turn).to_contain_text("77,4")


def test_killed_in_mid_answer(person: Person, own: Server) -> None:
    person.begin("hola")
    own.faults(mid_stream="hang:0.4")
    person.send(LONG_ANSWER)
    expect(unfinished(person.page).locator(".prose").first).not_to_be_empty()
    own.kill()
    expect(person.page.locator("#connection")).to_be_visible()
    person.send("anota 77,4 kg el 2020-01-04")
    own.faults()
    own.start()
    expect(turns(person.page)).to_have_count(3, timeout=BACK)
    person.answered(3)
    expect(turns(person.page).nth(1).locator(".notice")).to_have_count(1)
    expect(person.last_turn.locator(".receipt-saved")).to_have_count(1)


def test_first_message_of_a_conversation_waits_for_the_server(person: Person, own: Server) -> None:
    person.open("/coach/")
    own.kill()
    person.send("anota 77,4 kg el 2020-01-04")
    expect(person.page.locator("#pending > li")).to_have_count(1)
    own.start()
    person.page.wait_for_url(re.compile(r"/coach/\d+/$"), timeout=BACK)
    person.answered(1)
    expect(person.last_turn.locator(".receipt-saved")).to_contain_text("77,4")
    person.open("/coach/")
    expect(person.page.locator(".conversation-list a")).to_have_count(2)
