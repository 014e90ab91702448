"""What a person chose of providers: the only door that writes it. The actor comes first."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from coach import credentials
from coach.models import ProviderAccess
from coach.providers import registry


@transaction.atomic
def save_access(
    actor: User, provider: str, *, key: str, base_url: str, model: str, effort: str
) -> ProviderAccess:
    """Keeps key, address and choices. An empty `key` leaves the stored one as it is.

    A key or an address that changed has not been verified.
    """
    own, _created = ProviderAccess.objects.get_or_create(user=actor, provider=provider)
    if key or base_url != own.base_url:
        own.verified_at = None
    if key:
        own.encrypted_key = credentials.encrypt(key)
        own.key_hint = credentials.hint_of(key)
    own.base_url, own.model, own.effort = base_url, model, effort
    own.save()
    return own


def mark_verified(actor: User, provider: str) -> None:
    """Notes that the person's own key or address was accepted just now."""
    ProviderAccess.objects.filter(user=actor, provider=provider).update(verified_at=timezone.now())


def remove_access(actor: User, provider: str) -> bool:
    """Forgets key, address and choices; says whether that provider was the default."""
    own = ProviderAccess.objects.filter(user=actor, provider=provider)
    was_default = own.filter(is_default=True).exists()
    own.delete()
    return was_default


@transaction.atomic
def make_default(actor: User, provider: str) -> None:
    """Lets `provider` answer wherever the person chose no other."""
    ProviderAccess.objects.filter(user=actor, is_default=True).update(is_default=False)
    if provider != registry.BUILTIN:
        ProviderAccess.objects.update_or_create(user=actor, provider=provider, defaults={"is_default": True})
