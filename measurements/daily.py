"""One value a day of one metric, worked out in the database: what trends and charts are made of.

Whatever the number of records, two questions to the database, and never more rows than the range
has days.
"""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Avg, Case, F, FloatField, IntegerField, Max, Min, When, Window
from django.db.models.expressions import OrderBy
from django.db.models.functions import Cast, RowNumber

from measurements import trend
from measurements.models import Measurement, MeasurementQuerySet, Profile, Source
from measurements.units import CANONICAL, UNITS, Dimension

WARM_UP = dt.timedelta(days=40 * trend.TIME_CONSTANT_DAYS)
"""What is older weighs less than e⁻⁴⁰ in an exponential trend, which a float cannot hold beside 1."""


class DailyValue(NamedTuple):
    """The value that counts for a day, its sources, and the least and most of its records.

    In the canonical unit. `sources` are values of Source, in its order.
    """

    on: dt.date
    value: float
    sources: tuple[str, ...]
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Trended:
    """Days of a metric in its canonical `unit`, and the level of the trend on each of them."""

    unit: str
    days: list[DailyValue]
    levels: list[float]


def daily(
    user: User, metric: str, start: dt.date, end: dt.date, day_value: str = Profile.DayValue.MEAN
) -> list[DailyValue]:
    """One value for each day with records from `start` to `end`, both included, oldest first.

    `day_value`, one of Profile.DayValue, says which of a day's records counts. Of shares and masses
    mixed, those of the last record's kind alone.
    """
    records = Measurement.objects.visible_to(user.pk).filter(metric=metric).between(start, end)
    dimension = last_dimension(records)
    return _by_day(of_dimension(records, dimension), day_value) if dimension else []


def trended(
    user: User, metric: str, start: dt.date | None, end: dt.date, day_value: str = Profile.DayValue.MEAN
) -> Trended:
    """The days from `start` (None: from the first) to `end`, with a trend that knows what came before.

    A range costs its own days and those of the warm-up, however long the person has measured.
    """
    records = Measurement.objects.visible_to(user.pk).filter(metric=metric, measured_on__lte=end)
    dimension = last_dimension(records)
    if dimension is None:
        return Trended(CANONICAL[Dimension.MASS], [], [])
    if start is not None:
        records = records.filter(measured_on__gte=max(start, dt.date.min + WARM_UP) - WARM_UP)
    days = _by_day(of_dimension(records, dimension), day_value)
    levels = [level for _on, level in trend.exponential([(day.on, day.value) for day in days])]
    before = 0 if start is None else sum(day.on < start for day in days)
    return Trended(CANONICAL[dimension], days[before:], levels[before:])


def last_dimension(records: MeasurementQuerySet) -> Dimension | None:
    """What the last of the records measures: a mass, a share… None where there is no record."""
    unit = records.in_order().reverse().values_list("entered_unit", flat=True).first()
    return None if unit is None else UNITS[unit].dimension


def of_dimension(records: MeasurementQuerySet, dimension: Dimension) -> MeasurementQuerySet:
    return records.filter(
        entered_unit__in=[unit.code for unit in UNITS.values() if unit.dimension is dimension]
    )


def _by_day(records: MeasurementQuerySet, day_value: str) -> list[DailyValue]:
    moment, entry = F("measured_at"), F("pk")
    match day_value:
        case Profile.DayValue.FIRST:
            return _firsts(records, moment.asc(nulls_first=True), entry.asc())
        case Profile.DayValue.LAST:
            return _firsts(records, moment.desc(nulls_last=True), entry.desc())
        case _:
            return _means(records)


def _means(records: MeasurementQuerySet) -> list[DailyValue]:
    rows = (
        records.order_by()
        .values("measured_on")
        .annotate(
            mean=Avg("value", output_field=FloatField()),
            low=Min("value", output_field=FloatField()),
            high=Max("value", output_field=FloatField()),
            **{f"by_{source}": Max(_is_from(source)) for source in Source},
        )
        .order_by("measured_on")
        .values_list("measured_on", "mean", "low", "high", *(f"by_{source}" for source in Source))
    )
    return _daily_values(rows)


def _firsts(records: MeasurementQuerySet, *order: OrderBy) -> list[DailyValue]:
    """The record of each day that comes first in that order."""
    day = F("measured_on")
    rows = (
        records.annotate(
            place=Window(RowNumber(), partition_by=day, order_by=order),
            counts=Cast("value", FloatField()),
            low=Window(Min("value", output_field=FloatField()), partition_by=day),
            high=Window(Max("value", output_field=FloatField()), partition_by=day),
            **{f"by_{source}": Window(Max(_is_from(source)), partition_by=day) for source in Source},
        )
        .filter(place=1)
        .order_by("measured_on")
        .values_list("measured_on", "counts", "low", "high", *(f"by_{source}" for source in Source))
    )
    return _daily_values(rows)


def _is_from(source: Source) -> Case:
    return Case(When(source=source, then=1), default=0, output_field=IntegerField())


def _daily_values(rows: Iterable[tuple[dt.date, float, float, float, *tuple[int, ...]]]) -> list[DailyValue]:
    """`rows`: day, value, least, most, and for each of Source whether it wrote in that day."""
    found = []
    for on, value, low, high, *flags in rows:
        sources = tuple(source.value for source, flag in zip(Source, flags, strict=True) if flag)
        # The division of a mean may leave the range of its terms by the last bit of a float.
        found.append(DailyValue(on, min(max(value, low), high), sources, low, high))
    return found
