"""The door for whole files: tens of thousands of changes in a few statements, all or nothing.

What `services` does for one record, with the same locks and revisions. The caller has checked the values.
"""

from collections.abc import Iterable, Sequence
from itertools import batched

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from measurements.errors import AlreadyRecorded, CannotUndo, NoSuchRecord
from measurements.models import Measurement, Revision
from measurements.revising import Origin, lock, restored, revision_of, snapshot

BATCH_ROWS = 1_000
VALUE_COLUMNS = ("value", "entered_value", "entered_unit", "note")


def add_all(actor: User, records: Sequence[Measurement], *, origin: Origin) -> None:
    """Adds records and a revision for each. Raises AlreadyRecorded when one of their moments is taken."""
    with transaction.atomic():
        lock(actor)
        try:
            with transaction.atomic():
                made = Measurement.objects.bulk_create(records, batch_size=BATCH_ROWS)
        except IntegrityError:
            raise AlreadyRecorded(_first_taken(actor, records)) from None
        _keep(
            revision_of(actor, record, before=None, after=snapshot(record), origin=origin) for record in made
        )


def replace_all(actor: User, values: Sequence[tuple[int, Measurement]], *, origin: Origin) -> None:
    """Puts the value and note of each given record into the one with that id. Raises NoSuchRecord."""
    with transaction.atomic():
        lock(actor)
        for part in batched(values, BATCH_ROWS):
            standing = Measurement.objects.visible_to(actor.pk).in_bulk([pk for pk, _ in part])
            if len(standing) < len(part):
                raise NoSuchRecord
            revisions = [_replaced(actor, standing[pk], given, origin) for pk, given in part]
            _update(standing.values())
            _keep(revisions)


def undo_all(actor: User, reference: str, *, origin: Origin) -> None:
    """Takes back all additions and replacements made through `reference`, which touched each record once.

    Raises CannotUndo when a later change stands on any of them.
    """
    with transaction.atomic():
        lock(actor)
        changes = Revision.objects.visible_to(actor.pk).filter(reference=reference, undoes__isnull=True)
        for part in batched(changes.with_undo_state().order_by("-pk"), BATCH_ROWS):
            if not all(change.can_undo for change in part):
                raise CannotUndo
            _take_back(actor, part, origin)


def _replaced(actor: User, record: Measurement, given: Measurement, origin: Origin) -> Revision:
    before = snapshot(record)
    for column in VALUE_COLUMNS:
        setattr(record, column, getattr(given, column))
    return revision_of(actor, record, before=before, after=snapshot(record), origin=origin)


def _take_back(actor: User, changes: Sequence[Revision], origin: Origin) -> None:
    added = [change.record_id for change in changes if change.before is None]
    Measurement.objects.visible_to(actor.pk).filter(pk__in=added).delete()
    _update(restored(actor.pk, change.record_id, change.before) for change in changes if change.before)
    _keep(
        revision_of(
            actor,
            restored(actor.pk, change.record_id, change.before or change.after or {}),
            before=change.after,
            after=change.before,
            origin=origin,
            undoes=change,
        )
        for change in changes
    )


def _update(records: Iterable[Measurement]) -> None:
    """Writes the values of records that stand.

    As an upsert: `bulk_update` would write a CASE of a thousand arms for each column.
    """
    Measurement.objects.bulk_create(
        records,
        batch_size=BATCH_ROWS,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=[*VALUE_COLUMNS, "updated_at"],
    )


def _keep(revisions: Iterable[Revision]) -> None:
    Revision.objects.bulk_create(revisions, batch_size=BATCH_ROWS)


def _first_taken(actor: User, records: Sequence[Measurement]) -> Measurement:
    own = Measurement.objects.visible_to(actor.pk)
    found = (own.at(r.metric, r.measured_on, r.measured_at).first() for r in records)
    return next(record for record in found if record is not None)
