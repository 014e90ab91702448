"""What the program says about a turn: to the person in their language, to the model in English."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from coach.contract import ErrorCode, Outcome, failure
from coach.limits import CALLS_PER_TURN
from coach.models import CallState, StopReason, ToolCall, Turn, TurnState, Verification
from coach.providers.base import RejectionReason

PROVIDER_NAMES = {
    "builtin": "Gymnasia",
    "anthropic": "Anthropic",
    "openai": "OpenAI",
    "google": "Google",
    "local": gettext_lazy("The local server"),
}


def provider_name(provider: str) -> str:
    """What a provider is called in the active language."""
    return str(PROVIDER_NAMES.get(provider, provider))


@contextmanager
def spoken_as(turn: Turn) -> Iterator[None]:
    """Speaks the turn's language in the turn's time zone, whoever runs the code."""
    with translation.override(turn.language), timezone.override(ZoneInfo(turn.time_zone)):
        yield


def error_message(code: ErrorCode) -> str:
    """The safe message of an error that needs no facts of the call."""
    messages = {
        ErrorCode.UNKNOWN_TOOL: _("There is no such tool."),
        ErrorCode.INVALID_ARGUMENTS: _("The arguments are not valid. Nothing was run."),
        ErrorCode.DECLINED: _("The person declined this action. Nothing was changed."),
        ErrorCode.REPEATED_CALL: _(
            "This same read already ran with the same arguments in this turn. Use its result."
        ),
        ErrorCode.READ_FAILED: _(
            "The data could not be read. This is a failure, not an absence: it says nothing of what is saved."
        ),
        ErrorCode.OUTCOME_UNKNOWN: _(
            "It cannot be confirmed whether the action was completed. It was not repeated."
        ),
        ErrorCode.NOT_RUN: _("This call was not executed because the turn stopped before it."),
    }
    return messages[code]


def failure_of(code: ErrorCode) -> Outcome:
    """The outcome of a call that failed for a reason which needs no facts of the call."""
    return failure(code, error_message(code))


class Tone(StrEnum):
    """How a notice looks: its shape and icon, beside its words."""

    INFORMATION = "information"
    CAUTION = "caution"
    FAILURE = "failure"
    UNCONFIRMED = "unconfirmed"


@dataclass(frozen=True, slots=True)
class Notice:
    title: str
    text: str
    tone: Tone


def stop_notice(turn: Turn, *, changed: bool) -> Notice | None:
    """What the person is told of a turn that stopped (contract, section 7); None when it completed.

    `changed` says whether a write of this turn was saved before it stopped.
    """
    if turn.state != TurnState.STOPPED:
        return None
    provider = provider_name(turn.provider)
    match turn.stop_reason:
        case StopReason.OUTCOME_UNKNOWN:
            return Notice(
                _("Not confirmed"),
                _(
                    "Gymnasia cannot confirm whether the action was completed. To avoid duplicating it, "
                    "it did not repeat it. Check your data before asking for it again."
                ),
                Tone.UNCONFIRMED,
            )
        case StopReason.ROUND_LIMIT:
            steps = settings.COACH_MAX_ROUNDS if turn.rounds >= settings.COACH_MAX_ROUNDS else CALLS_PER_TURN
            return Notice(
                _("Stopped at the limit"),
                ngettext(
                    "The Coach reached the limit of %(count)s step for one message and stopped. "
                    "Nothing is pending.",
                    "The Coach reached the limit of %(count)s steps for one message and stopped. "
                    "Nothing is pending.",
                    steps,
                )
                % {"count": steps},
                Tone.CAUTION,
            )
        case StopReason.CANCELLED:
            return Notice(_("Stopped"), _("You stopped this answer."), Tone.INFORMATION)
        case StopReason.INTERRUPTED:
            return Notice(
                _("Interrupted"),
                _("This answer was interrupted when the server stopped."),
                Tone.CAUTION,
            )
        case StopReason.LOCAL_FAILURE:
            return Notice(_("Something failed here"), _local_failure(changed=changed), Tone.FAILURE)
        case _:
            return Notice(*_provider_failure(turn, provider), Tone.FAILURE)


def _local_failure(*, changed: bool) -> str:
    if changed:
        return _(
            "Something failed inside Gymnasia, not at the provider. "
            "What is shown as saved is saved; nothing else was changed."
        )
    return _("Something failed inside Gymnasia, not at the provider. Nothing was changed.")


def _provider_failure(turn: Turn, provider: str) -> tuple[str, str]:
    facts = {"provider": provider, "model": turn.model}
    match turn.stop_reason:
        case StopReason.PROVIDER_UNAVAILABLE:
            return (
                _("%(provider)s did not answer") % facts,
                _(
                    "%(provider)s could not be reached or is too busy. Your message is kept: wait a little "
                    "and try again, or choose another model."
                )
                % facts,
            )
        case StopReason.PROVIDER_STREAM_BROKEN:
            return (
                _("The answer broke off"),
                _(
                    "The answer from %(provider)s broke off before its end. What had arrived is kept. "
                    "No action was taken on it. Your message can be sent again."
                )
                % facts,
            )
        case StopReason.PROVIDER_TRUNCATED:
            return (
                _("The answer was cut off"),
                _(
                    "The answer from %(provider)s reached its length limit and was cut off. "
                    "No action was taken on it. Ask for a shorter answer."
                )
                % facts,
            )
        case StopReason.PROVIDER_EMPTY:
            return (
                _("An empty answer came"),
                _(
                    "The answer from %(provider)s had nothing in it. "
                    "Your message is kept and can be sent again."
                )
                % facts,
            )
        case StopReason.PROVIDER_REFUSED:
            return (
                _("%(provider)s declined to answer") % facts,
                _(
                    "The model of %(provider)s declined to answer this message. "
                    "Put it in other words, or choose another model."
                )
                % facts,
            )
        case _:
            return _("%(provider)s rejected the request") % facts, _rejection(turn.rejection) % facts


def _rejection(reason: str) -> str:
    match reason:
        case RejectionReason.AUTH:
            return _("%(provider)s did not accept the key. Check the key in Settings. Your message is kept.")
        case RejectionReason.QUOTA:
            return _(
                "The account at %(provider)s has no quota left. Check it there, or choose another model. "
                "Your message is kept."
            )
        case RejectionReason.NOT_FOUND:
            return _(
                "%(provider)s does not know the model %(model)s, or the server is too old. Choose another "
                "model in Settings. Your message is kept."
            )
        case _:
            return _(
                "%(provider)s could not accept the request. Choose another model, or start a new "
                "conversation. Your message is kept."
            )


def retry_notice(provider: str, delay: float) -> str:
    """Shown, with Stop beside it, while the harness waits before it asks again."""
    seconds = max(1, round(delay))
    return ngettext(
        "%(provider)s is busy, trying again in %(seconds)s second.",
        "%(provider)s is busy, trying again in %(seconds)s seconds.",
        seconds,
    ) % {"provider": provider_name(provider), "seconds": seconds}


class Certainty(StrEnum):
    """How sure the program is of what a write left behind. Each has its own shape, icon and words."""

    SAVED = "saved"
    NOT_SAVED = "not_saved"
    NOT_CONFIRMED = "not_confirmed"


def certainty(call: ToolCall) -> Certainty:
    """What the ledger says of a write that was started."""
    if call.state == CallState.SUCCEEDED:
        return Certainty.SAVED
    if call.state == CallState.RUNNING or call.verification == Verification.OPEN:
        return Certainty.NOT_CONFIRMED
    return Certainty.NOT_SAVED


def verdict(call: ToolCall) -> str:
    """What checking an uncertain write found; empty for a write that was never uncertain."""
    if call.repeated_at is not None:
        return _("Repeated at your request: it is saved.")
    match call.verification:
        case Verification.SAVED:
            return _("Checked: it was saved.")
        case Verification.NOT_SAVED:
            return _("Checked: it was not saved. You can repeat it safely.")
        case Verification.OPEN:
            return _("It could not be checked yet, because the data cannot be reached. Check again later.")
        case _:
            return ""


def effect_line(days_read: Iterable[tuple[date, date]], *, changed: bool, uncertain: bool) -> str:
    """What a turn did to the person's data, counted from rows: the days read, and that nothing changed.

    A change shows as its receipt and an uncertain write as its card, so neither is counted here.
    """
    days = {start + timedelta(n) for start, end in days_read for n in range((end - start).days + 1)}
    parts = []
    if days:
        parts.append(
            ngettext("Read %(count)s day.", "Read %(count)s days.", len(days)) % {"count": len(days)}
        )
    if not changed and not uncertain:
        parts.append(_("Changed nothing."))
    return " ".join(parts)


def notes_to_model(previous: Turn, news: Sequence[ToolCall]) -> list[str]:
    """What the model is told, before the next message, of things it could not see. In English."""
    notes = []
    if previous.stop_reason:
        notes.append(f"The previous turn stopped before its answer was complete: {previous.stop_reason}.")
    for call in news:
        if call.repeated_at is not None:
            ending = f"was repeated at the person's request and is saved: {call.repeat_content}"
        elif call.verification == Verification.SAVED:
            ending = "was checked in storage: it is saved"
        elif call.verification == Verification.NOT_SAVED:
            ending = "was checked in storage: it is not saved"
        else:
            continue
        notes.append(f"The call {call.tool} {call.arguments_text} {ending}.")
    return notes
