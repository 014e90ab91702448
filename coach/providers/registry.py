"""Which providers there are. Each is loaded at its first use: an SDK costs a second and 30 MB."""

from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from coach.providers.base import Provider

BUILTIN = "builtin"


def names() -> tuple[str, ...]:
    return tuple(settings.COACH_PROVIDERS)


@cache
def provider(name: str) -> Provider:
    """The provider of that name. Slow at first: call it in a thread. KeyError for an unknown name."""
    made: Provider = import_string(settings.COACH_PROVIDERS[name])()
    return made
