"""A file becomes records: planned first, then applied all or nothing, and undone as a whole."""

import datetime as dt
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from itertools import batched
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from measurements import bulk, rules
from measurements.errors import CannotUndo, MeasurementError, NoSuchRecord
from measurements.formats.base import Ask, Blank, Line, Parsed, Reading, Repeated, Role, Settings, Unreadable
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.registry import Opened
from measurements.models import ImportBatch, Measurement, Profile, Source
from measurements.reasons import say
from measurements.revising import Origin
from measurements.rules import Moment, NewValue
from measurements.units import STORED_PLACES, to_canonical

# A device may have been set to another time zone than the person's.
AHEAD: Final = dt.timedelta(days=1)
RECORDS_AT_ONCE: Final = 5_000

type Key = tuple[str, dt.date, dt.datetime | None]


class Refused(MeasurementError):
    """Nothing of the file is read."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(say(problem))


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that is not imported, and why, in words. `part` is its file, of a zip with several."""

    line: int
    reason: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """A value of the file that could be recorded. As slim as can be: a file may hold very many."""

    line: int
    metric: str
    value: Decimal
    entered_value: Decimal
    entered_unit: str
    on: dt.date
    at: dt.datetime | None
    offset: int | None
    note: str
    source: str

    @property
    def key(self) -> Key:
        return self.metric, self.on, self.at

    def record_of(self, actor: User) -> Measurement:
        return Measurement(
            user=actor,
            metric=self.metric,
            value=self.value,
            entered_value=self.entered_value,
            entered_unit=self.entered_unit,
            measured_on=self.on,
            measured_at=self.at,
            utc_offset_minutes=self.offset,
            note=self.note,
            source=self.source,
        )


@dataclass(frozen=True, slots=True)
class Conflict:
    """A value whose moment holds another one already, in the record `record_id`."""

    record_id: int
    given: Given


@dataclass
class Plan:
    """What importing a file would do. Nothing of it is done yet.

    `read` counts values, and `rows` the lines that they stand in. `asks` is what the file does not
    say and was taken from the settings.
    """

    format: str
    read: int = 0
    rows: int = 0
    first: dt.date | None = None
    last: dt.date | None = None
    metrics: Counter[str] = field(default_factory=Counter)
    new: list[Given] = field(default_factory=list)
    unchanged: int = 0
    conflicts: list[Conflict] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    asks: set[Ask] = field(default_factory=set)
    columns: Sequence[Role] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be taken, whatever the person decides: an error, never a success."""
        return not (self.new or self.unchanged or self.conflicts)

    @property
    def can_import(self) -> bool:
        """Whether there is anything that is not recorded as the file says."""
        return bool(self.new or self.conflicts)

    @property
    def conflicting(self) -> list[int]:
        """The records that another value is given for."""
        return [conflict.record_id for conflict in self.conflicts]

    def report(self) -> dict[str, Any]:
        return {
            "format": self.format,
            "read": self.read,
            "rows": self.rows,
            "first": self.first and self.first.isoformat(),
            "last": self.last and self.last.isoformat(),
            "metrics": dict(sorted(self.metrics.items())),
            "added": len(self.new),
            "unchanged": self.unchanged,
            "conflicts": len(self.conflicts),
            "rejected": [_as_json(rejected) for rejected in self.rejected],
            "ignored": self.ignored,
        }


def _as_json(rejected: Rejected) -> dict[str, Any]:
    told = {"line": rejected.line, "reason": rejected.reason}
    return told | {"part": rejected.part} if rejected.part else told


def settings_for(
    profile: Profile,
    mass_unit: str = "",
    *,
    length_unit: str = "",
    day_first: bool | None = None,
    columns: dict[int, str] | None = None,
) -> Settings:
    """The person's answers; where there is none, what the profile says.

    Who reads stones and pounds gets files in stones: no file writes the total of pounds for them.
    """
    usual_mass = "st" if profile.mass_unit == "st_lb" else profile.mass_unit
    return Settings(
        profile.zone, mass_unit or usual_mass, length_unit or profile.length_unit, day_first, columns
    )


def plan(actor: User, profile: Profile, opened: Opened, settings: Settings) -> Plan:
    """Compares a file with what the person has. Writes nothing. Raises Refused and formats.base.Question."""
    planned = Plan(opened.format.name)
    comparison = _Comparison(planned, actor, profile)
    try:
        for source in opened.sources:
            part = source.member if len(opened.sources) > 1 else ""
            parsed = opened.format.parse(source, settings)
            comparison.add(parsed, part)
    except Problem as problem:
        raise Refused(problem) from problem
    planned.ignored.sort()
    return planned


class _Comparison:
    """The values of a file, one after the other, beside those of the person and those before it."""

    def __init__(self, planned: Plan, actor: User, profile: Profile) -> None:
        self.planned = planned
        self.profile = profile
        self.standing = {key: (pk, value) for key, pk, value in _standing(actor)}
        self.seen: dict[Key, Decimal] = {}

    def add(self, parsed: Parsed, part: str) -> None:
        planned, last_line = self.planned, 0
        for line in parsed.lines:
            planned.read += not isinstance(line, Blank)
            planned.rows += line.line != last_line
            last_line = line.line
            reason = self._take(line)
            if reason:
                planned.rejected.append(Rejected(line.line, reason, part))
        planned.ignored.extend(parsed.ignored.difference(planned.ignored))
        planned.asks |= parsed.asks
        planned.columns = parsed.columns

    def _take(self, line: Line) -> str:
        """Counts a line where it belongs. Gives the reason where it can't be taken."""
        if isinstance(line, Unreadable):
            return say(line.problem)
        if isinstance(line, Blank):
            return ""
        if isinstance(line, Repeated):
            self.planned.unchanged += 1
            return ""
        try:
            given = _given(self.profile, line)
        except MeasurementError as error:
            return error.message
        except Problem as problem:
            return say(problem)
        return self._place(given)

    def _place(self, given: Given) -> str:
        planned = self.planned
        earlier = self.seen.setdefault(given.key, given.value)
        if earlier != given.value:
            return say(Problem(ProblemCode.OTHER_VALUE_IN_FILE))
        planned.metrics[given.metric] += 1
        planned.first = min(planned.first or given.on, given.on)
        planned.last = max(planned.last or given.on, given.on)
        record_id, value = self.standing.get(given.key, (0, None))
        if value == given.value or earlier is not given.value:
            planned.unchanged += 1
        elif value is None:
            planned.new.append(given)
        else:
            planned.conflicts.append(Conflict(record_id, given))
        return ""


