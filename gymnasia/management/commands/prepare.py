"""Brings an installation up to date before it serves: database, static files, demo account."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

from gymnasia import demo


class Command(BaseCommand):
    help = __doc__
    # Checked below: some checks ask the database, and fail in many lines when it does not answer.
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
        _require_database()
        self.check()
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        if settings.DEMO:
            demo.open_account()
        else:
            demo.close_account()


def _require_database() -> None:
    try:
        connection.ensure_connection()
    except OperationalError as error:
        at = settings.DATABASES["default"]
        place = f"{at['HOST']}:{at['PORT'] or 5432}/{at['NAME']}" if at.get("HOST") else at["NAME"]
        raise CommandError(f"The database {place} does not answer: {error}") from error
