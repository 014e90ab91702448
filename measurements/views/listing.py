"""Reading what was measured: the page of a metric, its table, one day."""

import datetime as dt

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from gymnasia.http import PersonRequest, signed_in
from measurements import queries
from measurements.metrics import METRICS
from measurements.middleware import profile_from
from measurements.views.charts import DEFAULT_SPAN, SPANS, Chart, chart_of
from measurements.views.editing import add_form

PAGE = "measurements/measurements.html"
TABLE_PAGE = "measurements/table.html"
DAY_PAGE = "measurements/day.html"
DEFAULT_METRIC = "weight"


@signed_in
@vary_on_headers("HX-Request")
@require_GET
def measurements(request: PersonRequest) -> HttpResponse:
    """The page; for htmx, the next days of the list."""
    page = queries.days_page(request.user, before=_day_asked_for(request))
    chosen = metric_asked_for(request)
    if request.htmx:
        return render(request, PAGE + "#days", {"page": page, "metric": chosen, "is_more": True})
    profile = profile_from(request)
    used = queries.metrics_in_use(request.user)
    context = {
        "metric": chosen,
        # Those that the person measures come first, so that a phone shows them without scrolling.
        "metrics": sorted(METRICS, key=lambda code: code not in {DEFAULT_METRIC, chosen, *used}),
        "chart": _chart_asked_for(request),
        "page": page,
        "add": add_form(profile, chosen),
    }
    return render(request, PAGE, context)


@signed_in
@vary_on_headers("HX-Request")
@require_GET
def chart(request: PersonRequest) -> HttpResponse:
    """The chart alone, for who shows it beside something else and to fetch it again after a change."""
    return render(request, PAGE + "#chart", {"chart": _chart_asked_for(request)})


@signed_in
@vary_on_headers("HX-Request")
@require_GET
def table(request: PersonRequest) -> HttpResponse:
    """The chart's data as a table: in place of the link to it, or as a page."""
    fragment = "#table" if request.htmx else ""
    return render(request, TABLE_PAGE + fragment, {"chart": _chart_asked_for(request)})


@signed_in
@vary_on_headers("HX-Request")
@require_GET
def day(request: PersonRequest, on: dt.date) -> HttpResponse:
    found = queries.Day(on, queries.day(request.user, on))
    if request.htmx:
        return render(request, PAGE + "#day", {"day": found})
    return render(
        request, DAY_PAGE, {"day": found, "add": add_form(profile_from(request), DEFAULT_METRIC, on)}
    )


def metric_asked_for(request: HttpRequest) -> str:
    """The metric in the address; weight where there is none, or none that exists."""
    metric = request.GET.get("metric", DEFAULT_METRIC)
    return metric if metric in METRICS else DEFAULT_METRIC


def _chart_asked_for(request: PersonRequest) -> Chart:
    span = SPANS.get(request.GET.get("range", ""), SPANS[DEFAULT_SPAN])
    return chart_of(request.user, profile_from(request), metric_asked_for(request), span)


def _day_asked_for(request: HttpRequest) -> dt.date | None:
    try:
        return parse_date(request.GET.get("before", ""))
    except ValueError:
        return None
