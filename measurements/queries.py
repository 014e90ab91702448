"""What pages and tools ask of the measurements. Reads only; always for one person."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from django.contrib.auth.models import User
from django.db.models import Avg, Count, Max, Min

from measurements import daily, trend
from measurements.models import Measurement, Profile, Revision, Source
from measurements.units import CANONICAL, STORED_PLACES


def profile_of(user: User) -> Profile:
    """The person's profile; one with the defaults, not stored yet, when they never set any."""
    return Profile.objects.filter(user=user).first() or Profile(user=user)


def day(user: User, on: dt.date) -> list[Measurement]:
    """All records of one day of the person's calendar, in the order of the clock."""
    return list(Measurement.objects.visible_to(user.pk).filter(measured_on=on).in_order())


def between(user: User, metric: str, start: dt.date, end: dt.date) -> list[Measurement]:
    """The records of a metric from `start` to `end`, both included, oldest first."""
    own = Measurement.objects.visible_to(user.pk).filter(metric=metric)
    return list(own.between(start, end).in_order())


def latest(user: User, metric: str) -> Measurement | None:
    return Measurement.objects.visible_to(user.pk).filter(metric=metric).in_order().last()


def record(user: User, record_id: int) -> Measurement | None:
    """One record of the person's own; None for any other."""
    return Measurement.objects.visible_to(user.pk).filter(pk=record_id).first()


def metrics_in_use(user: User) -> list[str]:
    """The codes of the metrics that the person has records of, most used first."""
    counted = (
        Measurement.objects.visible_to(user.pk).order_by().values("metric").annotate(records=Count("pk"))
    )
    return [row["metric"] for row in counted.order_by("-records", "metric")]


@dataclass(frozen=True, slots=True)
class Summary:
    """A metric over a span of days, in the canonical `unit`. Without records all but the counts is None."""

    metric: str
    unit: str
    start: dt.date
    end: dt.date
    count: int
    missing_days: int
    first: Measurement | None
    last: Measurement | None
    least: Measurement | None
    most: Measurement | None
    mean: Decimal | None
    change_per_week: Decimal | None


def summary(
    user: User, metric: str, start: dt.date, end: dt.date, day_value: str = Profile.DayValue.MEAN
) -> Summary:
    """First, last, least, most, mean, slope and gaps. Of shares and masses mixed, the last one's kind.

    The slope is of the days, each with the value that `day_value` chooses. Reads one row a day at most.
    """
    records = Measurement.objects.visible_to(user.pk).filter(metric=metric).between(start, end)
    dimension = daily.last_dimension(records)
    if dimension is None:
        days = (end - start).days + 1
        return Summary(metric, "", start, end, 0, days, None, None, None, None, None, None)
    records = daily.of_dimension(records, dimension)
    figures = records.aggregate(count=Count("pk"), mean=Avg("value"), least=Min("value"), most=Max("value"))
    values = daily.daily(user, metric, start, end, day_value)
    slope = trend.change_per_week([(day.on, day.value) for day in values])
    in_order = records.in_order()
    return Summary(
        metric=metric,
        unit=CANONICAL[dimension],
        start=start,
        end=end,
        count=figures["count"],
        missing_days=(end - start).days + 1 - len(values),
        first=in_order.first(),
        last=in_order.last(),
        least=in_order.filter(value=figures["least"]).first(),
        most=in_order.filter(value=figures["most"]).first(),
        mean=_places(figures["mean"]),
        change_per_week=None if slope is None else _places(Decimal(slope)),
    )


def _places(value: Decimal) -> Decimal:
    return value.quantize(STORED_PLACES, ROUND_HALF_UP)


@dataclass(frozen=True, slots=True)
class Day:
    on: dt.date
    records: list[Measurement]


@dataclass(frozen=True, slots=True)
class DaysPage:
    """Some days that have records, most recent first. `older` is the `before` of the next page, if any."""

    days: list[Day]
    older: dt.date | None


def days_page(user: User, *, before: dt.date | None = None, size: int = 30) -> DaysPage:
    """The `size` most recent days with records, before a given day (not included) or of all."""
    own = Measurement.objects.visible_to(user.pk)
    if before is not None:
        own = own.filter(measured_on__lt=before)
    dates = own.order_by("-measured_on").values_list("measured_on", flat=True).distinct()
    found = list(dates[: size + 1])
    if not found:
        return DaysPage([], None)
    shown = found[:size]
    records: dict[dt.date, list[Measurement]] = {on: [] for on in shown}
    for measurement in own.between(shown[-1], shown[0]).in_order():
        records[measurement.measured_on].append(measurement)
    older = shown[-1] if len(found) > size else None
    return DaysPage([Day(on, records[on]) for on in shown], older)


def revisions_for(user: User, references: Iterable[str]) -> dict[str, list[Revision]]:
    """The changes made through each of the given references, oldest first, with their undo state."""
    found: dict[str, list[Revision]] = {reference: [] for reference in references}
    own = Revision.objects.visible_to(user.pk).filter(reference__in=found, undoes__isnull=True)
    for revision in own.with_undo_state().order_by("pk"):
        found[revision.reference].append(revision)
    return found


def references_overtaken(user: User, references: Iterable[str]) -> set[str]:
    """Through what the records changed by `references` had been changed before: no undo is possible there."""
    own = Revision.objects.visible_to(user.pk)
    changed = own.filter(reference__in=references).values("record_id")
    others = own.filter(record_id__in=changed).exclude(reference__in=references)
    return set(others.values_list("reference", flat=True))


def recent_coach_changes(user: User, limit: int = 5) -> list[Revision]:
    """The last things the Coach changed, most recent first, with their undo state."""
    own = Revision.objects.visible_to(user.pk).filter(source=Source.COACH, undoes__isnull=True)
    return list(own.with_undo_state().order_by("-pk")[:limit])


def revision(user: User, revision_id: int) -> Revision | None:
    """One change of the person's own, with its undo state; None for any other."""
    return Revision.objects.visible_to(user.pk).with_undo_state().filter(pk=revision_id).first()
