"""Importing a file: choose it, see what it would do, confirm, and take the whole of it back."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from gymnasia.http import PersonRequest, signed_in
from measurements import importing, uploads
from measurements.errors import MeasurementError, NoSuchRecord
from measurements.formats import registry
from measurements.formats.base import Ask, Question, Role
from measurements.formats.problems import Problem
from measurements.import_forms import AnswersForm, FileForm, answers_in
from measurements.importing import Conflict, Plan
from measurements.middleware import profile_from
from measurements.models import ImportBatch, Measurement
from measurements.uploads import Upload

CHOOSE_PAGE: Final = "measurements/import.html"
PREVIEW_PAGE: Final = "measurements/import_preview.html"
REPORT_PAGE: Final = "measurements/import_report.html"
SHOWN_IMPORTS: Final = 20
# What one can decide one by one, or read; beyond it the count is told.
SHOWN_CONFLICTS: Final = 200
SHOWN_REJECTED: Final = 200


@signed_in
@require_http_methods(["GET", "POST"])
def choose(request: PersonRequest) -> HttpResponseBase:
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    if form.is_bound and form.is_valid():
        upload = uploads.keep(request.user, form.cleaned_data["file"])
        return redirect("preview_measurements_import", upload.token)
    context = {
        "form": form,
        "products": [product.title for product in registry.formats().values()],
        "imports": ImportBatch.objects.filter(user=request.user)[:SHOWN_IMPORTS],
    }
    return render(request, CHOOSE_PAGE, context, status=422 if form.errors else 200)


@signed_in
@require_http_methods(["GET", "POST"])
def preview(request: PersonRequest, token: str) -> HttpResponseBase:
    """GET shows what the file would do, as the answers in the address say; POST does what was shown.

    Answers that were changed since then are shown first: nothing is imported that nobody looked at.
    """
    upload = uploads.find(request.user, token)
    if upload is None:
        messages.warning(request, _("That file is not kept any more. Nothing was imported; choose it again."))
        return redirect("import_measurements")
    if request.method == "GET":
        looked = _look_at(request, upload, request.GET)
        return render(request, PREVIEW_PAGE, _shown(upload, looked), status=422 if looked.refusal else 200)
    if "again" not in request.POST:
        looked = _look_at(request, upload, request.POST)
        is_seen = request.POST.get("seen") == looked.form.sent(request.POST)
        if is_seen and looked.plan is not None and looked.plan.can_import:
            return _apply(request, upload, looked.plan)
    said = request.POST.copy()
    for name in ("csrfmiddlewaretoken", "seen", "again", "conflicts", "take"):
        said.pop(name, None)
    return redirect(reverse("preview_measurements_import", args=[upload.token], query=said))


@dataclass(frozen=True, slots=True)
class Look:
    """What came of reading a file: a plan, or a question that has to be answered first, or a refusal."""

    form: AnswersForm
    plan: Plan | None = None
    refusal: str = ""


def _look_at(request: PersonRequest, upload: Upload, data: QueryDict) -> Look:
    profile = profile_from(request)
    answers = answers_in(data)
    settings = answers.settings_for(profile)

    def form_for(asks: Collection[Ask], columns: Sequence[Role]) -> AnswersForm:
        return AnswersForm(asks, columns, answers, settings)

    try:
        plan = importing.plan(request.user, profile, registry.open_file(upload.path), settings)
    except Question as question:
        return Look(form_for({question.ask}, question.columns))
    except Problem as problem:
        return Look(form_for((), ()), refusal=importing.Refused(problem).message)
    except importing.Refused as refused:
        return Look(form_for((), ()), refusal=refused.message)
    return Look(form_for(plan.asks, plan.columns), plan)


def _shown(upload: Upload, looked: Look) -> dict[str, Any]:
    plan = looked.plan
    context: dict[str, Any] = {"upload": upload, "look": looked, "form": looked.form}
    if plan is None:
        return context
    rows = _conflict_rows(plan.conflicts[:SHOWN_CONFLICTS])
    return context | {
        "plan": plan,
        "title": registry.formats()[plan.format].title,
        "report": plan.report(),
        "conflicts": rows,
        "more_conflicts": len(plan.conflicts) - len(rows),
        "rejected": plan.report()["rejected"][:SHOWN_REJECTED],
        "more_rejected": len(plan.rejected) - SHOWN_REJECTED,
    }


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """Two values of one moment."""

    mine: Measurement
    given: Measurement
    line: int


def _conflict_rows(conflicts: Sequence[Conflict]) -> list[ConflictRow]:
    standing = Measurement.objects.in_bulk([conflict.record_id for conflict in conflicts])
    return [
        ConflictRow(mine, conflict.given.record_of(mine.user), conflict.given.line)
        for conflict in conflicts
        if (mine := standing.get(conflict.record_id))
    ]


def _apply(request: PersonRequest, upload: Upload, plan: Plan) -> HttpResponseBase:
    try:
        batch = importing.apply(
            request.user, plan, file_name=upload.name, replaced=_decided(request.POST, plan)
        )
    except MeasurementError as error:
        messages.warning(request, error.message)
        return redirect("preview_measurements_import", upload.token)
    uploads.discard(upload)
    count = batch.report["added"] + batch.report["replaced"]
    told = ngettext("%(count)s value was imported.", "%(count)s values were imported.", count)
    messages.success(request, told % {"count": count})
    return redirect("measurements_import", batch.pk)


def _decided(data: QueryDict, plan: Plan) -> list[int]:
    """The records that get the file's value. What nobody decided stays as it is."""
    match data.get("conflicts"):
        case "take":
            return plan.conflicting
        case "each":
            chosen = set(data.getlist("take"))
            return [record_id for record_id in plan.conflicting if str(record_id) in chosen]
        case _:
            return []


@signed_in
@require_POST
def discard(request: PersonRequest, token: str) -> HttpResponseBase:
    if upload := uploads.find(request.user, token):
        uploads.discard(upload)
        messages.success(request, _("The file was discarded. Nothing was imported."))
    return redirect("import_measurements")


@signed_in
@require_GET
def report(request: PersonRequest, pk: int) -> HttpResponse:
    batch = ImportBatch.objects.filter(user=request.user, pk=pk).first()
    if batch is None:
        raise Http404
    known = registry.formats().get(batch.format)
    rejected = batch.report.get("rejected", [])
    context = {
        "batch": batch,
        "title": known.title if known else batch.format,
        "report": batch.report,
        "rejected": rejected[:SHOWN_REJECTED],
        "more_rejected": len(rejected) - SHOWN_REJECTED,
    }
    return render(request, REPORT_PAGE, context)


@signed_in
@require_POST
def undo(request: PersonRequest, pk: int) -> HttpResponseBase:
    try:
        importing.undo(request.user, pk)
    except NoSuchRecord:
        raise Http404 from None
    except MeasurementError as error:
        messages.warning(request, error.message)
    else:
        messages.success(request, _("The whole import was undone."))
    return redirect("measurements_import", pk)
