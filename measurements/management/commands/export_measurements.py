"""Writes all measurements of a person, as CSV or JSON, to standard output."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from measurements.exporting import WRITERS, export


class Command(BaseCommand):
    help = "Exports the measurements of a user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", required=True)
        parser.add_argument("--format", choices=sorted(WRITERS), default="csv")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = User.objects.get(username=options["user"])
        except User.DoesNotExist:
            raise CommandError(f"There is no user called {options['user']}.") from None
        for text in export(user, options["format"]):
            self.stdout.write(text, ending="")
