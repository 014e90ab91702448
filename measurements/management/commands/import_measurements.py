"""Imports a file from another tracker and prints what was done as JSON."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from measurements import importing, queries
from measurements.formats import registry
from measurements.formats.base import Ask, Question
from measurements.formats.problems import Problem
from measurements.reasons import say

REASONS_SHOWN: Final = 20
OPEN: Final = {
    Ask.DATE_ORDER: "No date of the file tells day from month: say --date-order day or --date-order month.",
    Ask.COLUMNS: "The columns {columns} tell no date, or nothing that is measured. Import it in the page.",
}


class Command(BaseCommand):
    help = "Imports measurements from a file. Prints a JSON report."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", required=True)
        parser.add_argument("--format", choices=sorted(registry.formats()), default="")
        parser.add_argument(
            "--unit", choices=["kg", "lb", "st"], default="", help="the unit of weights that name none"
        )
        parser.add_argument("--date-order", choices=["day", "month"], help="which comes first in 05/01/2026")
        parser.add_argument(
            "--conflicts",
            choices=["keep", "take"],
            default="keep",
            help="of two values of one moment: keep what is recorded, or take the file's",
        )
        parser.add_argument("--dry-run", action="store_true", help="only says what would be done")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = User.objects.get(username=options["user"])
        except User.DoesNotExist:
            raise CommandError(f"There is no user called {options['user']}.") from None
        planned = self._plan(user, options)
        replaced = planned.conflicting if options["conflicts"] == "take" else []
        report = planned.report()
        if options["dry_run"]:
            is_taken = not planned.is_empty
        elif is_taken := bool(planned.new or planned.unchanged or replaced):
            batch = importing.apply(user, planned, file_name=options["file"].name, replaced=replaced)
            report = batch.report
        self.stdout.write(json.dumps(report, ensure_ascii=False, indent=2))
        if not is_taken:
            self._tell_why(planned)
            sys.exit(1)

    def _tell_why(self, planned: importing.Plan) -> None:
        self.stderr.write(f"0 of {planned.rows} rows imported.")
        for rejected in planned.rejected[:REASONS_SHOWN]:
            self.stderr.write(f"Line {rejected.line}: {rejected.reason}")
        if planned.conflicts:
            count = len(planned.conflicts)
            self.stderr.write(f"{count} values stay as recorded; --conflicts take would take the file's.")
        elif not planned.rejected:
            self.stderr.write("The file holds no value that can be imported.")

    def _plan(self, user: User, options: dict[str, Any]) -> importing.Plan:
        profile = queries.profile_of(user)
        order = options["date_order"]
        settings = importing.settings_for(
            profile, mass_unit=options["unit"], day_first=None if order is None else order == "day"
        )
        try:
            opened = registry.open_file(options["file"], options["format"])
            return importing.plan(user, profile, opened, settings)
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}") from None
        except Problem as problem:
            raise CommandError(say(problem)) from None
        except importing.Refused as refused:
            raise CommandError(refused.message) from None
        except Question as question:
            names = ", ".join(column.name for column in question.columns)
            raise CommandError(OPEN[question.ask].format(columns=names)) from None
