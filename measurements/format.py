"""Values and dates as people read them, in the active language."""

import datetime as dt
from decimal import ROUND_HALF_UP, Decimal

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from measurements.labels import METRIC_NAMES, UNIT_SIGNS
from measurements.models import Measurement
from measurements.units import UNITS, convert, split_stones

NO_BREAK_SPACE = "\u00a0"


def show_number(value: Decimal, places: int) -> str:
    """At most `places` decimals, and none that say nothing: 76, 81.4, 81,45 where the comma is usual."""
    rounded = value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    exact = rounded.normalize()
    shown = exact if exact.as_tuple().exponent <= 0 else exact.quantize(Decimal(1))  # type: ignore[operator]  # finite
    return number_format(shown, decimal_pos=None, use_l10n=True)


def show_value(value: Decimal, unit: str, *, places: int | None = None) -> str:
    """`value` with its sign. Without `places`, as many decimals as were typed, to four."""
    decimals = 4 if places is None else places
    if unit == "st_lb":
        stones, pounds = split_stones(value, decimals)
        return _("%(stones)s st %(pounds)s lb") % {"stones": stones, "pounds": show_number(pounds, decimals)}
    number = show_number(value, decimals)
    sign = str(UNIT_SIGNS[unit])
    return f"{number}{NO_BREAK_SPACE}{sign}" if sign else number


def show_measurement(measurement: Measurement, unit: str | None = None) -> str:
    """As typed where the unit is the one asked for (or none is asked for); else converted and rounded."""
    if unit is None or UNITS[unit].dimension is not UNITS[measurement.entered_unit].dimension:
        unit = measurement.entered_unit
    if unit == measurement.entered_unit:
        return show_value(measurement.entered_value, unit)
    converted = convert(measurement.entered_value, measurement.entered_unit, unit)
    return show_value(converted, unit, places=UNITS[unit].decimals)


def show_snapshot(snapshot: dict[str, str]) -> str:
    """The value of a revision's `before` or `after`, as it was typed."""
    return show_value(Decimal(snapshot["entered_value"]), snapshot["entered_unit"])


def metric_name(metric: str) -> str:
    """As a heading or a label has it: Weight."""
    return str(METRIC_NAMES.get(metric, metric))


def metric_in_sentence(metric: str) -> str:
    """As it stands inside a sentence: weight 81.4 kg."""
    name = metric_name(metric)
    return name[:1].lower() + name[1:]


def show_date(day: dt.date) -> str:
    """Thu 2 Jan 2020, in the order and words of the language."""
    return date_format(day, pgettext("date format: weekday, day, month, year", "D j M Y"))


def show_time(time: dt.time) -> str:
    return time.strftime("%H:%M")
