"""What may be recorded at all, and what the person is asked about first."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from django.contrib.humanize.templatetags.humanize import apnumber
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from measurements import errors
from measurements.format import metric_in_sentence, show_measurement, show_value
from measurements.metrics import METRICS, Limits, Metric, jump_allowed
from measurements.models import Measurement, MeasurementQuerySet, Profile
from measurements.numbers import MOST_DIGITS
from measurements.units import UNITS, Dimension, from_canonical, to_canonical

EARLIEST = dt.date(1970, 1, 1)
LIMIT_STEP = Decimal("0.1")


@dataclass(frozen=True, slots=True)
class Moment:
    """A day of the person's calendar and, where it is known, what their clock said.

    `offset` from UTC is what the clock was set to, where a file says it; else the person's time zone
    does.
    """

    on: dt.date
    at: dt.time | None = None
    offset: dt.timedelta | None = None


@dataclass(frozen=True, slots=True)
class NewValue:
    """A value as it was typed, in the unit in which it was typed."""

    metric: str
    value: Decimal
    unit: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something unlikely but possible. `message` asks the person whether to save it all the same."""

    metric: str
    message: str


def check(profile: Profile, moment: Moment, values: Sequence[NewValue]) -> None:
    """Raises the first error of the moment or a value: see `check_moment` and `check_value`."""
    check_moment(profile, moment)
    for value in values:
        check_value(profile, value)


def check_moment(profile: Profile, moment: Moment, *, ahead: dt.timedelta = dt.timedelta()) -> None:
    """Raises InFuture, TimeInFuture, BeforeEarliest, NoSuchTime.

    Up to `ahead` of the person's clock is no future: a file may come from a device that was set to
    another time zone.
    """
    # In UTC: arithmetic in a time zone forgets which of two equal times it began from.
    latest = profile.now().astimezone(dt.UTC) + ahead
    if moment.on > latest.astimezone(profile.zone).date():
        raise errors.InFuture(profile.today())
    if moment.on < EARLIEST:
        raise errors.BeforeEarliest(EARLIEST)
    at, _offset = instant(profile, moment)
    if at is not None and at > latest:
        raise errors.TimeInFuture


def check_value(profile: Profile, value: NewValue) -> None:
    """Raises UnknownMetric, UnitNotAccepted, OutOfRange (in the unit that the person typed)."""
    metric, _dimension, limits = _limits_of(value)
    if not _is_storable(value.value) or to_canonical(value.value, value.unit) not in limits.hard:
        # Rounded inwards: both ends that the message names are accepted.
        low = from_canonical(limits.hard.low, value.unit).quantize(LIMIT_STEP, ROUND_CEILING)
        high = from_canonical(limits.hard.high, value.unit).quantize(LIMIT_STEP, ROUND_FLOOR)
        raise errors.OutOfRange(metric.code, low, high, value.unit)


def _is_storable(value: Decimal) -> bool:
    """Whether it can be rounded to what a row holds at all: not infinite, not of hundreds of digits."""
    return value.is_finite() and value.adjusted() < MOST_DIGITS


def instant(profile: Profile, moment: Moment) -> tuple[dt.datetime | None, int | None]:
    """The instant of a moment and its UTC offset in minutes; (None, None) without a time.

    Where the clocks went back and a time came twice, the first is meant. Raises NoSuchTime where
    they went forward over it.
    """
    if moment.at is None:
        return None, None
    clock = profile.zone if moment.offset is None else dt.timezone(moment.offset)
    local = dt.datetime.combine(moment.on, moment.at, tzinfo=clock)
    at = local.astimezone(dt.UTC)
    if at.astimezone(clock).replace(tzinfo=None) != local.replace(tzinfo=None):
        raise errors.NoSuchTime(moment.at)
    offset = local.utcoffset() or dt.timedelta()
    return at, round(offset.total_seconds() / 60)


def minute_of(record: Measurement) -> dt.time | None:
    """The time of a record as a form shows it, without seconds."""
    time = record.local_time
    return time and time.replace(second=0, microsecond=0)


def doubts(
    profile: Profile, moment: Moment, values: Sequence[NewValue], *, corrects: Measurement | None = None
) -> list[Doubt]:
    """What to ask before saving: values outside the usual range, or far from their neighbour in time.

    A record that is being corrected is no neighbour: it is what was wrong.
    """
    others = Measurement.objects.visible_to(profile.user_id)
    if corrects is not None:
        others = others.exclude(pk=corrects.pk)
    return [doubt for value in values if (doubt := _doubt(profile, moment, value, others))]


def _doubt(profile: Profile, moment: Moment, value: NewValue, others: MeasurementQuerySet) -> Doubt | None:
    _metric, dimension, limits = _limits_of(value)
    canonical = to_canonical(value.value, value.unit)
    near = _nearest(others, moment.on, value.metric, dimension)
    if near is not None:
        days = abs((moment.on - near.measured_on).days)
        if abs(canonical - near.value) > jump_allowed(near.value, dimension, days):
            return Doubt(value.metric, _jump_question(profile, moment, value, near))
    if canonical not in limits.soft:
        shown = {"metric": metric_in_sentence(value.metric), "value": show_value(value.value, value.unit)}
        return Doubt(value.metric, _("Save %(metric)s %(value)s? That is an unusual value.") % shown)
    return None


def _jump_question(profile: Profile, moment: Moment, value: NewValue, near: Measurement) -> str:
    days = (moment.on - near.measured_on).days
    words = {
        "value": show_value(value.value, value.unit),
        "last": show_measurement(near, value.unit),
        # In words up to nine, as one says it: "two days ago", "hace dos días", "há dois dias".
        "days": apnumber(abs(days)),
    }
    if days == 0:
        return _("Save %(value)s? Another of that day is %(last)s.") % words
    if days < 0:
        return (
            ngettext(
                "Save %(value)s? Your next was %(last)s a day later.",
                "Save %(value)s? Your next was %(last)s %(days)s days later.",
                -days,
            )
            % words
        )
    if moment.on < profile.today():
        return (
            ngettext(
                "Save %(value)s? Your last before it was %(last)s a day earlier.",
                "Save %(value)s? Your last before it was %(last)s %(days)s days earlier.",
                days,
            )
            % words
        )
    return (
        ngettext(
            "Save %(value)s? Your last was %(last)s a day ago.",
            "Save %(value)s? Your last was %(last)s %(days)s days ago.",
            days,
        )
        % words
    )


def _nearest(
    others: MeasurementQuerySet, on: dt.date, metric: str, dimension: Dimension
) -> Measurement | None:
    """The record of the metric closest in time to a day: the last one up to it, else the first after."""
    units = [unit.code for unit in UNITS.values() if unit.dimension is dimension]
    comparable = others.filter(metric=metric, entered_unit__in=units)
    before = comparable.filter(measured_on__lte=on).in_order().last()
    after = comparable.filter(measured_on__gt=on).in_order().first()
    if before is None or after is None:
        return before or after
    return before if on - before.measured_on <= after.measured_on - on else after


def _limits_of(value: NewValue) -> tuple[Metric, Dimension, Limits]:
    metric = METRICS.get(value.metric)
    if metric is None:
        raise errors.UnknownMetric(value.metric)
    if value.unit not in metric.units:
        raise errors.UnitNotAccepted(value.metric, value.unit, metric.units)
    dimension = UNITS[value.unit].dimension
    return metric, dimension, metric.limits[dimension]