def _standing(actor: User) -> Iterator[tuple[Key, int, Decimal]]:
    rows = Measurement.objects.visible_to(actor.pk).values_list(
        "metric", "measured_on", "measured_at", "pk", "value"
    )
    for metric, on, at, pk, value in rows.iterator():
        # One text for each metric, not one for each row.
        yield (sys.intern(metric), on, at), pk, value


def _given(profile: Profile, reading: Reading) -> Given:
    """Raises MeasurementError for what may not be recorded, Problem for a note that can't be kept."""
    moment = Moment(reading.on, reading.at, _offset(profile, reading))
    rules.check_moment(profile, moment, ahead=AHEAD)
    rules.check_value(profile, NewValue(reading.metric, reading.value, reading.unit))
    _check_note(reading.note)
    at, offset = rules.instant(profile, moment)
    return Given(
        line=reading.line,
        metric=reading.metric,
        value=to_canonical(reading.value, reading.unit),
        entered_value=reading.value.quantize(STORED_PLACES, ROUND_HALF_UP),
        entered_unit=reading.unit,
        on=reading.on,
        at=at,
        offset=offset,
        note=reading.note,
        source=reading.source if reading.source in Source.values else Source.IMPORT,
    )


def _offset(profile: Profile, reading: Reading) -> dt.timedelta | None:
    """The file's, else the one of the person's time zone, so that a time which was skipped there when
    the clocks went forward is kept all the same: the file may be from elsewhere."""
    if reading.at is None or reading.offset is not None:
        return reading.offset
    return dt.datetime.combine(reading.on, reading.at, tzinfo=profile.zone).utcoffset()


def _check_note(note: str) -> None:
    if "\0" in note:
        raise Problem(ProblemCode.NOTE_UNKEEPABLE)
    try:
        note.encode()
    except UnicodeEncodeError:
        raise Problem(ProblemCode.NOTE_UNKEEPABLE) from None


def apply(actor: User, planned: Plan, *, file_name: str, replaced: Collection[int] = ()) -> ImportBatch:
    """Does what was planned, all or nothing: adds what is new, and puts the file's values into those of
    the conflicting records that are `replaced`.

    Raises AlreadyRecorded or NoSuchRecord when the person's records changed since the plan.
    """
    chosen = set(replaced)
    taken = [conflict for conflict in planned.conflicts if conflict.record_id in chosen]
    with transaction.atomic():
        batch = ImportBatch.objects.create(
            user=actor,
            file_name=file_name[:255],
            format=planned.format,
            report=planned.report() | {"replaced": len(taken)},
        )
        origin = Origin(Source.IMPORT, batch.reference)
        for some in batched(planned.new, RECORDS_AT_ONCE):
            bulk.add_all(actor, [given.record_of(actor) for given in some], origin=origin)
        values = [(conflict.record_id, conflict.given.record_of(actor)) for conflict in taken]
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
