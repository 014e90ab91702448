"""Readers for settings from the environment. Each fails loudly, naming the variable and the fix."""

import os
from urllib.parse import SplitResult, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"", "0", "false", "no", "off"})


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def flag(name: str) -> bool:
    word = text(name).lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name}={word!r}: use 1 or 0.")


def integer(name: str, default: int, *, least: int = 1) -> int:
    word = text(name)
    if not word:
        return default
    try:
        value = int(word)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={word!r}: use a whole number.") from None
    if value < least:
        raise ImproperlyConfigured(f"{name}={value}: use {least} or more.")
    return value


def words(name: str, default: str) -> list[str]:
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def database(name: str, sqlite_path: str) -> dict[str, object]:
    """The database of `name` (a postgres:// or sqlite:/// address), else SQLite at `sqlite_path`."""
    url = text(name)
    if not url:
        return sqlite_database(sqlite_path)
    parts = _address(name, url)
    if not unquote(parts.path).strip("/"):
        raise ImproperlyConfigured(f"{name}: the database's name is missing at the end of the address.")
    if parts.scheme == "sqlite":
        return sqlite_database(unquote(parts.path))
    if parts.scheme in {"postgres", "postgresql"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(parts.port or ""),
            # The pool keeps connections; Django's own persistence must be off beside it.
            "CONN_MAX_AGE": 0,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {
                "pool": {"min_size": 1, "max_size": 16, "timeout": 10},
                "options": "-c statement_timeout=15000 -c lock_timeout=10000",
            },
        }
    raise ImproperlyConfigured(
        f"{name}: use postgres://user:password@host:port/name or sqlite:///path, not {parts.scheme!r}."
    )


def redis(name: str) -> str:
    """The address of a Redis in `name`; empty when there is none."""
    url = text(name)
    if url and _address(name, url).scheme not in {"redis", "rediss", "unix"}:
        raise ImproperlyConfigured(f"{name}: use redis://:password@host:port/0, or rediss:// with TLS.")
    return url


def mailer(name: str) -> dict[str, object]:
    """How mail is sent: by the server at `name` (smtp:// with STARTTLS, smtps:// with TLS), else printed."""
    url = text(name)
    if not url:
        return {"BACKEND": "django.core.mail.backends.console.EmailBackend"}
    parts = _address(name, url)
    if parts.scheme not in {"smtp", "smtps"}:
        raise ImproperlyConfigured(
            f"{name}: use smtp://user:password@host:587 or smtps://user:password@host."
        )
    is_tls = parts.scheme == "smtps"
    return {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": unquote(parts.hostname or ""),
            "port": parts.port or (465 if is_tls else 587),
            "username": unquote(parts.username or ""),
            "password": unquote(parts.password or ""),
            "use_ssl": is_tls,
            "use_tls": not is_tls,
            "timeout": 10,
        },
    }


def _address(name: str, url: str) -> SplitResult:
    """Its parts. What is wrong with it is said without it: it may hold a password."""
    parts = urlsplit(url)
    try:
        _ = parts.port
    except ValueError:
        raise ImproperlyConfigured(
            f"{name}: the port is not a number. A password with / : @ or # in it must be percent-encoded."
        ) from None
    return parts


def sqlite_database(path: str) -> dict[str, object]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        # A file needs no fresh connection; opening one costs more than most queries.
        "CONN_MAX_AGE": None,
        # Tests run on a file too, since that is what ships: an in-memory database locks otherwise.
        "TEST": {"NAME": f"{path}.test"},
        "OPTIONS": {
            # IMMEDIATE: a deferred transaction that must upgrade its lock fails at once under load.
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            # FULL: with NORMAL a power cut may undo what the page has already called saved.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        },
    }
