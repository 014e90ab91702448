"""How a change is kept: what a record was before and after, through what it came, one at a time."""

import datetime as dt
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.contrib.auth.models import User

from measurements.models import Measurement, Profile, Revision, Source
from measurements.rules import NewValue
from measurements.units import STORED_PLACES, to_canonical

type Snapshot = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Origin:
    """Through what a change came. `reference`: a Coach call's identity, an import batch."""

    source: Source
    reference: str = ""


def lock(actor: User) -> Profile:
    """One change at a time for each person: two that meet at one moment never race for it."""
    Profile.objects.get_or_create(user=actor)
    return Profile.objects.select_for_update().get(user=actor)


def value_columns(value: NewValue) -> dict[str, Any]:
    """The columns that hold a value, as precise as a row keeps them."""
    return {
        "value": to_canonical(value.value, value.unit),
        "entered_value": value.value.quantize(STORED_PLACES, ROUND_HALF_UP),
        "entered_unit": value.unit,
    }


def revision_of(
    actor: User,
    record: Measurement,
    *,
    before: Snapshot | None,
    after: Snapshot | None,
    origin: Origin,
    undoes: Revision | None = None,
) -> Revision:
    """A revision of `record`, not stored yet."""
    return Revision(
        user_id=record.user_id,
        record_id=record.pk,
        metric=record.metric,
        measured_on=record.measured_on,
        before=before,
        after=after,
        actor=actor,
        source=origin.source,
        reference=origin.reference,
        undoes=undoes,
    )


def snapshot(record: Measurement) -> Snapshot:
    """All that undoing needs to make the record again exactly."""
    return {
        "metric": record.metric,
        "value": _plain(record.value),
        "entered_value": _plain(record.entered_value),
        "entered_unit": record.entered_unit,
        "measured_on": record.measured_on.isoformat(),
        "measured_at": record.measured_at and record.measured_at.isoformat(),
        "utc_offset_minutes": record.utc_offset_minutes,
        "note": record.note,
        "source": record.source,
        "created_at": record.created_at.isoformat(),
    }


def restored(user_id: int, record_id: int, kept: Snapshot) -> Measurement:
    """The record that a snapshot was taken of, not stored yet."""
    at = kept["measured_at"]
    return Measurement(
        pk=record_id,
        user_id=user_id,
        metric=kept["metric"],
        value=Decimal(kept["value"]),
        entered_value=Decimal(kept["entered_value"]),
        entered_unit=kept["entered_unit"],
        measured_on=dt.date.fromisoformat(kept["measured_on"]),
        measured_at=at and dt.datetime.fromisoformat(at),
        utc_offset_minutes=kept["utc_offset_minutes"],
        note=kept["note"],
        source=kept["source"],
        created_at=dt.datetime.fromisoformat(kept["created_at"]),
    )


def _plain(value: Decimal) -> str:
    """One spelling for equal numbers, so that 81.4 and 81.4000 are no change."""
    return f"{value.normalize():f}"
