"""The figures that follow from what was measured, each with what it came from."""

import datetime as dt
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from gymnasia.http import PersonRequest, signed_in
from measurements.derived import Derived, Input, Lack
from measurements.deriving import LACKS, NAMES, derived_of, show_derived
from measurements.format import show_value
from measurements.middleware import profile_from
from measurements.models import Profile
from measurements.preferences import preferred_unit
from measurements.units import CANONICAL, UNITS, Dimension, from_canonical


@dataclass(frozen=True, slots=True)
class Source:
    """A record that a figure came from, as the page names it."""

    metric: str
    value: str
    record_id: int
    on: dt.date
    age: str


@dataclass(frozen=True, slots=True)
class Card:
    name: str
    figure: str
    is_estimate: bool
    assumes_adult: bool
    lacks: list[str]
    asks_settings: bool
    sources: list[Source]


@signed_in
@require_GET
def derived(request: PersonRequest) -> HttpResponse:
    profile = profile_from(request)
    cards = [_card(figure, profile) for figure in derived_of(request.user)]
    return render(request, "measurements/derived.html", {"cards": cards})


def _card(figure: Derived, profile: Profile) -> Card:
    return Card(
        name=str(NAMES[figure.code]),
        figure=show_derived(figure),
        is_estimate=figure.is_estimate,
        assumes_adult=figure.assumes_adult and figure.value is not None,
        lacks=[str(LACKS[lack]) for lack in figure.lacks],
        asks_settings=Lack.SEX in figure.lacks,
        sources=[_source(one, profile) for one in figure.inputs],
    )


def _source(one: Input, profile: Profile) -> Source:
    dimension = Dimension.MASS if one.metric == "weight" else Dimension.LENGTH
    unit = preferred_unit(profile, CANONICAL[dimension])
    value = show_value(from_canonical(one.value, unit), unit, places=UNITS[unit].decimals)
    return Source(one.metric, value, one.record_id, one.on, _age((profile.today() - one.on).days))


def _age(days: int) -> str:
    if days <= 0:
        return _("today")
    return ngettext("%(days)s day ago", "%(days)s days ago", days) % {"days": days}
