"""Imports a file from another tracker and prints what was done as JSON."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from measurements import importing, queries
from measurements.formats import registry
from measurements.formats.base import Settings


class Command(BaseCommand):
    help = "Imports measurements from a file. Prints a JSON report."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", required=True)
        parser.add_argument("--format", choices=sorted(registry.formats()))
        parser.add_argument("--unit", choices=["kg", "lb", "st"], help="the unit of weights that name none")
        parser.add_argument("--dry-run", action="store_true", help="only says what would be done")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = User.objects.get(username=options["user"])
        except User.DoesNotExist:
            raise CommandError(f"There is no user called {options['user']}.") from None
        planned = self._plan(user, options)
        self.stdout.write(json.dumps(planned.report(), ensure_ascii=False, indent=2))
        if planned.is_empty:
            self.stderr.write(f"0 of {planned.read} rows imported.")
            sys.exit(1)
        if not options["dry_run"]:
            importing.apply(user, planned, file_name=options["file"].name)

    def _plan(self, user: User, options: dict[str, Any]) -> importing.Plan:
        profile = queries.profile_of(user)
        try:
            with options["file"].open(encoding="utf-8-sig", newline="") as text:
                head = text.read(registry.HEAD_CHARACTERS)
                text.seek(0)
                name = options["format"]
                found = registry.formats()[name] if name else registry.recognise(head)
                if found is None:
                    raise CommandError("The file is of no format that can be imported.")
                settings = Settings(profile.zone, options["unit"] or profile.mass_unit, profile.length_unit)
                return importing.plan(user, profile, found.name, found.parse(iter(text), settings))
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise CommandError(f"{options['file']} is not a text file in UTF-8.") from None
