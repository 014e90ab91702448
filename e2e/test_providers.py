"""The three vendors as a person meets them: keys, the worked conversation, the uncertain write, failures.

The vendors are fakes that speak real HTTP; what they answer to is in tests/fakes/by_hand.py.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from e2e.conftest import DESKTOP, NewPerson
from e2e.people import Person
from e2e.server import Server, installed
from tests.fakes.by_hand import by_hand
from tests.fakes.server import DIALECTS, WRONG_KEY, Fake, fake, serving

type Vendors = Mapping[str, Fake]

NAMES = {"anthropic": "Anthropic", "openai": "OpenAI", "google": "Google"}
KEY = "sk-test-4f9a27c1d8e3b6"
WORKED = "consulta el peso de 2020-01-02. Si no existe, consulta 2020-01-01. No crees ni cambies datos."


@pytest.fixture(scope="module")
def running_vendors() -> Iterator[Vendors]:
    with ExitStack() as running:
        yield {name: running.enter_context(serving(fake(name, by_hand))) for name in DIALECTS}


@pytest.fixture
def vendors(running_vendors: Vendors) -> Vendors:
    """The three, having received nothing yet."""
    for served in running_vendors.values():
        served.reset(by_hand)
    return running_vendors


@pytest.fixture(params=list(DIALECTS))
def vendor(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, running_vendors: Vendors) -> Iterator[Server]:
    """An installation whose vendors are the fakes, with a key of its own for one of them."""
    addresses = {f"{name.upper()}_BASE_URL": served.base_url for name, served in running_vendors.items()}
    # With an address and no key, OpenAI's place would be taken by a local server.
    folder = tmp_path_factory.mktemp("installation")
    with installed(folder, **addresses, OPENAI_API_KEY="sk-of-the-installation-0000") as server:
        yield server


@pytest.fixture
def somebody(new_person: NewPerson, vendors: Vendors) -> Person:
    """Somebody at a desk, in English, who has just signed up."""
    person = new_person(locale="en-US", viewport=DESKTOP)
    person.sign_up()
    return person


def card(person: Person, vendor: str) -> Locator:
    return person.page.locator(f"#provider-{vendor}")


def save_key(person: Person, vendor: str, key: str = KEY) -> None:
    person.open("/settings/")
    card(person, vendor).get_by_label("Key", exact=True).fill(key)
    card(person, vendor).get_by_role("button", name="Save").click()
    expect(card(person, vendor)).to_contain_text(f"Your key ends in {key[-4:]}.")


def verify(person: Person, vendor: str) -> Locator:
    card(person, vendor).get_by_role("button", name="Verify").click()
    return card(person, vendor).get_by_role("status")


def let_answer(person: Person, vendor: str) -> None:
    save_key(person, vendor)
    card(person, vendor).get_by_role("button", name="Use by default").click()
    expect(card(person, vendor)).to_contain_text("Answers by default")


def said(served: Fake) -> list[Any]:
    """The history in the last request that the vendor received."""
    items: list[Any] = served.bodies[-1]["messages" if served.dialect.name == "anthropic" else "input"]
    return items


def open_with(person: Person, vendor: str, address: str) -> None:
    """Opens a conversation and gives it to a vendor."""
    person.page.goto(address)
    person.page.locator(".talk-head .menu > summary").click()
    person.page.get_by_label("Who answers").select_option(vendor)
    person.page.get_by_role("button", name="Change").click()
    expect(person.page.locator(".toast")).to_contain_text(
        f"{NAMES[vendor]} answers from the next message on."
    )


def test_key_is_entered_and_verified(somebody: Person, vendors: Vendors, vendor: str) -> None:
    save_key(somebody, vendor)
    expect(verify(somebody, vendor)).to_contain_text(f"Verified: {NAMES[vendor]} accepts the key")
    expect(card(somebody, vendor).locator("datalist option")).to_have_count(2)
    somebody.page.reload()
    expect(card(somebody, vendor)).to_contain_text("Verified")
    assert KEY not in somebody.page.content()
    assert [received.method for received in vendors[vendor].received] == ["GET"]


@pytest.mark.parametrize("vendor", ["google"])
def test_check_says_which_of_key_and_model_is_at_fault(somebody: Person, vendor: str) -> None:
    save_key(somebody, vendor, WRONG_KEY)
    expect(verify(somebody, vendor)).to_contain_text("does not accept the key")
    save_key(somebody, vendor)
    card(somebody, vendor).get_by_label("Model").fill("no-such-model")
    card(somebody, vendor).get_by_role("button", name="Save").click()
    # The whole text: the answer to the first save begins in the same way.
    expect(card(somebody, vendor).get_by_role("status")).to_have_text("Saved.")
    expect(verify(somebody, vendor)).to_contain_text("does not list the model no-such-model")


def test_worked_conversation(somebody: Person, vendors: Vendors, vendor: str) -> None:
    let_answer(somebody, vendor)
    somebody.begin("anota 76 kg el 2020-01-01")
    expect(somebody.last_turn.locator(".receipt-saved")).to_contain_text("76")
    somebody.ask(WORKED)
    for _ in range(2):
        expect(somebody.last_turn).to_contain_text(
            "Falta el registro de 2020-01-02. El 2020-01-01 hay un peso guardado: 76 kg."
        )
        expect(somebody.last_turn.locator(".call")).to_have_count(2)
        expect(somebody.last_turn.locator(".receipt")).to_have_count(0)
        somebody.page.reload()
    assert len(vendors[vendor].asked) == 2 + 3
    expect(somebody.page.locator(".talk-head")).to_contain_text(NAMES[vendor])


def test_uncertain_write_asks_the_vendor_once(
    somebody: Person, vendors: Vendors, vendor: str, server: Server
) -> None:
    let_answer(somebody, vendor)
    server.faults(in_handler="raise:network timeout")
    somebody.begin("anota 77,4 kg el 2020-01-03")
    for _ in range(2):
        expect(somebody.last_turn.locator(".notice-unconfirmed")).to_be_visible()
        expect(somebody.last_turn.locator(".receipt-notsaved")).to_be_visible()
        somebody.page.reload()
    assert len(vendors[vendor].asked) == 1
    server.faults()
    somebody.ask("anota 77,4 kg el 2020-01-04")
    expect(somebody.last_turn.locator(".receipt-saved")).to_contain_text("77.4")
    somebody.open("/measurements/day/2020-01-03/")
    expect(somebody.page.locator("main")).not_to_contain_text("77.4")


def test_conversation_changes_provider_and_says_so(somebody: Person, vendors: Vendors) -> None:
    for name in ("google", "anthropic"):
        let_answer(somebody, name)
    somebody.begin("anota 76 kg el 2020-01-01")
    for name in ("google", "openai", "anthropic"):
        open_with(somebody, name, somebody.page.url)
        expect(somebody.page.locator(".talk-head")).to_contain_text(NAMES[name])
        somebody.ask(WORKED)
        expect(somebody.last_turn).to_contain_text("hay un peso guardado: 76 kg.")
    assert [len(vendors[name].asked) for name in ("google", "openai", "anthropic")] == [3, 3, 2 + 3]


@pytest.mark.parametrize("vendor", ["openai"])
def test_wrong_key_in_the_chat_names_the_provider_and_the_way_out(somebody: Person, vendor: str) -> None:
    save_key(somebody, vendor, WRONG_KEY)
    card(somebody, vendor).get_by_role("button", name="Use by default").click()
    somebody.begin("hola")
    notice = somebody.last_turn.locator(".notice")
    expect(notice).to_contain_text(f"{NAMES[vendor]} did not accept the key. Check the key in Settings.")
    expect(somebody.last_turn).to_contain_text("hola")


@pytest.mark.parametrize("vendor", ["anthropic"])
def test_busy_vendor_is_waited_for_in_sight_and_can_be_stopped(
    somebody: Person, vendors: Vendors, vendor: str
) -> None:
    let_answer(somebody, vendor)
    somebody.open("/coach/")
    somebody.send("#fail 529")
    expect(somebody.page.locator("#transcript")).to_contain_text(f"{NAMES[vendor]} is busy, trying again in")
    somebody.page.locator("#stop").click()
    somebody.answered(1)
    expect(somebody.last_turn.locator(".notice")).to_contain_text("You stopped this answer.")
    assert len(vendors[vendor].asked) < 4


@pytest.mark.parametrize("vendor", ["anthropic"])
def test_vendor_that_stays_busy_is_given_up(somebody: Person, vendor: str) -> None:
    let_answer(somebody, vendor)
    somebody.open("/coach/")
    somebody.send("#fail 529")
    expect(somebody.last_turn.locator(".notice")).to_contain_text(
        f"{NAMES[vendor]} could not be reached or is too busy.", timeout=30_000
    )


@pytest.mark.parametrize("vendor", ["google"])
def test_answer_that_breaks_off_is_kept_and_the_conversation_goes_on(somebody: Person, vendor: str) -> None:
    let_answer(somebody, vendor)
    somebody.begin("#cut mid_text")
    expect(somebody.last_turn).to_contain_text("This")
    expect(somebody.last_turn.locator(".notice")).to_contain_text("broke off before its end")
    somebody.ask("anota 76 kg el 2020-01-01")
    expect(somebody.last_turn.locator(".receipt-saved")).to_contain_text("76")


def test_restarted_server_says_the_same_of_the_past(
    somebody: Person, vendors: Vendors, server: Server
) -> None:
    """Rebuilt from the database by another process, the old part of the history is the same bytes."""
    conversations = {}
    for name in vendors:
        let_answer(somebody, name)
        somebody.begin(WORKED)
        conversations[name] = somebody.page.url
    somebody.page.goto("about:blank")
    before = {name: said(served) for name, served in vendors.items()}
    server.stop()
    server.start()
    for name, address in conversations.items():
        open_with(somebody, name, address)
        somebody.ask(WORKED)
        after = said(vendors[name])
        assert json.dumps(after[: len(before[name])]) == json.dumps(before[name])
        assert len(after) > len(before[name])
