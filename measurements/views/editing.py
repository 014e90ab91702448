"""Changing what was measured: add, edit, remove, undo. In place over htmx, and as plain forms without."""

import datetime as dt

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from gymnasia.http import PersonRequest, signed_in
from measurements import queries, services
from measurements.errors import CannotUndo, NoSuchRecord
from measurements.forms import MeasurementForm, initial_of
from measurements.metrics import METRICS
from measurements.middleware import profile_from
from measurements.models import Measurement, Profile, Source
from measurements.services import Origin
from measurements.views.answers import answer_change, answer_no_change, toast_of
from measurements.views.saving import save

ADD_PAGE = "measurements/add.html"
EDIT_PAGE = "measurements/edit.html"
BY_FORM = Origin(Source.FORM)


def add_form(
    profile: Profile, metric: str, on: dt.date | None = None, data: QueryDict | None = None
) -> MeasurementForm:
    now = profile.now()
    initial = {"date": on or now.date(), "time": None if on else now.time()}
    return MeasurementForm(data, profile=profile, metric=metric, name="add", initial=initial)


@signed_in
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "POST"])
def add_measurement(request: PersonRequest, metric: str) -> HttpResponseBase:
    if metric not in METRICS:
        raise Http404
    profile = profile_from(request)
    if request.method == "GET":
        return render(request, ADD_PAGE, {"add": add_form(profile, metric)})
    form = add_form(profile, metric, data=request.POST)
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
        page = ADD_PAGE + ("#add" if request.htmx else "")
        return render(request, page, {"add": form, "open": True}, status=422 if form.errors else 200)
    back_to = reverse("measurements", query={"metric": metric})
    fresh = add_form(profile, metric)
    if not revisions:
        toast = toast_of(_("That value was saved before."))
        return answer_no_change(request, toast, back_to=back_to, add=fresh)
    return answer_change(request, revisions[0], back_to=back_to, add=fresh)


@signed_in
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "POST"])
def edit_measurement(request: PersonRequest, pk: int) -> HttpResponseBase:
    record = _own_record(request, pk)
    form = MeasurementForm(
        request.POST if request.method == "POST" else None,
        profile=profile_from(request),
        metric=record.metric,
        name=f"edit-{pk}",
        initial=initial_of(record),
    )
    # In an edit, no date would not mean "now".
    form.fields["date"].required = True
    if not form.is_bound:
        return _show_edit(request, record, form)
    saved = save(
        form,
        lambda value, moment: [
            services.correct_measurement(
                request.user,
                record_id=pk,
                value=value,
                moment=moment,
                note=form.cleaned_data["note"],
                origin=BY_FORM,
            )
        ],
        corrects=record,
    )
    if saved is None:
        return _show_edit(request, record, form)
    back_to = _day_address(record.measured_on)
    if (revision := saved[0]) is None:
        days = [queries.Day(record.measured_on, queries.day(request.user, record.measured_on))]
        return answer_no_change(request, toast_of(_("Nothing was changed.")), back_to=back_to, days=days)
    return answer_change(request, revision, back_to=back_to, focus_day=True)


def _show_edit(request: PersonRequest, record: Measurement, form: MeasurementForm) -> HttpResponse:
    page = EDIT_PAGE + ("#edit" if request.htmx else "")
    return render(request, page, {"record": record, "form": form}, status=422 if form.errors else 200)


@signed_in
@require_POST
def remove_measurement(request: PersonRequest, pk: int) -> HttpResponseBase:
    try:
        revision = services.remove_measurement(request.user, record_id=pk, origin=BY_FORM)
    except NoSuchRecord:
        raise Http404 from None
    return answer_change(request, revision, back_to=reverse("measurements"), focus_undo=True)


@signed_in
@require_POST
def undo_revision(request: PersonRequest, pk: int) -> HttpResponseBase:
    """Takes back any change of the person's own, from whatever page shows it, and stays there."""
    back_to = _page_it_came_from(request)
    try:
        revision = services.undo(request.user, revision_id=pk, origin=BY_FORM)
    except NoSuchRecord:
        raise Http404 from None
    except CannotUndo as error:
        toast = toast_of(error.message, level=messages.WARNING)
        return answer_no_change(request, toast, back_to=back_to)
    return answer_change(request, revision, back_to=back_to, prefix=_("Undone.") + " ", focus_undo=True)


def _own_record(request: PersonRequest, pk: int) -> Measurement:
    record = queries.record(request.user, pk)
    if record is None:
        raise Http404
    return record


def _day_address(on: dt.date) -> str:
    return reverse("measurements_day", args=[on])


def _page_it_came_from(request: PersonRequest) -> str:
    referrer = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(referrer, {request.get_host()}, require_https=request.is_secure())
    return referrer if ours else reverse("today")
