"""Today: the last weight and its trend, logging one, what the Coach changed last."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from gymnasia.http import PersonRequest, signed_in
from measurements import queries, services
from measurements.format import show_value
from measurements.forms import MeasurementForm
from measurements.middleware import profile_from
from measurements.models import Profile, Revision
from measurements.sentences import tell_change
from measurements.units import UNITS, from_canonical
from measurements.views.answers import redirect_with, toast_of
from measurements.views.charts import SPANS, Chart, chart_of
from measurements.views.editing import BY_FORM
from measurements.views.saving import save

PAGE = "measurements/today.html"
METRIC = "weight"
SLOPE_DAYS = 28
# Below this a week's change says nothing: the scale itself is no more exact.
STEADY_KG = Decimal("0.05")


@signed_in
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "POST"])
def today(request: PersonRequest) -> HttpResponseBase:
    profile = profile_from(request)
    if request.method == "GET":
        if request.htmx:
            return render(request, "measurements/overview.html", overview(request, profile))
        return render(request, PAGE, overview(request, profile) | {"form": log_form(profile)})
    form = log_form(profile, request)
    revisions = save(
        form,
        lambda value, moment: services.record_measurements(
            request.user,
            moment=moment,
            values=[value],
            note=form.cleaned_data["note"],
            replace=form.replaces,
            origin=BY_FORM,
        ),
    )
    if revisions is None:
        return ask_again(request, profile, form)
    return logged(request, profile, revisions)


def log_form(profile: Profile, request: PersonRequest | None = None) -> MeasurementForm:
    return MeasurementForm(request.POST if request else None, profile=profile, metric=METRIC, name="log")


def ask_again(request: PersonRequest, profile: Profile, form: MeasurementForm) -> HttpResponse:
    status = 422 if form.errors else 200
    if request.htmx:
        return render(request, PAGE + "#log", {"form": form}, status=status)
    return render(request, PAGE, overview(request, profile) | {"form": form}, status=status)


def logged(request: PersonRequest, profile: Profile, revisions: list[Revision]) -> HttpResponseBase:
    revision = revisions[0] if revisions else None
    text = _("That value was saved before.")
    if revision:
        text = tell_change(revision, figures=not profile.hide_numbers)
    toast = toast_of(text, revision)
    if not request.htmx:
        return redirect_with(toast, request, "today")
    context = overview(request, profile) | {"form": log_form(profile), "message": toast}
    return render(request, "measurements/logged.html", context)


@dataclass(frozen=True, slots=True)
class Slope:
    """Where the trend goes, in words and with an icon; the words carry the figure unless it is hidden."""

    icon: str
    text: str


def overview(request: PersonRequest, profile: Profile) -> dict[str, object]:
    on = profile.today()
    chart = chart_of(request.user, profile, METRIC, SPANS["3m"])
    return {
        "today": on,
        "latest": queries.latest(request.user, METRIC),
        "chart": chart,
        "slope": slope_of(request, profile, chart),
        "changes": queries.recent_coach_changes(request.user, 3),
    }


def slope_of(request: PersonRequest, profile: Profile, chart: Chart) -> Slope | None:
    on = profile.today()
    start = on - dt.timedelta(days=SLOPE_DAYS)
    summary = queries.summary(request.user, METRIC, start, on, profile.day_value)
    change = summary.change_per_week
    if change is None:
        return None
    if abs(change) < STEADY_KG:
        return Slope("move-right", _("steady"))
    icon = "trending-down" if change < 0 else "trending-up"
    if profile.hide_numbers:
        return Slope(icon, _("falling") if change < 0 else _("rising"))
    # A week's change is less than a stone: pounds alone say it.
    unit = "lb" if chart.unit == "st_lb" else chart.unit
    amount = show_value(from_canonical(abs(change), unit), unit, places=UNITS[unit].decimals)
    text = _("falling by %(amount)s a week") if change < 0 else _("rising by %(amount)s a week")
    return Slope(icon, text % {"amount": amount})
