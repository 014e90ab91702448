"""A whole installation under a fake vendor, driven over HTTP as a browser without scripts would."""

import contextlib
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import psycopg

from e2e.server import Server, installed
from tests.fakes.scripts import Reply, Seen, Use, says
from tests.fakes.server import Fake, fake, serving

PASSWORD = "correct-horse-7"
SETTLE_SECONDS = 30.0
WEIGHT = 77.4

_FORM = re.compile(r'action="/coach/(?P<action>call/(?P<call>\d+)/(?:repeat|verify|consent))/"')


def calls_for(text: str) -> list[Use]:
    """What the fake model does about a message such as `write 2020-01-04`."""
    verb, _, on = text.partition(" ")
    values = [{"metric": "weight", "value": WEIGHT, "unit": "kg"}]
    write = Use("write_measurement", {"date": on, "values": values})
    read = Use("read_measurement", {"date": on}, id="call_2")
    delete = Use("delete_measurement", {"date": on, "metric": "weight"})
    return {"write": [write], "read": [read], "delete": [delete], "both": [write, read]}.get(verb, [])


def script(seen: Seen) -> Reply:
    """Makes the calls of the message, once; then says that it is done."""
    if seen.results or not (made := calls_for(seen.text)):
        return says("Done, all of it.")
    return Reply(pieces=made)


@dataclass
class Page:
    """A conversation as it is shown."""

    html: str

    @property
    def is_settled(self) -> bool:
        return "data-unfinished" not in self.html

    @property
    def asks(self) -> bool:
        return "receipt-question" in self.html

    def count(self, css_class: str) -> int:
        return self.html.count(css_class)

    def action(self, kind: str) -> str | None:
        """The address of a button of that kind, if the page has one."""
        found = (m["action"] for m in _FORM.finditer(self.html) if m["action"].endswith(kind))
        return next(found, None)

    @property
    def text(self) -> str:
        return unescape(re.sub(r"<[^>]+>", " ", self.html))


class Browser:
    """Somebody signed in at one server process."""

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        self.client = httpx2.Client(timeout=30, follow_redirects=True)
        self._post("/accounts/login/", {"login": name, "password": PASSWORD}, page="/accounts/login/")

    def say(self, text: str, conversation: int | None = None, client_id: str | None = None) -> int | None:
        """Sends a message; gives its conversation, or None when the server died over it."""
        path = f"/coach/{conversation}/say/" if conversation else "/coach/say/"
        fields = {"text": text, "client_id": client_id or str(uuid4())}
        try:
            answer = self._post(path, fields, accept="application/json")
        except httpx2.TransportError:
            return None
        return int(answer.json()["conversation"]) if answer.is_success else None

    def page(self, conversation: int) -> Page:
        answer = self.client.get(f"{self.server.url}/coach/{conversation}/")
        assert answer.status_code == 200, answer.text
        return Page(answer.text)

    def settled(self, conversation: int) -> Page:
        """The page, once nothing works on it any more, or it asks the person something."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < deadline:
            page = self.page(conversation)
            if page.is_settled or page.asks:
                return page
        raise AssertionError(f"never settled:\n{page.text}\n{self.server.log()}")

    def act(self, action: str, **fields: str) -> None:
        """Presses a button of the page. The server may die over it."""
        try:
            self._post(f"/coach/{action}/", fields)
        except httpx2.TransportError:
            return

    def conversations(self) -> list[int]:
        html = self.client.get(f"{self.server.url}/coach/").text
        return [int(pk) for pk in re.findall(r'href="/coach/(\d+)/"', html)]

    def _post(
        self, path: str, fields: dict[str, str], *, accept: str = "text/html", page: str = "/coach/"
    ) -> httpx2.Response:
        html = self.client.get(self.server.url + page).text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', html)
        assert token, html
        return self.client.post(
            self.server.url + path,
            data={**fields, "csrfmiddlewaretoken": token[1]},
            headers={"Accept": accept, "Referer": self.server.url},
        )


@dataclass
class Installation:
    """A server, the vendor that it asks, and its one person."""

    name: str
    server: Server
    vendor: Fake
    browser: Browser

    def start_to_die(self) -> None:
        """Starts a process whose faults will kill it, whether or not it answers before that."""
        with contextlib.suppress(AssertionError):
            self.server.start()
        self.server.wait_until_dead()

    def records(self, on: str) -> list[float]:
        """What is stored of a day."""
        rows = self.ask(f"SELECT value FROM measurements_measurement WHERE measured_on = '{on}'")  # noqa: S608
        return [float(value) for (value,) in rows]

    def call_states(self) -> list[str]:
        """The states of all calls, in order."""
        return [str(state) for (state,) in self.ask("SELECT state FROM coach_toolcall ORDER BY id")]

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Asks the database itself, past the application."""
        url = self.server.environment.get("DATABASE_URL", "")
        if url.startswith("postgres"):
            with psycopg.connect(url) as connection:
                return connection.execute(query.encode()).fetchall()
        path = url.removeprefix("sqlite://") or self.server.folder / "gymnasia.sqlite3"
        with contextlib.closing(sqlite3.connect(path)) as database:
            return database.execute(query).fetchall()

    def last_request(self) -> dict[str, Any]:
        body: dict[str, Any] = self.vendor.bodies[-1]
        return body


