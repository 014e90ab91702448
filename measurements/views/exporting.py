"""All that a person measured, as a file."""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from gymnasia.http import PersonRequest, signed_in
from measurements.exporting import WRITERS, export
from measurements.middleware import profile_from

CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


@signed_in
@require_GET
def export_measurements(request: PersonRequest, form: str) -> HttpResponse:
    if form not in WRITERS:
        raise Http404
    name = f"gymnasia-{profile_from(request).today().isoformat()}.{form}"
    return HttpResponse(
        "".join(export(request.user, form)),
        content_type=CONTENT_TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )
