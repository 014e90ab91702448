"""The Coach's pages, and its commands as forms for when no socket is open or no JavaScript runs."""

import uuid
from collections.abc import Coroutine
from typing import Any

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.http import Http404, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from coach import commands, credentials, live, notices, pages, rendering
from coach.commands import Refused, Restarting
from coach.limits import MESSAGE_CHARACTERS
from coach.models import Conversation, ToolCall, Turn
from coach.providers import registry
from coach.runner import settle
from gymnasia.http import PersonRequest, signed_in

PAGE = "coach/conversation.html"


@signed_in
@require_safe
def coach(request: PersonRequest) -> HttpResponseBase:
    """An empty conversation, and the list of those there are."""
    return render(request, PAGE, _frame(request, None))


@signed_in
@require_safe
def conversation(request: PersonRequest, pk: int) -> HttpResponseBase:
    """A conversation, its newest turns or those before a number. Whatever was abandoned is settled first."""
    found = _own(request, pk)
    async_to_sync(settle)(pk)
    before = request.GET.get("before", "")
    turns, older = pages.turns_page(pk, before=int(before) if before.isdecimal() else None)
    views = rendering.turn_views(request.user, turns)
    for view in views:
        if view.is_alive:
            view.live_html = live.held_html(view.turn.pk)
    return render(
        request, PAGE, _frame(request, found) | {"views": views, "older": older, "is_newest": not before}
    )


def _frame(request: PersonRequest, found: Conversation | None, **more: Any) -> dict[str, Any]:
    choice = credentials.choice_for(request.user, found)
    return {
        "conversation": found,
        "conversations": pages.conversations_of(request.user),
        "client_id": uuid.uuid4(),
        "provider": notices.provider_name(choice.provider),
        "model": choice.model,
        "is_builtin": choice.provider == registry.BUILTIN,
        "suggestions": _suggestions(),
        "message_characters": MESSAGE_CHARACTERS,
    } | more


def _suggestions() -> list[str]:
    return [
        _("How has my weight changed over the last 30 days?"),
        _("What did I weigh last Monday?"),
        _("Log 81.4 kg for yesterday"),
    ]


@signed_in
@require_POST
def say(request: PersonRequest, pk: int | None = None) -> HttpResponseBase:
    """Takes a message. Answers a script with JSON, a plain form with the conversation's page."""
    text, client_id = request.POST.get("text", ""), request.POST.get("client_id", "")
    wants_json = request.accepts("application/json") and not request.accepts("text/html")
    try:
        taken = async_to_sync(commands.say)(request.user, pk, client_id, text)
    except Conversation.DoesNotExist:
        raise Http404 from None
    except Restarting:
        reason = _("Gymnasia is restarting. Send the message again in a moment.")
        if wants_json:
            return JsonResponse({"reason": reason}, status=503, headers={"Retry-After": "2"})
        return _show_refused(request, pk, text, reason, status=503)
    except Refused as refused:
        if wants_json:
            return JsonResponse({"refused": client_id, "reason": refused.message}, status=422)
        return _show_refused(request, pk, text, refused.message)
    if wants_json:
        return JsonResponse({"taken": client_id, "conversation": taken.conversation_id})
    return redirect("conversation", taken.conversation_id)


def _show_refused(
    request: PersonRequest, pk: int | None, text: str, reason: str, status: int = 422
) -> HttpResponseBase:
    found = _own(request, pk) if pk else None
    turns = pages.turns_page(pk)[0] if pk else []
    context = _frame(request, found, draft=text, reason=reason, is_newest=True)
    return render(
        request, PAGE, context | {"views": rendering.turn_views(request.user, turns)}, status=status
    )


@signed_in
@require_POST
def stop(request: PersonRequest, pk: int) -> HttpResponseBase:
    return _carry_out(request, commands.stop(request.user, pk), Turn, pk)


@signed_in
@require_POST
def consent(request: PersonRequest, pk: int) -> HttpResponseBase:
    granted = request.POST.get("granted") == "yes"
    return _carry_out(request, commands.consent(request.user, pk, granted=granted), ToolCall, pk)


@signed_in
@require_POST
def verify(request: PersonRequest, pk: int) -> HttpResponseBase:
    return _carry_out(request, commands.verify(request.user, pk), ToolCall, pk)


@signed_in
@require_POST
def repeat(request: PersonRequest, pk: int) -> HttpResponseBase:
    return _carry_out(request, commands.repeat(request.user, pk), ToolCall, pk)


def _carry_out(
    request: PersonRequest, command: Coroutine[Any, Any, None], model: type[Turn | ToolCall], pk: int
) -> HttpResponseBase:
    """Runs a command and goes back to its conversation; what was refused is said there."""
    try:
        async_to_sync(_awaited)(command)
    except (Turn.DoesNotExist, ToolCall.DoesNotExist):
        raise Http404 from None
    except Refused as refused:
        messages.warning(request, refused.message)
    return redirect("conversation", pages.conversation_of(model, pk))


async def _awaited(command: Coroutine[Any, Any, None]) -> None:
    await command


@signed_in
@require_POST
def undo(request: PersonRequest, pk: int) -> HttpResponseBase:
    """Takes back a change that a receipt shows. The conversation it was made in may be gone by then."""
    try:
        turn_id = async_to_sync(commands.undo)(request.user, pk)
    except Refused as refused:
        messages.warning(request, refused.message)
        return redirect("coach")
    except Turn.DoesNotExist:
        return redirect("coach")
    return redirect("conversation", pages.conversation_of(Turn, turn_id))


@signed_in
@require_POST
def rename(request: PersonRequest, pk: int) -> HttpResponseBase:
    try:
        commands.rename(request.user, _own(request, pk).pk, request.POST.get("title", ""))
    except Refused as refused:
        messages.warning(request, refused.message)
    return redirect("conversation", pk)


@signed_in
@require_POST
def delete(request: PersonRequest, pk: int) -> HttpResponseBase:
    commands.delete(request.user, _own(request, pk).pk)
    messages.success(request, _("The conversation was deleted. Your measurements stay as they are."))
    return redirect("coach")


def _own(request: PersonRequest, pk: int) -> Conversation:
    try:
        return pages.conversation(request.user, pk)
    except Conversation.DoesNotExist:
        raise Http404 from None
