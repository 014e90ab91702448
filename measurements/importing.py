"""A file becomes records: planned first, then applied all or nothing, and undone as a whole."""

import datetime as dt
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from measurements import bulk, rules
from measurements.errors import CannotUndo, MeasurementError, NoSuchRecord
from measurements.formats.base import Parsed, Problem, Reading, Unreadable
from measurements.models import ImportBatch, Measurement, Profile, Source
from measurements.revising import Origin, value_columns
from measurements.rules import Moment, NewValue

type Key = tuple[str, dt.date, dt.datetime | None]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that is not imported, and why, in words."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """A line whose moment holds another value already."""

    line: int
    standing: Measurement
    given: Measurement


@dataclass
class Plan:
    """What importing a file would do. Nothing of it is done yet."""

    format: str
    read: int = 0
    new: list[Measurement] = field(default_factory=list)
    unchanged: int = 0
    conflicts: list[Conflict] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the file can be taken: an error, never a success."""
        return not (self.new or self.unchanged or self.conflicts)

    def report(self) -> dict[str, Any]:
        return {
            "format": self.format,
            "read": self.read,
            "added": len(self.new),
            "unchanged": self.unchanged,
            "conflicts": len(self.conflicts),
            "rejected": [{"line": r.line, "reason": r.reason} for r in self.rejected],
            "ignored": self.ignored,
        }


def plan(actor: User, profile: Profile, format_name: str, parsed: Parsed) -> Plan:
    """Compares a file with what the person has. Writes nothing."""
    planned = Plan(format_name)
    standing = {_key(record): record for record in Measurement.objects.visible_to(actor.pk).iterator()}
    seen: dict[Key, Measurement] = {}
    for line in parsed.lines:
        planned.read += 1
        if isinstance(line, Unreadable):
            planned.rejected.append(Rejected(line.line, say(line.problem)))
            continue
        try:
            given = _measurement(actor, profile, line)
        except MeasurementError as error:
            planned.rejected.append(Rejected(line.line, error.message))
            continue
        _place(planned, line.line, given, standing.get(_key(given)), seen)
    planned.ignored = sorted(parsed.ignored)
    return planned


def _place(
    planned: Plan,
    line: int,
    given: Measurement,
    standing: Measurement | None,
    seen: dict[Key, Measurement],
) -> None:
    earlier = seen.setdefault(_key(given), given)
    if earlier is not given and earlier.value != given.value:
        reason = _("The file itself has another value for the same moment.")
        planned.rejected.append(Rejected(line, reason))
    elif earlier is not given or (standing is not None and standing.value == given.value):
        planned.unchanged += 1
    elif standing is None:
        planned.new.append(given)
    else:
        planned.conflicts.append(Conflict(line, standing, given))


def _measurement(actor: User, profile: Profile, reading: Reading) -> Measurement:
    moment = Moment(reading.on, reading.at)
    value = NewValue(reading.metric, reading.value, reading.unit)
    rules.check(profile, moment, [value])
    at, offset = rules.instant(profile, moment)
    return Measurement(
        user=actor,
        metric=reading.metric,
        measured_on=reading.on,
        measured_at=at,
        utc_offset_minutes=offset,
        note=reading.note,
        source=Source.IMPORT,
        **value_columns(value),
    )


def _key(record: Measurement) -> Key:
    return record.metric, record.measured_on, record.measured_at


def apply(actor: User, planned: Plan, *, file_name: str, take_conflicts: bool = False) -> ImportBatch:
    """Does what was planned, all or nothing: adds what is new, and replaces what conflicts if asked to.

    Raises MeasurementError's AlreadyRecorded when the person's records changed since the plan.
    """
    with transaction.atomic():
        batch = ImportBatch.objects.create(
            user=actor, file_name=file_name[:255], format=planned.format, report=planned.report()
        )
        origin = Origin(Source.IMPORT, batch.reference)
        bulk.add_all(actor, planned.new, origin=origin)
        if take_conflicts:
            values = [(conflict.standing.pk, conflict.given) for conflict in planned.conflicts]
            bulk.replace_all(actor, values, origin=origin)
        return batch


def undo(actor: User, batch_id: int) -> ImportBatch:
    """Takes a whole import back. Raises NoSuchRecord; CannotUndo when something of it was changed later."""
    with transaction.atomic():
        batch = ImportBatch.objects.select_for_update().filter(user=actor, pk=batch_id).first()
        if batch is None:
            raise NoSuchRecord
        if batch.undone_at is not None:
            raise CannotUndo
        bulk.undo_all(actor, batch.reference, origin=Origin(Source.IMPORT, f"undo:{batch.pk}"))
        batch.undone_at = timezone.now()
        batch.save(update_fields=["undone_at"])
        return batch


def say(problem: Problem) -> str:
    """The reason of a format's problem, in words."""
    reasons = {
        "not_a_number": _("%(detail)s is not a number."),
        "not_a_date": _("%(detail)s is not a date."),
        "not_a_time": _("%(detail)s is not a time."),
        "not_csv": _("The line is not valid CSV."),
        "unknown_metric": _("There is no metric called %(detail)s."),
        "unknown_unit": _("There is no unit called %(detail)s."),
    }
    return reasons[problem.code] % {"detail": problem.detail or "—"}
