"""Whose key is used, and that a stored key opens with the right secret or not at all."""

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from coach import credentials, provider_access
from coach.credentials import Choice, KeyUnreadable, access_of, choice_for, decrypt, encrypt, hint_of
from coach.models import Conversation, ProviderAccess
from coach.providers.base import Connection, Rejected, RejectionReason

KEY = "sk-test-4f9a27c1d8e3b6"


def keep(user: User, provider: str = "openai", **more: str) -> ProviderAccess:
    given = {"key": "", "base_url": "", "model": "", "effort": ""} | more
    return provider_access.save_access(user, provider, **given)


@pytest.fixture
def installed(settings: Settings) -> dict[str, dict[str, str]]:
    """What the installation offers; a test changes it."""
    connections = {
        name: {"api_key": "", "base_url": "", "model": f"{name}-model"}
        for name in ("anthropic", "openai", "google", "local")
    }
    settings.PROVIDER_CONNECTIONS = connections
    return connections


def test_key_comes_back_and_is_not_stored_as_it_is() -> None:
    token = encrypt(KEY)
    assert decrypt(token) == KEY
    assert KEY.encode() not in token


def test_key_opens_after_the_secret_was_rotated(settings: Settings) -> None:
    token = encrypt(KEY)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "a-new-secret-" + "y" * 50
    assert decrypt(token) == KEY


@pytest.mark.parametrize("token", [b"", b"not a token", None])
def test_key_under_a_lost_secret_is_an_error_and_never_ciphertext(
    settings: Settings, token: bytes | None
) -> None:
    token = encrypt(KEY) if token is None else token
    settings.SECRET_KEY = "another-secret-" + "z" * 50
    with pytest.raises(KeyUnreadable) as unreadable:
        decrypt(token)
    assert str(unreadable.value) == ""


@pytest.mark.parametrize(("key", "hint"), [(KEY, "e3b6"), ("shortkey", ""), ("", "")])
def test_hint_is_the_end_of_a_key_that_is_long_enough_to_show_it(key: str, hint: str) -> None:
    assert hint_of(key) == hint


def test_own_key_goes_before_the_installations(person: User, installed: dict[str, dict[str, str]]) -> None:
    installed["openai"] |= {"api_key": "sk-of-the-installation", "base_url": "http://gateway/v1"}
    assert access_of(person, "openai").connection == Connection("sk-of-the-installation", "http://gateway/v1")
    keep(person, key=KEY, effort="low")
    access = access_of(person, "openai")
    assert access.connection == Connection(KEY, "http://gateway/v1")
    assert access.effort == "low"


def test_own_server_never_receives_the_installations_key(
    person: User, installed: dict[str, dict[str, str]]
) -> None:
    installed["local"] |= {"api_key": "sk-of-the-installation", "base_url": "http://10.0.0.1/v1"}
    keep(person, "local", base_url="http://127.0.0.1:11434/v1", model="llama")
    assert access_of(person, "local").connection == Connection("", "http://127.0.0.1:11434/v1")


def test_own_server_may_ask_for_a_key_of_its_own(person: User) -> None:
    keep(person, "local", key=KEY, base_url="http://127.0.0.1:8000/v1", model="m")
    assert access_of(person, "local").connection == Connection(KEY, "http://127.0.0.1:8000/v1")


def test_installation_may_offer_a_server_without_a_key(
    person: User, installed: dict[str, dict[str, str]]
) -> None:
    for connection in installed.values():
        connection["base_url"] = "http://127.0.0.1:11434/v1"
    for provider in ("openai", "local"):
        assert access_of(person, provider).connection == Connection("", "http://127.0.0.1:11434/v1")
    with pytest.raises(Rejected):
        access_of(person, "anthropic")


@pytest.mark.parametrize("stored", [None, b"not a token"])
def test_without_a_usable_key_the_provider_is_rejected(
    person: User, installed: dict[str, dict[str, str]], stored: bytes | None
) -> None:
    if stored:
        # Even where the installation has a key: another one would be used in silence.
        installed["google"]["api_key"] = "sk-of-the-installation"
        ProviderAccess.objects.create(user=person, provider="google", encrypted_key=stored)
    with pytest.raises(Rejected) as rejected:
        access_of(person, "google")
    assert rejected.value.reason is RejectionReason.AUTH
    assert not credentials.is_available(person, "google")


def test_a_strangers_key_is_not_used(
    person: User, stranger: User, installed: dict[str, dict[str, str]]
) -> None:
    keep(stranger, key=KEY)
    assert not credentials.is_available(person, "openai")


def test_key_in_a_row_is_readable_by_nobody_without_the_secret(person: User) -> None:
    keep(person, key=KEY)
    own = ProviderAccess.objects.get()
    assert KEY.encode() not in bytes(own.encrypted_key or b"")
    assert KEY not in f"{own} {own!r} {own.__dict__}"


def test_conversation_then_default_then_built_in(person: User, installed: dict[str, dict[str, str]]) -> None:
    conversation = Conversation.objects.create(user=person, title="a")
    assert choice_for(person, conversation) == Choice("builtin", "")
    keep(person, "google", key=KEY, model="gemini-own")
    assert choice_for(person, conversation) == Choice("builtin", "")
    provider_access.make_default(person, "google")
    assert choice_for(person, None) == Choice("google", "gemini-own")
    conversation.provider = "anthropic"
    assert choice_for(person, conversation) == Choice("anthropic", "anthropic-model")


def test_one_provider_at_a_time_is_the_default(person: User) -> None:
    for provider in ("google", "openai", "builtin", "openai"):
        provider_access.make_default(person, provider)
        assert choice_for(person, None).provider == provider
    assert provider_access.remove_access(person, "openai")
    assert choice_for(person, None).provider == "builtin"


def test_new_key_or_address_is_not_verified_any_more(person: User) -> None:
    keep(person, key=KEY)
    provider_access.mark_verified(person, "openai")
    assert keep(person, model="other").verified_at is not None
    assert keep(person, key="sk-another-key-000000").verified_at is None
