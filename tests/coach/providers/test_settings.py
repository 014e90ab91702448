"""Settings of the providers, as a person and as a stranger meet them, against fakes that really answer."""

import logging
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from coach import provider_access
from coach.models import Conversation, ProviderAccess
from tests.coach.providers.asking import KEY, VENDORS
from tests.coach.providers.conftest import Serve
from tests.fakes.scripts import Reply, fails, says
from tests.fakes.server import WRONG_KEY, Fake
from tests.pages import text

HTMX = {"headers": {"HX-Request": "true"}}


@pytest.fixture
def page(client: Client, stranger: User) -> Client:
    """Somebody signed in who reads English."""
    client.force_login(stranger)
    return client


@pytest.fixture
def installed(settings: Settings) -> dict[str, dict[str, str]]:
    connections = {
        name: {"api_key": "", "base_url": "", "model": model}
        for name, model in {
            "anthropic": "claude-sonnet-5-5",
            "openai": "gpt-6-luna",
            "google": "gemini-3.8-flash",
            "local": "",
        }.items()
    }
    settings.PROVIDER_CONNECTIONS = connections
    return connections


@pytest.fixture
def faked(serve: Serve, vendor: str, installed: dict[str, dict[str, str]]) -> Fake:
    """A vendor's fake, in the vendor's place."""
    served = serve(vendor, says("ah"))
    installed[vendor]["base_url"] = served.base_url
    return served


def url(action: str, provider: str) -> str:
    return reverse(f"provider_{action}", args=[provider])


def save(page: Client, provider: str, **typed: str) -> Any:
    return page.post(url("save", provider), typed, **HTMX)  # type: ignore[arg-type]


def verify(page: Client, provider: str) -> str:
    return text(page.post(url("verify", provider), **HTMX))  # type: ignore[arg-type]


def test_key_is_stored_and_shown_as_its_last_four(page: Client, vendor: str) -> None:
    shown = text(save(page, vendor, key=f"  {KEY} ", model="m", effort="low"))
    own = ProviderAccess.objects.get()
    assert (own.provider, own.model, own.effort, own.key_hint) == (vendor, "m", "low", "e3b6")
    assert "Your key ends in e3b6." in shown
    assert KEY not in shown
    assert KEY not in text(page.get("/settings/"))


def test_saving_asks_nobody_and_makes_nobody_answer(page: Client, faked: Fake, vendor: str) -> None:
    save(page, vendor, key=KEY)
    assert faked.received == []
    assert not ProviderAccess.objects.get().is_default


def test_empty_key_keeps_the_stored_one(page: Client, vendor: str) -> None:
    save(page, vendor, key=KEY)
    before = ProviderAccess.objects.get().encrypted_key
    save(page, vendor, key="", model="another")
    own = ProviderAccess.objects.get()
    assert own.model == "another"
    assert bytes(own.encrypted_key or b"") == bytes(before or b"")


def test_verified_key_and_the_models_to_choose_from(page: Client, faked: Fake, vendor: str) -> None:
    save(page, vendor, key=KEY)
    shown = verify(page, vendor)
    assert "accepts the key and knows the model" in shown
    assert "Verified" in shown
    assert ProviderAccess.objects.get().verified_at is not None
    for model in faked.dialect.models:
        assert f'<option value="{model}">' in text(page.get("/settings/"))
    assert len(faked.received) == 1


@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        ({"key": WRONG_KEY}, 200, "does not accept the key"),
        ({"key": KEY, "model": "gpt-99"}, 200, "does not list the model gpt-99"),
    ],
    ids=["key", "model"],
)
def test_failed_check_says_what_is_at_fault_and_changes_nothing(
    page: Client, faked: Fake, vendor: str, typed: dict[str, str], status: int, said: str
) -> None:
    save(page, vendor, **typed)
    before = ProviderAccess.objects.values().get()
    assert said in verify(page, vendor)
    assert ProviderAccess.objects.values().get() == before
    assert len(faked.received) == 1


