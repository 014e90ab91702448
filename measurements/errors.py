"""What can be wrong with a change or a question, as types. `message` is safe and in the active language."""

import datetime as dt
from decimal import Decimal

from django.utils.translation import gettext as _

from measurements.format import metric_in_sentence, metric_name, show_date, show_measurement, show_value
from measurements.models import Measurement


class MeasurementError(Exception):
    """Base of all. `field` names what the person has to change: metric, value, unit, date or time."""

    field = ""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NothingRecorded(MeasurementError):
    field = "date"

    def __init__(self, on: dt.date) -> None:
        super().__init__(
            _("There is no record for %(date)s. This says nothing about other dates.")
            % {"date": show_date(on)}
        )


class MetricNotRecorded(MeasurementError):
    field = "metric"

    def __init__(self, metric: str, on: dt.date) -> None:
        super().__init__(
            _("%(date)s has records, but none of %(metric)s. This says nothing about other dates.")
            % {"date": show_date(on), "metric": metric_in_sentence(metric)}
        )


class AlreadyRecorded(MeasurementError):
    field = "value"

    def __init__(self, standing: Measurement) -> None:
        super().__init__(
            _("Another value is already there: %(metric)s %(value)s on %(date)s. It was not replaced.")
            % {
                "metric": metric_in_sentence(standing.metric),
                "value": show_measurement(standing),
                "date": show_date(standing.measured_on),
            }
        )
        self.standing = standing


class UnknownMetric(MeasurementError):
    field = "metric"

    def __init__(self, metric: str) -> None:
        super().__init__(_("There is no metric called %(metric)s.") % {"metric": metric[:40]})


class UnitNotAccepted(MeasurementError):
    field = "unit"

    def __init__(self, metric: str, unit: str, accepted: tuple[str, ...]) -> None:
        super().__init__(
            _("%(metric)s cannot be in %(unit)s. Use one of: %(accepted)s.")
            % {"metric": metric_name(metric), "unit": unit[:20], "accepted": ", ".join(accepted)}
        )


class OutOfRange(MeasurementError):
    field = "value"

    def __init__(self, metric: str, low: Decimal, high: Decimal, unit: str) -> None:
        super().__init__(
            _("%(metric)s must be between %(low)s and %(high)s.")
            % {
                "metric": metric_name(metric),
                "low": show_value(low, unit, places=1),
                "high": show_value(high, unit, places=1),
            }
        )


class InFuture(MeasurementError):
    field = "date"

    def __init__(self, today: dt.date) -> None:
        super().__init__(
            _("The date is in the future. Use today, %(date)s, or earlier.") % {"date": show_date(today)}
        )


class TimeInFuture(MeasurementError):
    field = "time"

    def __init__(self) -> None:
        super().__init__(_("That time is still to come today. Use now or earlier."))


class BeforeEarliest(MeasurementError):
    field = "date"

    def __init__(self, earliest: dt.date) -> None:
        super().__init__(
            _("The date is too long ago. Use %(date)s or later.") % {"date": show_date(earliest)}
        )


class NoSuchTime(MeasurementError):
    field = "time"

    def __init__(self, at: dt.time) -> None:
        super().__init__(
            _("There was no %(time)s that day: the clocks went forward. Use a time before or after.")
            % {"time": at.strftime("%H:%M")}
        )


class AmbiguousMoment(MeasurementError):
    field = "time"

    def __init__(self, metric: str, on: dt.date, times: list[str]) -> None:
        super().__init__(
            _("%(date)s has several records of %(metric)s. Say which time: %(times)s.")
            % {"date": show_date(on), "metric": metric_in_sentence(metric), "times": ", ".join(times)}
        )


class NoSuchRecord(MeasurementError):
    """The record is not there (any more), or is not this person's."""

    def __init__(self) -> None:
        super().__init__(_("This record is not there any more. Nothing was changed."))


class KeyReused(MeasurementError):
    """The key was sent before, with something else."""

    field = "key"

    def __init__(self) -> None:
        super().__init__(
            _("This key was sent before with another content. Use a new key. Nothing was changed.")
        )


class CannotUndo(MeasurementError):
    """A later change stands on the record, or another record stands where it was."""

    def __init__(self, standing: Measurement | None = None) -> None:
        super().__init__(_later_change() if standing is None else _taken(standing))


def _later_change() -> str:
    return _("This cannot be undone any more, because a later change stands on it. Nothing was changed.")


def _taken(standing: Measurement) -> str:
    return _(
        "This cannot be undone, because another value of %(metric)s stands on %(date)s. Nothing was changed."
    ) % {"metric": metric_in_sentence(standing.metric), "date": show_date(standing.measured_on)}
