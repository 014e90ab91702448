"""Whether whoever opened a socket is still signed in: a socket shows its cookie only when it opens."""

from hashlib import sha256
from importlib import import_module
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from coach import bus


def is_signed_in(user: User, session_key: str) -> bool:
    """Asks the session's row: it ends with a sign-out, a changed password or a closed account."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    return get_user(request).pk == user.pk


def group_of(session_key: str) -> str:
    """The sockets of one session. Named by a digest: the key itself would let its reader in."""
    return f"session.{sha256(session_key.encode()).hexdigest()[:40]}"


@receiver(user_logged_out)
def close_sockets(request: HttpRequest | None, **_kwargs: Any) -> None:
    """Tells the session's open pages, wherever they are served, to show nothing more."""
    if request is not None and (session_key := request.session.session_key):
        async_to_sync(bus.publish)(group_of(session_key), {"type": "signed.out"})
