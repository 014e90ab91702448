"""A real Chromium against a real server. What a browser complains of fails the test."""

import itertools
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from e2e import chromium
from e2e.people import Complaints, Person
from e2e.server import Server, installed

type NewPerson = Callable[..., Person]
type Install = Callable[..., Server]

PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
SEEN = Path(__file__).resolve().parent.parent / "var" / "e2e"

_addresses = itertools.cycle(range(1, 255))

expect.set_options(timeout=10_000)


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with installed(tmp_path_factory.mktemp("installation"), DEMO="1") as server:
        yield server


@pytest.fixture
def server(running: Server) -> Iterator[Server]:
    """One installation for all tests that leave it running; each test makes people of its own."""
    seen = len(running.log())
    yield running
    running.faults()
    print(running.log()[seen:])


@pytest.fixture
def install(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Install]:
    """`install(COACH_MAX_ROUNDS="2")`: an installation of the test's own, to be killed or configured."""
    with ExitStack() as installations:

        def install_one(**environment: str) -> Server:
            folder = tmp_path_factory.mktemp("installation")
            return installations.enter_context(installed(folder, **environment))

        yield install_one


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as chooser:
        chooser.bind(("127.0.0.1", 0))
        return int(chooser.getsockname()[1])


@pytest.fixture(scope="session")
def chrome() -> Iterator[Browser]:
    path = chromium.find()
    assert path, "there is no Chromium; `python -m e2e.chromium` gets one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    found = Complaints()
    yield found
    assert found.unexpected == []


@pytest.fixture
def new_person(
    server: Server, chrome: Browser, complaints: Complaints, request: pytest.FixtureRequest
) -> Iterator[NewPerson]:
    """Somebody with a fresh browser, on a phone, in Spanish and in Madrid unless told otherwise.

    `new_person(locale="en-US", viewport=DESKTOP)`; they have not signed up yet.
    """
    people: list[Person] = []

    def make(at: Server = server, **options: Any) -> Person:
        settings = {"viewport": PHONE, "locale": "es-ES", "timezone_id": "Europe/Madrid", **options}
        # Everybody comes from an address of their own, as through a proxy: sign-ups are limited by address.
        settings["extra_http_headers"] = {"X-Forwarded-For": f"10.0.0.{next(_addresses)}"}
        people.append(Person(at, chrome.new_context(**settings), complaints))
        return people[-1]

    failures = request.session.testsfailed
    yield make
    if request.session.testsfailed > failures:
        _photograph(request.node.name, people)
    for person in people:
        person.context.close()


@pytest.fixture
def person(new_person: NewPerson) -> Person:
    """Somebody who has just signed up."""
    somebody = new_person()
    somebody.sign_up()
    return somebody


def _photograph(test: str, people: list[Person]) -> None:
    """Leaves what the people of a failed test saw in var/e2e."""
    SEEN.mkdir(parents=True, exist_ok=True)
    pages = [page for person in people for page in person.context.pages]
    for number, page in enumerate(pages, start=1):
        page.screenshot(path=SEEN / f"{test}-{number}.png", full_page=True)
