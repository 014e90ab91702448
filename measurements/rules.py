"""What may be recorded at all, and what the person is asked about first."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from measurements import errors
from measurements.format import metric_name, show_measurement, show_value
from measurements.metrics import METRICS, Limits, Metric, jump_allowed
from measurements.models import Measurement, Profile
from measurements.units import UNITS, Dimension, from_canonical, to_canonical

EARLIEST = dt.date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Moment:
    """A day of the person's calendar and, where it is known, what their clock said."""

    on: dt.date
    at: dt.time | None = None


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


def check_moment(profile: Profile, moment: Moment) -> None:
    """Raises InFuture, TimeInFuture, BeforeEarliest, NoSuchTime."""
    now = profile.now()
    if moment.on > now.date():
        raise errors.InFuture(now.date())
    if moment.on < EARLIEST:
        raise errors.BeforeEarliest(EARLIEST)
    if moment.on == now.date() and moment.at and moment.at > now.time():
        raise errors.TimeInFuture
    instant(profile, moment)


def check_value(profile: Profile, value: NewValue) -> None:
    """Raises UnknownMetric, UnitNotAccepted, OutOfRange (in the unit that the person typed)."""
    metric, _dimension, limits = _limits_of(value)
    canonical = to_canonical(value.value, value.unit)
    if canonical not in limits.hard:
        low, high = (from_canonical(end, value.unit) for end in (limits.hard.low, limits.hard.high))
        raise errors.OutOfRange(metric.code, low, high, value.unit)


def instant(profile: Profile, moment: Moment) -> tuple[dt.datetime | None, int | None]:
    """The instant of a moment and its UTC offset in minutes; (None, None) without a time.

    Where the clocks went back and a time came twice, the first is meant. Raises NoSuchTime where
    they went forward over it.
    """
    if moment.at is None:
        return None, None
    local = dt.datetime.combine(moment.on, moment.at, tzinfo=profile.zone)
    at = local.astimezone(dt.UTC)
    if at.astimezone(profile.zone).replace(tzinfo=None) != local.replace(tzinfo=None):
        raise errors.NoSuchTime(moment.at)
    offset = local.utcoffset() or dt.timedelta()
    return at, round(offset.total_seconds() / 60)


def minute_of(record: Measurement) -> dt.time | None:
    """The time of a record as a form shows it, without seconds."""
    time = record.local_time
    return time and time.replace(second=0, microsecond=0)


def doubts(profile: Profile, moment: Moment, values: Sequence[NewValue]) -> list[Doubt]:
    """What to ask before saving: values outside the usual range, or far from their neighbour in time."""
    return [doubt for value in values if (doubt := _doubt(profile, moment, value))]


def _doubt(profile: Profile, moment: Moment, value: NewValue) -> Doubt | None:
    _metric, dimension, limits = _limits_of(value)
    canonical = to_canonical(value.value, value.unit)
    near = _nearest(profile, moment.on, value.metric, dimension)
    shown = {"metric": metric_name(value.metric), "value": show_value(value.value, value.unit)}
    if near is not None:
        days = abs((moment.on - near.measured_on).days)
        if abs(canonical - near.value) > jump_allowed(near.value, dimension, days):
            return Doubt(value.metric, _jump_question(profile, moment, near, shown))
    if canonical not in limits.soft:
        return Doubt(value.metric, _("Save %(metric)s %(value)s? That is an unusual value.") % shown)
    return None


def _jump_question(profile: Profile, moment: Moment, near: Measurement, shown: dict[str, str]) -> str:
    unit = profile.mass_unit if UNITS[near.entered_unit].dimension is Dimension.MASS else None
    shown = {**shown, "last": show_measurement(near, unit)}
    days = (moment.on - near.measured_on).days
    if days == 0:
        return _("Save %(value)s? Another of that day is %(last)s.") % shown
    if days > 0:
        return ngettext(
            "Save %(value)s? Your last was %(last)s %(days)s day ago.",
            "Save %(value)s? Your last was %(last)s %(days)s days ago.",
            days,
        ) % {**shown, "days": days}
    return ngettext(
        "Save %(value)s? Your next was %(last)s %(days)s day later.",
        "Save %(value)s? Your next was %(last)s %(days)s days later.",
        -days,
    ) % {**shown, "days": -days}


def _nearest(profile: Profile, on: dt.date, metric: str, dimension: Dimension) -> Measurement | None:
    """The record of the metric closest in time to a day: the last one up to it, else the first after."""
    units = [unit.code for unit in UNITS.values() if unit.dimension is dimension]
    own = Measurement.objects.visible_to(profile.user_id).filter(metric=metric, entered_unit__in=units)
    before = own.filter(measured_on__lte=on).in_order().last()
    after = own.filter(measured_on__gt=on).in_order().first()
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
