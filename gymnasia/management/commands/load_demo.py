"""Makes the demo account, once, and fills it through the file importer."""

import datetime as dt
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from gymnasia import demo
from measurements import importing, services
from measurements.formats import registry
from measurements.formats.base import Settings

USERNAME = PASSWORD = "demo"  # noqa: S105 - public on purpose, on loopback alone


class Command(BaseCommand):
    help = "Makes the demo account with two years of data. Needs DEMO=1."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("The demo account is made only with DEMO=1.")
        if User.objects.filter(username=USERNAME).exists():
            return
        with transaction.atomic():
            user = User.objects.create_user(USERNAME, password=PASSWORD, is_staff=True, is_superuser=True)
            profile = services.update_profile(user, time_zone="UTC")
            text = demo.openscale_file(profile.today() - dt.timedelta(days=1))
            found = registry.recognise(text)
            assert found is not None
            sheet = Settings(profile.zone, "kg", "cm")
            parsed = found.parse(iter(text.splitlines(keepends=True)), sheet)
            planned = importing.plan(user, profile, found.name, parsed)
            importing.apply(user, planned, file_name="demo.csv")
