"""The history of a record, as a page that is renewed when something is undone."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from gymnasia.http import PersonRequest, signed_in
from measurements import queries
from measurements.history import history_of
from measurements.middleware import profile_from

PAGE = "measurements/history.html"


@signed_in
@vary_on_headers("HX-Request")
@require_GET
def history(request: PersonRequest, pk: int) -> HttpResponse:
    steps = history_of(request.user, profile_from(request), pk)
    if not steps:
        raise Http404
    context = {
        "pk": pk,
        "record": queries.record(request.user, pk),
        "last": steps[-1].revision,
        "steps": steps,
    }
    return render(request, PAGE + ("#steps" if request.htmx else ""), context)