def test_network_at_fault_says_nothing_against_the_key(
    page: Client, installed: dict[str, dict[str, str]], vendor: str
) -> None:
    installed[vendor]["base_url"] = "http://127.0.0.1:9"
    save(page, vendor, key=KEY)
    assert "could not be reached" in verify(page, vendor)


def test_key_of_the_installation_is_shown_as_such_and_not_told(
    page: Client, faked: Fake, installed: dict[str, dict[str, str]], vendor: str
) -> None:
    installed[vendor]["api_key"] = KEY
    shown = text(page.get("/settings/"))
    assert "This installation has a key." in shown
    assert KEY not in shown
    assert "accepts the key" in verify(page, vendor)
    assert not ProviderAccess.objects.exists()


def test_unreadable_key_is_said_and_not_replaced_by_another(
    page: Client, stranger: User, installed: dict[str, dict[str, str]], vendor: str
) -> None:
    installed[vendor]["api_key"] = KEY
    ProviderAccess.objects.create(user=stranger, provider=vendor, encrypted_key=b"lost")
    assert "can no longer be read" in text(page.get("/settings/"))
    assert "does not accept the key" in verify(page, vendor)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"key": "with spaces in it"}, "without spaces or accents"),
        ({"key": "clave-con-ñ-dentro"}, "without spaces or accents"),
        ({"key": "short"}, "at least 8 characters"),
        ({"model": "two words"}, "no spaces or accents"),
        ({"effort": "enormous"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_right_is_refused_and_the_key_not_repeated(
    page: Client, vendor: str, typed: dict[str, str], said: str
) -> None:
    response = save(page, vendor, **typed)
    assert response.status_code == 422
    assert said in text(response)
    assert typed.get("key", KEY) not in text(response)
    assert not ProviderAccess.objects.exists()


def test_without_a_script_errors_come_on_a_page_and_answers_as_messages(page: Client, vendor: str) -> None:
    response = page.post(url("save", vendor), {"key": "short"})
    assert response.status_code == 422
    assert "<html" in text(response)
    response = page.post(url("save", vendor), {"key": KEY}, follow=True)
    assert "Saved. Verify it" in text(response)


def test_default_is_chosen_expressly_and_needs_a_key(page: Client, vendor: str) -> None:
    shown = text(page.post(url("default", vendor), follow=True))
    assert "needs a key first" in shown
    save(page, vendor, key=KEY)
    page.post(url("default", vendor))
    assert ProviderAccess.objects.get().is_default
    page.post(url("default", "builtin"))
    assert not ProviderAccess.objects.get().is_default


def test_removing_the_default_says_who_answers_now(page: Client, vendor: str) -> None:
    save(page, vendor, key=KEY)
    page.post(url("default", vendor))
    shown = text(page.post(url("remove", vendor), follow=True))
    assert "The built-in coach answers by default now." in shown
    assert not ProviderAccess.objects.exists()


@pytest.mark.parametrize("action", ["save", "verify", "remove", "default"])
@pytest.mark.parametrize("provider", ["acme", "builtin"])
def test_unknown_providers_are_not_found(page: Client, action: str, provider: str) -> None:
    if (action, provider) != ("default", "builtin"):
        assert page.post(url(action, provider)).status_code == 404


@pytest.mark.parametrize("action", ["save", "verify", "remove", "default"])
def test_reading_does_nothing_and_signed_out_people_sign_in(
    client: Client, page: Client, action: str
) -> None:
    assert page.get(url(action, "openai")).status_code == 405
    page.logout()
    assert client.post(url(action, "openai")).status_code == 302
    assert not ProviderAccess.objects.exists()


def test_nobody_touches_anothers_access(page: Client, person: User) -> None:
    provider_access.save_access(person, "openai", key=KEY, base_url="", model="theirs", effort="")
    assert "e3b6" not in text(page.get("/settings/"))
    page.post(url("remove", "openai"))
    save(page, "openai", model="mine")
    assert ProviderAccess.objects.get(user=person).model == "theirs"


def test_local_server_needs_an_address_and_a_model_and_no_key(page: Client, serve: Serve) -> None:
    served = serve("openai", says("hola"))
    bare = served.base_url.removesuffix("/v1")
    assert save(page, "local", base_url=bare).status_code == 422
    assert save(page, "local", model="gpt-6-luna").status_code == 422
    shown = text(save(page, "local", base_url=bare, model="gpt-6-luna"))
    assert f"Your own server at {served.base_url}." in shown
    assert "the local server answers and knows the model" in verify(page, "local")


def test_other_providers_take_no_address(page: Client, vendor: str) -> None:
    save(page, vendor, key=KEY, base_url="http://127.0.0.1:1/v1")
    assert ProviderAccess.objects.get().base_url == ""


@pytest.mark.parametrize(
    "address", ["ftp://x/", "http://a:b@x/", "javascript:alert(1)", "http://x/?a=1", "no"]
)
def test_address_that_is_none_is_refused(page: Client, address: str) -> None:
    assert save(page, "local", base_url=address, model="m").status_code == 422


@pytest.mark.parametrize("action", ["save", "verify", "default"])
def test_only_staff_choose_addresses_where_strangers_sign_up(
    page: Client, stranger: User, settings: Settings, action: str
) -> None:
    settings.LOOPBACK_ONLY = False
    typed = {"base_url": "http://169.254.169.254/v1", "model": "m"}
    assert 'id="provider-local"' not in text(page.get("/settings/"))
    assert page.post(url(action, "local"), typed).status_code == 404
    assert not ProviderAccess.objects.exists()
    User.objects.filter(pk=stranger.pk).update(is_staff=True)
    save(page, "local", **typed)
    assert ProviderAccess.objects.get().base_url == "http://169.254.169.254/v1"


def test_conversation_is_given_to_another_provider_that_can_answer(
    page: Client, stranger: User, installed: dict[str, dict[str, str]]
) -> None:
    installed["google"]["api_key"] = KEY
    conversation = Conversation.objects.create(user=stranger, title="Weights")
    choose = reverse("choose_provider", args=[conversation.pk])
    shown = text(page.get(reverse("conversation", args=[conversation.pk])))
    assert '<option value="google">Google</option>' in shown
    assert "Anthropic" not in shown
    assert page.post(choose, {"provider": "anthropic"}).status_code == 404
    assert "Google answers from the next message on." in text(
        page.post(choose, {"provider": "google"}, follow=True)
    )
    conversation.refresh_from_db()
    assert conversation.provider == "google"


def test_strangers_conversation_is_not_found(page: Client, person: User) -> None:
    conversation = Conversation.objects.create(user=person, title="Theirs")
    choose = reverse("choose_provider", args=[conversation.pk])
    assert page.post(choose, {"provider": "builtin"}).status_code == 404


@pytest.mark.parametrize("reply", [Reply(), fails(500)], ids=["works", "fails"])
def test_key_is_in_no_page_and_no_log(
    page: Client, faked: Fake, vendor: str, reply: Reply, admin_user: User, caplog: pytest.LogCaptureFixture
) -> None:
    faked.script = lambda _seen: reply
    with caplog.at_level(logging.DEBUG):
        shown = [text(save(page, vendor, key=KEY)), verify(page, vendor)]
        shown += [text(page.get(address)) for address in ("/settings/", "/coach/", "/")]
        page.force_login(admin_user)
        shown += [text(page.get("/admin/")), text(page.get("/admin/coach/provideraccess/"))]
    assert KEY not in "".join(shown)
    assert KEY not in caplog.text


def test_all_three_vendors_have_a_card(page: Client) -> None:
    shown = text(page.get("/settings/"))
    assert all(f'id="provider-{name}"' in shown for name in ("builtin", *VENDORS))
