"""All that a person measured, as rows that can be written in any form."""

import datetime as dt
from collections.abc import Iterator

from django.contrib.auth.models import User

from measurements.formats.gymnasia import Exported, write, write_json
from measurements.models import Measurement

WRITERS = {"csv": write, "json": write_json}


def export(user: User, form: str) -> Iterator[str]:
    """The text of the export in a form of WRITERS, piece by piece."""
    return WRITERS[form](exported(user))


def exported(user: User) -> Iterator[Exported]:
    """Oldest first, values and units as they were typed."""
    for record in Measurement.objects.visible_to(user.pk).in_order().iterator():
        minutes = record.utc_offset_minutes
        yield Exported(
            on=record.measured_on,
            at=record.local_time,
            metric=record.metric,
            value=record.entered_value.normalize(),
            unit=record.entered_unit,
            note=record.note,
            source=record.source,
            offset=None if minutes is None else dt.timedelta(minutes=minutes),
        )
