"""The only door for changes. Each function is all or nothing, by itself or inside a caller's transaction.

The first argument is always the person who acts; only their own rows are ever found.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

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
from measurements.models import Measurement, Profile, Revision
from measurements.revising import Origin, Snapshot, lock, restored, revision_of, snapshot, value_columns
from measurements.rules import Moment, NewValue
from measurements.units import to_canonical

__all__ = [
    "Moment",
    "NewValue",
    "Origin",
    "correct_measurement",
    "find_at",
    "record_measurements",
    "remove_at",
    "remove_measurement",
    "undo",
    "update_profile",
]


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
        profile = lock(actor)
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
            **value_columns(value),
        )
        return _revise(actor, created, before=None, after=snapshot(created), origin=origin)
    same_value = standing.value == to_canonical(value.value, value.unit)
    if same_value and note in ("", standing.note):
        return None
    if not replace and not (same_value and not standing.note):
        raise AlreadyRecorded(standing)
    return _change(actor, standing, origin, note=note or standing.note, **value_columns(value))


def correct_measurement(
    actor: User, *, record_id: int, value: NewValue, moment: Moment, note: str, origin: Origin
) -> Revision | None:
    """Changes one record to what is given; None when that is what it already says.

    What is left as it was is not judged again, so that a value outside today's limits can still get
    a note. Raises NoSuchRecord, AlreadyRecorded (another record stands at that moment), and what
    `rules.check` raises.
    """
    with transaction.atomic():
        profile = lock(actor)
        record = _own(actor, record_id)
        columns: dict[str, Any] = {"note": note}
        if (value.value, value.unit) != (record.entered_value, record.entered_unit):
            rules.check_value(profile, value)
            columns |= value_columns(value)
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
        lock(actor)
        return _remove(actor, _own(actor, record_id), origin)


def remove_at(actor: User, *, metric: str, moment: Moment, origin: Origin) -> Revision:
    """Removes the record of that metric on that day, at that time where the day has several.

    Raises NothingRecorded, MetricNotRecorded, AmbiguousMoment.
    """
    with transaction.atomic():
        lock(actor)
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
        lock(actor)
        revision = Revision.objects.visible_to(actor.pk).with_undo_state().filter(pk=revision_id).first()
        if revision is None:
            raise NoSuchRecord
        if not revision.can_undo:
            raise CannotUndo
        _put_back(actor, revision)
        undoing = revision_of(
            actor,
            restored(actor.pk, revision.record_id, revision.before or revision.after or {}),
            before=revision.after,
            after=revision.before,
            origin=origin,
            undoes=revision,
        )
        undoing.save(force_insert=True)
        return undoing


def _put_back(actor: User, revision: Revision) -> None:
    own = Measurement.objects.visible_to(actor.pk)
    if revision.before is None:
        own.filter(pk=revision.record_id).delete()
        return
    record = restored(actor.pk, revision.record_id, revision.before)
    taken = own.at(record.metric, record.measured_on, record.measured_at).exclude(pk=record.pk).first()
    if taken is not None:
        raise CannotUndo(taken)
    record.save(force_insert=revision.after is None)


def update_profile(actor: User, **columns: str | bool | dt.date | None) -> Profile:
    """Changes how the person reads and writes. The caller has validated the values."""
    with transaction.atomic():
        profile = lock(actor)
        for name, value in columns.items():
            setattr(profile, name, value)
        profile.save(update_fields=list(columns))
        return profile


def _own(actor: User, record_id: int) -> Measurement:
    record = Measurement.objects.visible_to(actor.pk).filter(pk=record_id).first()
    if record is None:
        raise NoSuchRecord
    return record


def _change(actor: User, record: Measurement, origin: Origin, **columns: Any) -> Revision | None:
    before = snapshot(record)
    for name, value in columns.items():
        setattr(record, name, value)
    after = snapshot(record)
    if after == before:
        return None
    record.save(update_fields=[*columns, "updated_at"])
    return _revise(actor, record, before=before, after=after, origin=origin)


def _remove(actor: User, record: Measurement, origin: Origin) -> Revision:
    revision = _revise(actor, record, before=snapshot(record), after=None, origin=origin)
    record.delete()
    return revision


def _revise(
    actor: User,
    record: Measurement,
    *,
    before: Snapshot | None,
    after: Snapshot | None,
    origin: Origin,
) -> Revision:
    revision = revision_of(actor, record, before=before, after=after, origin=origin)
    revision.save(force_insert=True)
    return revision
