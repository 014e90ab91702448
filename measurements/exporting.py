"""All that a person measured, as rows that can be written in any form."""

from collections.abc import Iterator

from django.contrib.auth.models import User

from measurements.formats.gymnasia import Exported
from measurements.models import Measurement


def exported(user: User) -> Iterator[Exported]:
    """Oldest first, values and units as they were typed."""
    for record in Measurement.objects.visible_to(user.pk).in_order().iterator():
        yield Exported(
            on=record.measured_on,
            at=record.local_time,
            metric=record.metric,
            value=record.entered_value.normalize(),
            unit=record.entered_unit,
            note=record.note,
            source=record.source,
        )
