"""Who uses the product in these tests: somebody at a browser, and what the browser complains of."""

import itertools
import re
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, WebError, expect

from e2e.server import Server

PASSWORD = "correct-horse-7"

_numbers = itertools.count(1)


LEFT_AT_ONCE = "WebSocket is closed before the connection is established"
"""Chromium's remark on a page that was left before its socket had opened: no fault of that page."""


@dataclass
class Complaints:
    """Console errors and warnings (violations of the security policy are among them) and exceptions.

    `expected` holds patterns of what a test provokes: a server that is gone, a refused form.
    """

    expected: list[str] = field(default_factory=lambda: [LEFT_AT_ONCE])
    heard: list[str] = field(default_factory=list)

    def listen(self, context: BrowserContext) -> None:
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.heard.append(f"{message.text} ({message.location.get('url', '')})")

    def _on_error(self, error: WebError) -> None:
        self.heard.append(str(error.error))

    @property
    def unexpected(self) -> list[str]:
        return [text for text in self.heard if not any(re.search(part, text) for part in self.expected)]


class Person:
    """Somebody with a browser of their own. `name` is empty until they sign up."""

    def __init__(self, server: Server, context: BrowserContext, complaints: Complaints) -> None:
        self.server = server
        self.context = context
        self.complaints = complaints
        self.name = ""
        complaints.listen(context)
        self.page = self.tab()

    def tab(self) -> Page:
        return self.context.new_page()

    def sign_up(self) -> None:
        self.name = f"ana{next(_numbers)}"
        self.open("/accounts/signup/")
        self.page.locator("[name=username]").fill(self.name)
        self.page.locator("[name=password1]").fill(PASSWORD)
        self.page.locator("[name=password2]").fill(PASSWORD)
        self.page.locator("[name=password2]").press("Enter")
        expect(self.page).to_have_url(f"{self.server.url}/")

    def sign_in(self, name: str, password: str = PASSWORD) -> None:
        self.open("/accounts/login/")
        self.page.locator("#id_login").fill(name)
        self.page.locator("#id_password").fill(password)
        self.page.locator("#id_password").press("Enter")
        expect(self.page).to_have_url(f"{self.server.url}/")

    def sign_out(self) -> None:
        self.open("/accounts/logout/")
        self.page.locator("form[action='/accounts/logout/'] button").click()
        expect(self.page).to_have_url(f"{self.server.url}/accounts/login/")

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
    def last_turn(self) -> Locator:
        return self.page.locator("#transcript > li").last
