"""A real Chromium against a real server. What a browser complains of fails the test."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from e2e.server import Server, installed
from gymnasia import browser as chromium

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
PASSWORD = "correct-horse-7"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One installation for all tests that do not break it; each test makes people of its own."""
    with installed(tmp_path_factory.mktemp("installation"), DEMO="1") as running:
        yield running


@pytest.fixture
def faulty(server: Server) -> Iterator[Server]:
    """The server, with its faults cleared at the end whatever happens."""
    yield server
    server.faults()


@pytest.fixture(scope="session")
def chrome() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium.find(), args=ARGUMENTS)
        yield launched
        launched.close()


@dataclass
class Complaints:
    """What the browser complained of. `expected` holds patterns of what a test provokes."""

    expected: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.heard.append(str(error)))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.heard.append(message.text)

    @property
    def unexpected(self) -> list[str]:
        return [text for text in self.heard if not any(re.search(p, text) for p in self.expected)]


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    found = Complaints()
    yield found
    assert found.unexpected == []


class Person:
    """Somebody at a browser of their own."""

    def __init__(self, server: Server, context: BrowserContext, complaints: Complaints) -> None:
        self.server = server
        self.context = context
        self.complaints = complaints
        self.page = self.tab()

    def tab(self) -> Page:
        page = self.context.new_page()
        self.complaints.listen(page)
        return page

    def sign_up(self, name: str) -> None:
        self.page.goto(f"{self.server.url}/accounts/signup/")
        self.page.locator("[name=username]").fill(name)
        self.page.locator("[name=password1]").fill(PASSWORD)
        self.page.locator("[name=password2]").fill(PASSWORD)
        self.page.locator("[name=password2]").press("Enter")
        expect(self.page).to_have_url(f"{self.server.url}/")

    def open(self, path: str) -> None:
        self.page.goto(self.server.url + path)

    def begin(self, text: str) -> None:
        """Starts a conversation and waits for the end of the answer."""
        self.open("/coach/")
        self.send(text)
        self.page.wait_for_url(re.compile(r"/coach/\d+/$"))
        self.answered(1)

    def send(self, text: str) -> None:
        self.page.locator("#message").fill(text)
        self.page.locator("#message").press("Enter")

    def ask(self, text: str) -> None:
        """Says something in the open conversation and waits for the end of the answer."""
        turns = self.page.locator("#transcript > li").count()
        self.send(text)
        self.answered(turns + 1)

    def answered(self, turns: int) -> None:
        expect(self.page.locator("#transcript > li")).to_have_count(turns)
        expect(self.page.locator("#transcript > [data-unfinished]")).to_have_count(0)

    @property
    def last_turn(self):  # type: ignore[no-untyped-def]
        return self.page.locator("#transcript > li").last


_people = iter(range(1, 10_000))


@pytest.fixture
def person(server: Server, chrome: Browser, complaints: Complaints) -> Iterator[Person]:
    """Somebody who has just signed up, on a phone, in Spanish and in Madrid."""
    yield from _signed_up(server, chrome, complaints)


def _signed_up(server: Server, chrome: Browser, complaints: Complaints) -> Iterator[Person]:
    context = chrome.new_context(viewport=PHONE, locale="es-ES", timezone_id="Europe/Madrid")  # type: ignore[arg-type]
    somebody = Person(server, context, complaints)
    somebody.sign_up(f"ana{next(_people)}")
    yield somebody
    context.close()


@pytest.fixture
def screenshots() -> Path:
    """Where a test leaves what it saw, for whoever wants to look."""
    folder = Path(__file__).resolve().parent.parent / "var" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
