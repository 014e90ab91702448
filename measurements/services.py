"""The only door for changes. Each function is all or nothing, by itself or inside a caller's transaction.

The first argument is always the person who acts; only their own rows are ever found.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from measurements import rules
from measurements.errors import (
    AlreadyRecorded,
    AmbiguousMoment,
    CannotUndo,
    MetricNotRecorded,
    NoSuchRecord,
    NothingRecorded,
)
from measurements.format import show_time
from measurements.models import Measurement, Profile, Revision, Source
from measurements.rules import Moment, NewValue
from measurements.units import to_canonical

BULK_ROWS = 1_000

__all__ = [
    "Moment",
    "NewValue",
    "Origin",
    "add_all",
    "correct_measurement",
    "record_measurements",
    "remove_at",
    "remove_measurement",
    "replace",
    "undo",
    "undo_all",
    "update_profile",
]


@dataclass(frozen=True, slots=True)
class Origin:
    """Through what a change came. `reference`: a Coach call's identity, an import batch."""

    source: Source
    reference: str = ""


def record_measurements(
    actor: User,
    *,
    moment: Moment,
    values: Sequence[NewValue],
    note: str = "",
    replace: bool = False,
    origin: Origin,
) -> list[Revision]:
    """Records one or more values of a moment; gives a revision for each that changed something.

    The same value again changes nothing. A different one raises AlreadyRecorded unless `replace`.
    Raises what `rules.check` raises. Nothing is written unless all can be.
    """
    with transaction.atomic():
        profile = _lock(actor)
        rules.check(profile, moment, values)
        at, offset = rules.instant(profile, moment)
        return [
            revision
            for value in values
            if (revision := _record(actor, moment.on, at, offset, value, note, replace, origin))
        ]


def _record(
    actor: User,
    on: dt.date,
    at: dt.datetime | None,
    offset: int | None,
    value: NewValue,
    note: str,
    replace: bool,
    origin: Origin,
) -> Revision | None:
    standing = Measurement.objects.visible_to(actor.pk).at(value.metric, on, at).first()
    if standing is None:
        created = Measurement.objects.create(
            user=actor,
            metric=value.metric,
            measured_on=on,
            measured_at=at,
            utc_offset_minutes=offset,
            note=note,
            source=origin.source,
            **_value_columns(value),
        )
        return _revise(actor, created, before=None, after=_snapshot(created), origin=origin)
    same_value = standing.value == to_canonical(value.value, value.unit)
    if same_value and note in ("", standing.note):
        return None
    if not replace and not (same_value and not standing.note):
        raise AlreadyRecorded(standing)
    return _change(actor, standing, origin, note=note or standing.note, **_value_columns(value))


def correct_measurement(
    actor: User, *, record_id: int, value: NewValue, moment: Moment, note: str, origin: Origin
) -> Revision | None:
    """Changes one record to what is given; None when that is what it already says.

    What is left as it was is not judged again, so that a value outside today's limits can still get
    a note. Raises NoSuchRecord, AlreadyRecorded (another record stands at that moment), and what
    `rules.check` raises.
    """
    with transaction.atomic():
        profile = _lock(actor)
        record = _own(actor, record_id)
        columns: dict[str, Any] = {"note": note}
        if (value.value, value.unit) != (record.entered_value, record.entered_unit):
            rules.check_value(profile, value)
            columns |= _value_columns(value)
        if (moment.on, moment.at) != (record.measured_on, rules.minute_of(record)):
            rules.check_moment(profile, moment)
            at, offset = rules.instant(profile, moment)
            taken = Measurement.objects.visible_to(actor.pk).at(record.metric, moment.on, at)
            if other := taken.exclude(pk=record.pk).first():
                raise AlreadyRecorded(other)
            columns |= {"measured_on": moment.on, "measured_at": at, "utc_offset_minutes": offset}
        return _change(actor, record, origin, **columns)


def remove_measurement(actor: User, *, record_id: int, origin: Origin) -> Revision:
    """Removes one record. Raises NoSuchRecord."""
    with transaction.atomic():
        _lock(actor)
        return _remove(actor, _own(actor, record_id), origin)


def remove_at(actor: User, *, metric: str, moment: Moment, origin: Origin) -> Revision:
    """Removes the record of that metric on that day, at that time where the day has several.

    Raises NothingRecorded, MetricNotRecorded, AmbiguousMoment.
    """
    with transaction.atomic():
        _lock(actor)
        return _remove(actor, find_at(actor, metric=metric, moment=moment), origin)


def find_at(actor: User, *, metric: str, moment: Moment) -> Measurement:
    """The one record that `remove_at` would remove; raises as it does."""
    of_day = Measurement.objects.visible_to(actor.pk).filter(measured_on=moment.on)
    found = list(of_day.filter(metric=metric).in_order())
    if moment.at is not None:
        found = [record for record in found if rules.minute_of(record) == moment.at.replace(second=0)]
    if len(found) == 1:
        return found[0]
    if found:
        times = [show_time(time) if (time := record.local_time) else "—" for record in found]
        raise AmbiguousMoment(metric, moment.on, times)
    if of_day.exists():
        raise MetricNotRecorded(metric, moment.on)
    raise NothingRecorded(moment.on)


