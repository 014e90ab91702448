"""What an operator should know about an installation before it serves anybody."""

import os
import sqlite3
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning
from django.db import connection

SAFE_SQLITE = (3, 51, 3)


@register(Tags.security, deploy=True)
def no_faults_on_purpose(**kwargs: Any) -> Sequence[CheckMessage]:
    if not settings.FAULTS_FILE:
        return []
    return [
        Error(
            "GYMNASIA_FAULTS_FILE is set: the program fails on purpose where that file says so.",
            hint="Unset it; it is for tests and checks by hand.",
            id="gymnasia.E001",
        )
    ]


@register(Tags.security)
def hosts_are_named(**kwargs: Any) -> Sequence[CheckMessage]:
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    return [
        Error(
            "ALLOWED_HOSTS contains *: a page of any other site could then open the Coach's WebSocket.",
            hint="Name the hosts under which people reach this installation.",
            id="gymnasia.E002",
        )
    ]


@register(Tags.compatibility)
def processes_can_share(**kwargs: Any) -> Sequence[CheckMessage]:
    """uvicorn takes the number of its processes from WEB_CONCURRENCY where no option gives it."""
    processes = os.environ.get("WEB_CONCURRENCY", "1")
    if processes in ("", "1") or (connection.vendor == "postgresql" and settings.REDIS_URL):
        return []
    return [
        Error(
            f"WEB_CONCURRENCY={processes}, but several processes need PostgreSQL and Redis to share.",
            hint="Set DATABASE_URL and REDIS_URL, or run one process.",
            id="gymnasia.E003",
        )
    ]


@register(Tags.compatibility)
def redis_has_something_to_share(**kwargs: Any) -> Sequence[CheckMessage]:
    if not settings.REDIS_URL or connection.vendor == "postgresql":
        return []
    return [
        CheckWarning(
            "REDIS_URL is set, but the database is SQLite, which one server process alone may use.",
            hint="Set DATABASE_URL to PostgreSQL to run several processes, or unset REDIS_URL.",
            id="gymnasia.W002",
        )
    ]


@register(Tags.database)
def sqlite_keeps_what_it_committed(
    databases: Sequence[str] | None = None, **kwargs: Any
) -> Sequence[CheckMessage]:
    """Shown by `migrate` and by `check --database default`."""
    if not databases or connection.vendor != "sqlite" or sqlite3.sqlite_version_info >= SAFE_SQLITE:
        return []
    return [
        CheckWarning(
            f"SQLite {sqlite3.sqlite_version} has a rare fault that can damage a database in WAL mode "
            "when two connections write and checkpoint at the same moment.",
            hint="Use a Python built with SQLite 3.51.3 or newer, or PostgreSQL; keep backups.",
            id="gymnasia.W001",
        )
    ]
