"""From rows to what is seen: the same view of a turn for the page, the live stream and the reload."""

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Prefetch
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from coach import markdown, notices
from coach.contract import Effect, ErrorCode
from coach.models import CallState, Consent, Entry, EntryKind, StopReason, ToolCall, Turn, TurnState
from coach.notices import Certainty, Notice
from coach.providers import registry
from coach.tools.base import CallFacts
from coach.tools.measurements import Receipt, overtaken_turns, receipts
from coach.tools.registry import TOOLS

READ_ANYWAY = {"", ErrorCode.NOT_FOUND, ErrorCode.METRIC_NOT_RECORDED}
"""The outcomes of a read that did look at its days, whatever it found there."""


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of the Coach's answer."""

    html: SafeString
    complete: bool


@dataclass(frozen=True, slots=True)
class CallView:
    """What one call did: the line, what it opens to, and its cards."""

    call: ToolCall
    line: str
    icon: str
    arguments: str
    receipts: list[Receipt]
    verdict: str
    asks: bool
    card: str
    can_repeat: bool
    can_check: bool

    @property
    def kind(self) -> str:
        return "call"


@dataclass(frozen=True, slots=True)
class Resend:
    """A message that a stopped turn offers to send: a new turn, which repeats no call by itself."""

    label: str
    text: str
    client_id: uuid.UUID = field(default_factory=uuid.uuid4)


@dataclass(slots=True)
class TurnView:
    """All that the page shows of a turn."""

    turn: Turn
    said: str = ""
    parts: list[Said | CallView] = field(default_factory=list)
    notice: Notice | None = None
    checked: ToolCall | None = None
    """The uncertain write that the notice is about: what checking it found is said there."""

    effect_line: str = ""
    live_html: str = ""
    resend: Resend | None = None

    @property
    def is_alive(self) -> bool:
        """Whether somebody is working on it. A spinner is shown for nothing else."""
        expires = self.turn.lease_expires_at
        return (
            self.turn.state in (TurnState.QUEUED, TurnState.RUNNING)
            and expires is not None
            and expires > timezone.now()
        )

    @property
    def check(self) -> str:
        return notices.verdict(self.checked) if self.checked else ""

    @property
    def provider_name(self) -> str:
        return notices.provider_name(self.turn.provider)


def turn_views(user: User, turns: Iterable[Turn]) -> list[TurnView]:
    """The views of some turns of one person, in a constant number of queries."""
    entries = Entry.objects.select_related("call").order_by("position")
    loaded = list(
        Turn.objects.filter(pk__in=[turn.pk for turn in turns], conversation__user=user)
        .order_by("conversation_id", "number")
        .prefetch_related(Prefetch("entries", entries))
    )
    identities = [
        entry.call.identity
        for turn in loaded
        for entry in turn.entries.all()
        if entry.call and entry.call.effect == Effect.WRITE
    ]
    changes = receipts(user, identities)
    return [_turn_view(turn, changes) for turn in loaded]


def _turn_view(turn: Turn, changes: dict[str, list[Receipt]]) -> TurnView:
    view = TurnView(turn)
    calls: list[CallView] = []
    for entry in turn.entries.all():
        if entry.kind == EntryKind.USER:
            view.said = entry.text
        elif entry.kind == EntryKind.TEXT:
            view.parts.append(Said(safe_markdown(entry.text), entry.complete))
        elif entry.call is not None:
            call = _call_view(turn, entry.call, changes.get(entry.call.identity, []))
            calls.append(call)
            view.parts.append(call)
    if not turn.is_unfinished:
        changed = any(call.receipts for call in calls)
        view.notice = notices.stop_notice(turn, changed=changed)
        if turn.stop_reason == StopReason.OUTCOME_UNKNOWN:
            view.checked = next((view.call for view in reversed(calls) if view.call.verification), None)
        view.effect_line = notices.effect_line(
            _days_read(calls), changed=changed, uncertain=any(call.card for call in calls)
        )
        view.resend = _resend(view)
    return view


def _resend(view: TurnView) -> Resend | None:
    """A model can go on from where it was interrupted; the built-in coach is asked again."""
    match view.turn.stop_reason:
        case StopReason.INTERRUPTED if view.turn.provider != registry.BUILTIN:
            return Resend(_("Continue"), _("Continue, please."))
        case "" | StopReason.CANCELLED | StopReason.OUTCOME_UNKNOWN | StopReason.ROUND_LIMIT:
            return None
        case _:
            return Resend(_("Send again"), view.said)


