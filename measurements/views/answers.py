"""How a view answers what was sent: with the fragments that changed, or with a redirect and a message."""

import datetime as dt
from typing import Any

from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from gymnasia.http import PersonRequest
from measurements import queries
from measurements.middleware import profile_from
from measurements.models import Revision
from measurements.sentences import tell_change

# Sent with every change: whatever else on the page shows measurements (Today's figure, a chart, a
# receipt of the Coach) listens to it and fetches itself again.
CHANGED_EVENT = "measurements-changed"


def toast_of(text: str, revision: Revision | None = None, *, level: int = messages.SUCCESS) -> Message:
    """One line about what was done. With a revision, Undo is offered beside it."""
    return Message(level, text, extra_tags=str(revision.pk) if revision else "")


def redirect_with(toast: Message, request: PersonRequest, back_to: str) -> HttpResponseBase:
    messages.add_message(request, toast.level, toast.message, extra_tags=toast.extra_tags or "")
    return redirect(back_to)


def answer_change(
    request: PersonRequest, revision: Revision, *, back_to: str, prefix: str = "", **fragments: Any
) -> HttpResponseBase:
    """The answer to a saved change: a redirect, or for htmx the days it touched, `fragments` and a toast."""
    figures = not profile_from(request).hide_numbers
    toast = toast_of(prefix + tell_change(revision, figures=figures), revision)
    if not request.htmx:
        return redirect_with(toast, request, back_to)
    days = [queries.Day(on, queries.day(request.user, on)) for on in _dates(revision)]
    if any(day.on == _arrived_on(revision) and len(day.records) == 1 for day in days):
        # The list may not show that day yet, and only the whole list knows its place.
        fragments["page"] = queries.days_page(request.user)
    response = _fragments(request, {"days": days, "message": toast} | fragments)
    response.headers["HX-Trigger"] = CHANGED_EVENT
    return response


def answer_no_change(
    request: PersonRequest, toast: Message, *, back_to: str, **fragments: Any
) -> HttpResponseBase:
    """The answer where nothing was written: the same shape without days, list and event."""
    if not request.htmx:
        return redirect_with(toast, request, back_to)
    return _fragments(request, {"message": toast} | fragments)


def _fragments(request: PersonRequest, context: dict[str, Any]) -> HttpResponse:
    return render(request, "measurements/changed.html", context)


def _dates(revision: Revision) -> list[dt.date]:
    """The days that a change touched: more than one when it moved a record."""
    return sorted({on for state in (revision.before, revision.after) if (on := _date(state))})


def _arrived_on(revision: Revision) -> dt.date | None:
    """The day on which the change put a record that was not on it before."""
    before, after = _date(revision.before), _date(revision.after)
    return after if after != before else None


def _date(state: dict[str, Any] | None) -> dt.date | None:
    return dt.date.fromisoformat(state["measured_on"]) if state else None
