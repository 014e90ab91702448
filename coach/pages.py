"""What the Coach's pages ask of the rows: conversations, their turns, who may see them. Reads only."""

from typing import Any

from django.contrib.auth.models import User
from django.utils import translation

from coach.models import Conversation, ToolCall, Turn
from coach.tools import measurements

TURNS_SHOWN = 40
RESUMED_AT_LEAST = 3
CONVERSATIONS_SHOWN = 50


def conversations_of(user: User) -> list[Conversation]:
    return list(Conversation.objects.visible_to(user.pk)[:CONVERSATIONS_SHOWN])


def conversation(user: User, conversation_id: int) -> Conversation:
    """Raises Conversation.DoesNotExist for any that is not the person's."""
    return Conversation.objects.visible_to(user.pk).get(pk=conversation_id)


def is_own(user: User, conversation_id: int) -> bool:
    return Conversation.objects.visible_to(user.pk).filter(pk=conversation_id).exists()


def conversation_of(model: type[Turn | ToolCall], pk: int) -> int:
    """The key of the conversation that a turn or a call belongs to."""
    path = "conversation_id" if model is Turn else "turn__conversation_id"
    conversation_id: int = model.objects.values_list(path, flat=True).get(pk=pk)
    return conversation_id


def turns_page(conversation_id: int, *, before: int | None = None) -> tuple[list[Turn], int | None]:
    """The last turns of a conversation (before a number), oldest first; and the number to go on from."""
    turns = Turn.objects.filter(conversation_id=conversation_id)
    if before is not None:
        turns = turns.filter(number__lt=before)
    found = list(turns.order_by("-number")[: TURNS_SHOWN + 1])
    shown = list(reversed(found[:TURNS_SHOWN]))
    return shown, shown[0].number if len(found) > TURNS_SHOWN else None


def turns_since(user: User, conversation_id: int, last_number: int) -> list[tuple[int, int]]:
    """Key and number of the turns that a page showing those up to `last_number` must be shown (again)."""
    turns = Turn.objects.visible_to(user.pk).filter(conversation_id=conversation_id)
    newer = list(turns.filter(number__gt=last_number).order_by("number").values_list("pk", "number"))
    again = turns.filter(number__lte=last_number).order_by("-number")[:RESUMED_AT_LEAST]
    return [*reversed(again.values_list("pk", "number")), *newer]


def language_of(user: User, scope: dict[str, Any]) -> str:
    """The language of a socket: the person's choice, else what their browser asks for."""
    chosen, _time_zone = measurements.surroundings_of(user)
    if chosen:
        return chosen
    headers = dict(scope.get("headers", ()))
    accepted = headers.get(b"accept-language", b"").decode("latin-1")
    for entry in accepted.split(","):
        try:
            return translation.get_supported_language_variant(entry.split(";")[0].strip().lower())
        except LookupError:
            continue
    return "en"