def _days_read(calls: Sequence[CallView]) -> list[tuple[date, date]]:
    """The days that each read looked at, whatever it found there."""
    found = []
    for call in (view.call for view in calls):
        tool = TOOLS.get(call.tool)
        if tool and call.effect == Effect.READ and call.started_at and call.error in READ_ANYWAY:
            found.append(tool.days_read(tool.stored(call.arguments or {}), _facts(call)))
    return [days for days in found if days is not None]


def _call_view(turn: Turn, call: ToolCall, changes: list[Receipt]) -> CallView:
    is_write = call.effect == Effect.WRITE and call.started_at is not None
    certainty = notices.certainty(call) if is_write and call.state != CallState.FAILED else None
    if call.state == CallState.RUNNING and turn.is_unfinished:
        certainty = None
    uncertain = certainty in (Certainty.NOT_SAVED, Certainty.NOT_CONFIRMED)
    return CallView(
        call=call,
        line=_line(call),
        icon=_icon(call),
        arguments=_pretty(call),
        receipts=changes,
        verdict="" if turn.stop_reason == StopReason.OUTCOME_UNKNOWN else notices.verdict(call),
        asks=call.consent == Consent.ASKED and turn.state == TurnState.AWAITING_CONSENT,
        card=certainty.value if certainty and uncertain else "",
        can_repeat=certainty is Certainty.NOT_SAVED and not turn.is_unfinished,
        can_check=certainty is Certainty.NOT_CONFIRMED and not turn.is_unfinished,
    )


def _line(call: ToolCall) -> str:
    tool = TOOLS.get(call.tool)
    if tool is None:
        return _("Asked for %(tool)s, which does not exist") % {"tool": call.tool}
    if call.arguments is None:
        if call.state == CallState.NOT_RUN:
            return _("Asked for %(tool)s: not done") % {"tool": call.tool}
        if call.is_error is None:
            return _("Asked for %(tool)s") % {"tool": call.tool}
        return _("Asked for %(tool)s with arguments that are not valid") % {"tool": call.tool}
    return tool.describe(tool.stored(call.arguments), _facts(call))


def _facts(call: ToolCall) -> CallFacts:
    """What the line goes by: the repeat where there was one, else the outcome itself."""
    if call.repeated_at is not None:
        return CallFacts(call.repeat_content, error="", saved=True)
    return CallFacts(call.content, call.error, saved=call.state == CallState.SUCCEEDED)


def _icon(call: ToolCall) -> str:
    if call.effect == Effect.READ and call.arguments is not None:
        return "search"
    return "check" if call.state == CallState.SUCCEEDED else "circle-alert"


def _pretty(call: ToolCall) -> str:
    if call.arguments is None:
        return call.arguments_text
    return json.dumps(call.arguments, ensure_ascii=False, indent=2)


def safe_markdown(text: str) -> SafeString:
    return mark_safe(markdown.render(text))  # noqa: S308 - through the allow-list


def turn_html(turn_id: int, *, streamed: str = "", status: str = "") -> str:
    """One turn as the page shows it, in the turn's language; with the text that is not in rows yet."""
    turn = Turn.objects.select_related("conversation__user").get(pk=turn_id)
    with notices.spoken_as(turn):
        views = turn_views(turn.conversation.user, [turn])
        return render_to_string(
            "coach/turn.html",
            {
                "view": views[0],
                "streamed": mark_safe(streamed),  # noqa: S308 - rendered by coach.streaming
                "status": status,
            },
        )


def overtaken_by(turn_id: int) -> list[tuple[int, int]]:
    """Key and number of the other turns of the conversation that look different since this one's changes."""
    turn = Turn.objects.select_related("conversation__user").get(pk=turn_id)
    writes = turn.calls.filter(effect=Effect.WRITE, state=CallState.SUCCEEDED)
    overtaken = overtaken_turns(turn.conversation.user, [call.identity for call in writes]) - {turn_id}
    others = Turn.objects.filter(conversation_id=turn.conversation_id, pk__in=overtaken)
    return list(others.values_list("pk", "number"))


def composer_state(**context: Any) -> str:
    """The answer to a command: which message was taken, the next id, or why it was not taken."""
    return render_to_string("coach/composer_state.html", context)
