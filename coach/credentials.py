"""Who may ask which provider, with which key: a person's own first, then the installation's.

Keys are encrypted at rest with a key derived from SECRET_KEY. After a change of SECRET_KEY they open
as long as the old one stands in SECRET_KEY_FALLBACKS.
"""

import base64
from dataclasses import dataclass

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.contrib.auth.models import User

from coach.models import Conversation, ProviderAccess
from coach.providers import registry
from coach.providers.base import Connection, Rejected, RejectionReason

HINT_CHARACTERS = 4

KEYLESS = frozenset({"local", "openai"})
"""The providers that can be a server which asks for no key: an address is enough to reach it."""


class KeyUnreadable(Exception):
    """A stored key was encrypted under a SECRET_KEY that this installation no longer has."""


@dataclass(frozen=True, slots=True)
class Access:
    connection: Connection
    effort: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    provider: str
    model: str


def encrypt(key: str) -> bytes:
    return _fernet().encrypt(key.encode())


def decrypt(token: bytes | memoryview) -> str:
    """The key, or KeyUnreadable: never the ciphertext in its place."""
    try:
        return _fernet().decrypt(bytes(token)).decode()
    except InvalidToken:
        raise KeyUnreadable from None


def hint_of(key: str) -> str:
    """The last characters, by which a person knows their key again."""
    return key[-HINT_CHARACTERS:] if len(key) >= 4 * HINT_CHARACTERS else ""


def is_available(user: User, provider: str) -> bool:
    """Whether the person can ask that provider at all."""
    try:
        access_of(user, provider)
    except Rejected:
        return False
    return True


def access_of(user: User, provider: str) -> Access:
    """How the person reaches a provider. Raises Rejected (auth) when there is no usable key."""
    if provider == registry.BUILTIN:
        return Access(Connection())
    own = ProviderAccess.objects.filter(user=user, provider=provider).first()
    connection = (own and _own_connection(own)) or _installed_connection(provider)
    if connection is None:
        raise Rejected("there is no key", reason=RejectionReason.AUTH)
    return Access(connection, own.effort if own else "")


def _own_connection(own: ProviderAccess) -> Connection | None:
    try:
        key = decrypt(own.encrypted_key) if own.encrypted_key else ""
    except KeyUnreadable as error:
        raise Rejected("the stored key cannot be read", reason=RejectionReason.AUTH) from error
    if own.base_url:
        # A server of the person's own is never sent the installation's key.
        return Connection(key, own.base_url)
    if key:
        return Connection(key, settings.PROVIDER_CONNECTIONS[own.provider]["base_url"])
    return None


def _installed_connection(provider: str) -> Connection | None:
    installed = settings.PROVIDER_CONNECTIONS[provider]
    if installed["api_key"] or (installed["base_url"] and provider in KEYLESS):
        return Connection(installed["api_key"], installed["base_url"])
    return None


def choice_for(user: User, conversation: Conversation | None) -> Choice:
    """Whom the next turn asks: the conversation's choice, else the person's, else the built-in coach."""
    own = ProviderAccess.objects.filter(user=user)
    if conversation is not None and conversation.provider:
        model = conversation.model
        if not model and (access := own.filter(provider=conversation.provider).first()):
            model = access.model
        return Choice(conversation.provider, model or default_model(conversation.provider))
    if access := own.filter(is_default=True).first():
        return Choice(access.provider, access.model or default_model(access.provider))
    return Choice(registry.BUILTIN, "")


def default_model(provider: str) -> str:
    return str(settings.PROVIDER_CONNECTIONS.get(provider, {}).get("model", ""))


def _fernet() -> MultiFernet:
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_derived(secret)) for secret in secrets])


def _derived(secret: str) -> bytes:
    kdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"gymnasia provider keys")
    return base64.urlsafe_b64encode(kdf.derive(secret.encode()))