SECRET_KEY = "only-for-tests-" + "x" * 50


@contextmanager
def installation(
    folder: Path,
    *,
    name: str = "",
    vendor: str = "anthropic",
    application: str = "gymnasia.asgi:application",
    **environment: str,
) -> Iterator[Installation]:
    """A fresh one that is running, with a person who asks that vendor by default."""
    with ExitStack() as stack:
        serving_vendor = stack.enter_context(serving(fake(vendor, script)))
        asking = {
            f"{vendor.upper()}_BASE_URL": serving_vendor.base_url,
            f"{vendor.upper()}_API_KEY": "test-key-0123456789",
            "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
            "SECRET_KEY": SECRET_KEY,
            # One person stands for many here.
            "COACH_TURNS_PER_MINUTE": "100000",
        }
        server = stack.enter_context(installed(folder, application=application, **asking, **environment))
        server.manage("createsuperuser", "--noinput", "--username", "ana", "--email", "ana@example.org")
        choose = (
            "from coach.models import ProviderAccess; from django.contrib.auth.models import User; "
            f"ProviderAccess.objects.create(user=User.objects.get(), provider='{vendor}', is_default=True)"
        )
        server.manage("shell", "-v0", "-c", choose)
        browser = stack.enter_context(signed_in(server))
        yield Installation(name, server, serving_vendor, browser)


@contextmanager
def another_process(place: Installation, folder: Path, **environment: str) -> Iterator[Browser]:
    """A second server process on the same database, and the person's browser on it."""
    own = {"DATABASE_URL": f"sqlite://{place.server.folder / 'gymnasia.sqlite3'}", **place.server.environment}
    for per_process in ("PATH", "HOME", "GYMNASIA_VAR", "GYMNASIA_FAULTS_FILE", "SABOTAGE"):
        own.pop(per_process, None)
    with (
        installed(folder, application=place.server.application, **own, **environment) as server,
        signed_in(server) as browser,
    ):
        yield browser


@contextmanager
def signed_in(server: Server) -> Iterator[Browser]:
    browser = Browser(server, "ana")
    try:
        yield browser
    finally:
        browser.client.close()


def wait_for(condition: Callable[[], bool], describe: Callable[[], object] = str) -> None:
    """Asks until it is so; fails after a minute."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"never came to be: {describe()}"


def judge(page: Page, *, effect: int, committed: bool) -> dict[str, int]:
    """Compares what one write did (how many effects are stored) with what the page shows of it.

    `committed` says that its commit was through before anything went wrong.
    """
    # A receipt says "saved", and so does the verdict on an uncertain write.
    shows_saved = page.count("receipt-saved") + page.count('data-verdict="saved"') > 0
    shows_unsaved = page.count("receipt-notsaved") > 0
    return {
        "lost": int(committed and effect < 1),
        "doubled": int(effect > 1),
        "false confirmations": int(shows_saved and effect < 1),
        "false denials": int(effect > 0 and (shows_unsaved or not shows_saved)),
    }


def orphans(body: dict[str, Any]) -> int:
    """How many calls of a request to Anthropic have no result directly behind them."""
    messages = body["messages"]
    missing = 0
    for message, following in zip(messages, [*messages[1:], {"content": []}], strict=True):
        if message["role"] != "assistant" or isinstance(message["content"], str):
            continue
        made = {part["id"] for part in message["content"] if part["type"] == "tool_use"}
        content = following["content"] if isinstance(following["content"], list) else []
        closed = {part["tool_use_id"] for part in content if part["type"] == "tool_result"}
        missing += len(made - closed)
    return missing
