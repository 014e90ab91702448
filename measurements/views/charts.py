"""A metric's chart as the pages show it: the span of days, and the points in the person's unit."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from measurements import daily
from measurements.format import show_date, show_value
from measurements.labels import UNIT_SIGNS
from measurements.models import Profile
from measurements.preferences import preferred_unit
from measurements.units import UNITS

EPOCH = dt.date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Span:
    code: str
    label: Promise
    short: Promise
    days: int | None


SPANS = {
    span.code: span
    for span in (
        Span("1m", _("1 month"), pgettext_lazy("short range", "1m"), 30),
        Span("3m", _("3 months"), pgettext_lazy("short range", "3m"), 91),
        Span("6m", _("6 months"), pgettext_lazy("short range", "6m"), 182),
        Span("1y", _("1 year"), pgettext_lazy("short range", "1y"), 365),
        Span("all", _("All days"), _("All"), None),
    )
}
DEFAULT_SPAN = "3m"


@dataclass(frozen=True, slots=True)
class Point:
    """A day's value and its trend, in the canonical unit."""

    on: dt.date
    value: float
    trend: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Points of a metric over a span, one a day, in the unit that the person reads."""

    metric: str
    span: Span
    unit: str
    points: list[Point]
    figures: bool

    @property
    def payload(self) -> dict[str, Any]:
        """What `<measurement-chart>` draws. For who hides numbers: the shape alone."""
        factor = float(UNITS[self.unit].factor)
        values = [point.value / factor for point in self.points]
        trend = [point.trend / factor for point in self.points]
        if not self.figures and values:
            low, high = min(values + trend), max(values + trend)
            height = (high - low) or 1.0
            values, trend = (
                [10 * (number - low) / height for number in numbers] for numbers in (values, trend)
            )
        return {
            "days": [(point.on - EPOCH).days for point in self.points],
            "values": [round(number, 3) for number in values],
            "trend": [round(number, 3) for number in trend],
            "unit": self.unit,
            "symbol": str(UNIT_SIGNS[self.unit]),
            "places": UNITS[self.unit].decimals,
            "figures": self.figures,
        }

    @property
    def spans(self) -> list[Span]:
        """What could be chosen instead."""
        return list(SPANS.values())

    @property
    def last_index(self) -> int:
        return len(self.points) - 1

    @property
    def last(self) -> "Row | None":
        return self._row(self.points[-1]) if self.points else None

    @property
    def rows(self) -> list["Row"]:
        """The same points as a table, most recent first."""
        return [self._row(point) for point in reversed(self.points)]

    def _row(self, point: Point) -> "Row":
        return Row(show_date(point.on), self._shown(point.value), self._shown(point.trend))

    def _shown(self, number: float) -> str:
        unit = UNITS[self.unit]
        return show_value(Decimal(str(number)) / unit.factor, self.unit, places=unit.decimals)


@dataclass(frozen=True, slots=True)
class Row:
    date: str
    value: str
    trend: str


def chart_of(user: User, profile: Profile, metric: str, span: Span) -> Chart:
    today = profile.today()
    start = None if span.days is None else today - dt.timedelta(days=span.days)
    data = daily.trended(user, metric, start, today, profile.day_value)
    points = [Point(day.on, day.value, level) for day, level in zip(data.days, data.levels, strict=True)]
    return Chart(metric, span, preferred_unit(profile, data.unit), points, figures=not profile.hide_numbers)
