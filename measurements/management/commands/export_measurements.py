"""Writes all measurements of a person, as CSV or JSON, to standard output."""

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from measurements.exporting import exported
from measurements.formats import gymnasia
from measurements.formats.gymnasia import Exported


class Command(BaseCommand):
    help = "Exports the measurements of a user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", required=True)
        parser.add_argument("--format", choices=["csv", "json"], default="csv")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = User.objects.get(username=options["user"])
        except User.DoesNotExist:
            raise CommandError(f"There is no user called {options['user']}.") from None
        records = exported(user)
        if options["format"] == "csv":
            for line in gymnasia.write(records):
                self.stdout.write(line, ending="")
        else:
            self.stdout.write(json.dumps(list(_as_json(records)), ensure_ascii=False, indent=1))


def _as_json(records: Iterable[Exported]) -> Iterable[dict[str, Any]]:
    for record in records:
        yield {
            "date": record.on.isoformat(),
            "time": record.at and record.at.isoformat(),
            "metric": record.metric,
            "value": f"{record.value:f}",
            "unit": record.unit,
            "note": record.note,
            "source": record.source,
        }