def undo(actor: User, *, revision_id: int, origin: Origin) -> Revision:
    """Takes one change back, as a change of its own (which can be undone in turn).

    Raises NoSuchRecord for a revision that is not the actor's, CannotUndo when it was undone
    before, a later change stands on the record, or its moment is taken by another record.
    """
    with transaction.atomic():
        _lock(actor)
        revision = Revision.objects.visible_to(actor.pk).with_undo_state().filter(pk=revision_id).first()
        if revision is None:
            raise NoSuchRecord
        if not revision.can_undo:
            raise CannotUndo
        if revision.before is None:
            Measurement.objects.visible_to(actor.pk).filter(pk=revision.record_id).delete()
        else:
            restored = _restore(actor, revision.record_id, revision.before)
            taken = Measurement.objects.visible_to(actor.pk).at(
                restored.metric, restored.measured_on, restored.measured_at
            )
            if taken.exclude(pk=restored.pk).exists():
                raise CannotUndo
            restored.save(force_insert=revision.after is None)
        return Revision.objects.create(
            user=actor,
            record_id=revision.record_id,
            metric=revision.metric,
            measured_on=revision.measured_on,
            before=revision.after,
            after=revision.before,
            actor=actor,
            source=origin.source,
            reference=origin.reference,
            undoes=revision,
        )


def add_all(actor: User, records: Sequence[Measurement], *, origin: Origin) -> None:
    """Adds many records that were checked, and a revision for each, in a few statements.

    Raises AlreadyRecorded when one of their moments was taken meanwhile.
    """
    with transaction.atomic():
        _lock(actor)
        try:
            with transaction.atomic():
                made = Measurement.objects.bulk_create(records, batch_size=BULK_ROWS)
        except IntegrityError:
            raise AlreadyRecorded(_first_taken(actor, records)) from None
        Revision.objects.bulk_create(
            (
                _revision(actor, record, before=None, after=_snapshot(record), origin=origin)
                for record in made
            ),
            batch_size=BULK_ROWS,
        )


def _first_taken(actor: User, records: Sequence[Measurement]) -> Measurement:
    own = Measurement.objects.visible_to(actor.pk)
    found = (own.at(r.metric, r.measured_on, r.measured_at).first() for r in records)
    return next(record for record in found if record is not None)


def replace(actor: User, record_id: int, given: Measurement, *, origin: Origin) -> Revision | None:
    """Puts the value and note of `given` into a record of the same moment. Raises NoSuchRecord."""
    with transaction.atomic():
        _lock(actor)
        return _change(
            actor,
            _own(actor, record_id),
            origin,
            value=given.value,
            entered_value=given.entered_value,
            entered_unit=given.entered_unit,
            note=given.note,
        )


def undo_all(actor: User, reference: str, *, origin: Origin) -> None:
    """Takes back every change made through `reference`, latest first. Raises CannotUndo when one can't be."""
    with transaction.atomic():
        changes = Revision.objects.visible_to(actor.pk).filter(reference=reference, undoes__isnull=True)
        for revision_id in changes.order_by("-pk").values_list("pk", flat=True):
            undo(actor, revision_id=revision_id, origin=origin)


def update_profile(actor: User, **columns: str | bool) -> Profile:
    """Changes how the person reads and writes. The caller has validated the values."""
    with transaction.atomic():
        profile = _lock(actor)
        for name, value in columns.items():
            setattr(profile, name, value)
        profile.save(update_fields=list(columns))
        return profile


def _lock(actor: User) -> Profile:
    """One change at a time for each person: two that meet at one moment never race for it."""
    Profile.objects.get_or_create(user=actor)
    return Profile.objects.select_for_update().get(user=actor)


def _own(actor: User, record_id: int) -> Measurement:
    record = Measurement.objects.visible_to(actor.pk).filter(pk=record_id).first()
    if record is None:
        raise NoSuchRecord
    return record


def _change(actor: User, record: Measurement, origin: Origin, **columns: Any) -> Revision | None:
    before = _snapshot(record)
    for name, value in columns.items():
        setattr(record, name, value)
    after = _snapshot(record)
    if after == before:
        return None
    record.save(update_fields=[*columns, "updated_at"])
    return _revise(actor, record, before=before, after=after, origin=origin)


def _remove(actor: User, record: Measurement, origin: Origin) -> Revision:
    revision = _revise(actor, record, before=_snapshot(record), after=None, origin=origin)
    record.delete()
    return revision


def _revise(
    actor: User,
    record: Measurement,
    *,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    origin: Origin,
) -> Revision:
    revision = _revision(actor, record, before=before, after=after, origin=origin)
    revision.save(force_insert=True)
    return revision


def _revision(
    actor: User,
    record: Measurement,
    *,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    origin: Origin,
) -> Revision:
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
    )


def _value_columns(value: NewValue) -> dict[str, Any]:
    return {
        "value": to_canonical(value.value, value.unit),
        "entered_value": value.value,
        "entered_unit": value.unit,
    }


def _snapshot(record: Measurement) -> dict[str, Any]:
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


def _plain(value: Decimal) -> str:
    """One spelling for equal numbers, so that 81.4 and 81.4000 are no change."""
    return f"{value.normalize():f}"


def _restore(actor: User, record_id: int, snapshot: dict[str, Any]) -> Measurement:
    at = snapshot["measured_at"]
    return Measurement(
        pk=record_id,
        user=actor,
        metric=snapshot["metric"],
        value=Decimal(snapshot["value"]),
        entered_value=Decimal(snapshot["entered_value"]),
        entered_unit=snapshot["entered_unit"],
        measured_on=dt.date.fromisoformat(snapshot["measured_on"]),
        measured_at=at and dt.datetime.fromisoformat(at),
        utc_offset_minutes=snapshot["utc_offset_minutes"],
        note=snapshot["note"],
        source=snapshot["source"],
        created_at=dt.datetime.fromisoformat(snapshot["created_at"]),
    )
