"""The demo account, which anybody on this machine may enter: `demo`, password `demo`.

It exists for DEMO=1 alone, which the settings refuse unless every allowed host is a loopback name.
"""

import datetime as dt
import io
import tempfile
from pathlib import Path

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction

from gymnasia.demo_diary import openscale_export
from measurements import queries

NAME = PASSWORD = "demo"  # noqa: S105 - public on purpose


def open_account() -> None:
    """Makes the account with its two years of data, once; lets it in again after `close_account`."""
    user = User.objects.filter(username=NAME).first()
    if user is None:
        with transaction.atomic():
            # It may look into the admin, where an operator reads what the Coach did.
            user = User.objects.create_superuser(NAME, password=PASSWORD)
            _import_diary(last_day=queries.profile_of(user).today() - dt.timedelta(days=1))
    elif not user.has_usable_password():
        user.set_password(PASSWORD)
        user.save(update_fields=["password"])


def close_account() -> None:
    """Without DEMO nobody enters with the public password, whatever an earlier run left in the database."""
    user = User.objects.filter(username=NAME).first()
    if user is not None and user.check_password(PASSWORD):
        user.set_unusable_password()
        user.save(update_fields=["password"])


def _import_diary(*, last_day: dt.date) -> None:
    """Through the importer that people use, from a file as they have it."""
    with tempfile.TemporaryDirectory() as folder:
        export = Path(folder) / "openscale.csv"
        export.write_text(openscale_export(last_day), encoding="utf-8")
        call_command("import_measurements", str(export), user=NAME, format="openscale3", stdout=io.StringIO())
