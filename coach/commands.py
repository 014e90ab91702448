"""What a person can tell the Coach's page to do: one function each, behind both the socket and the forms."""

import uuid
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach import credentials, execution, live, pace, prompts, store
from coach.credentials import Choice
from coach.limits import MESSAGE_CHARACTERS, TURNS_AT_ONCE
from coach.models import Conversation, ToolCall, Turn
from coach.runner import runner, settle
from coach.threads import in_database_thread
from coach.tools import measurements


class Refused(Exception):
    """The command was not carried out. `message` says why and what to do; nothing typed is lost."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Restarting(Exception):
    """The server is about to end. The message waits in the page and goes out to the next one."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The message stands in rows, as this turn of this conversation."""

    conversation_id: int
    turn_id: int


async def say(user: User, conversation_id: int | None, client_id: str, text: str) -> Taken:
    """Takes a message, in a new conversation when none is named. The same client id again is the same turn.

    Raises Refused, Restarting, and Conversation.DoesNotExist for one that is not the person's.
    """
    if runner.is_closing:
        raise Restarting
    if conversation_id is not None:
        # A turn whose process is gone must not keep the next message out.
        await settle(conversation_id)
    opened = await in_database_thread(open_turn, user, conversation_id, client_id, text, paced=True)
    turn = opened.turn
    if opened.created:
        await live.publish_turn(turn.conversation_id, turn.pk, turn.number)
        runner.start(turn.pk)
    return Taken(turn.conversation_id, turn.pk)


def open_turn(
    user: User,
    conversation_id: int | None,
    client_id: str,
    text: str,
    *,
    choice: Choice | None = None,
    paced: bool = False,
) -> store.OpenedTurn:
    """Writes a message down as a queued turn of whom `choice` names, else of whom the person chose.

    Raises Refused, and Conversation.DoesNotExist.
    """
    text = _checked(text)
    conversation = (
        Conversation.objects.visible_to(user.pk).get(pk=conversation_id) if conversation_id else None
    )
    choice = choice or credentials.choice_for(user, conversation)
    language, time_zone = measurements.surroundings_of(user)
    new = store.NewTurn(
        client_id=_uuid(client_id),
        provider=choice.provider,
        model=choice.model,
        language=language or translation.get_language() or "en",
        time_zone=time_zone,
        prompt_version=prompts.VERSION,
        paced=paced,
    )
    try:
        return store.open_turn(user.pk, conversation_id, text, new)
    except (store.TurnInProgress, store.ClientIdTaken, pace.TooManyAtOnce, pace.TooManyLately) as error:
        raise Refused(_why_not(error)) from None


def _checked(text: str) -> str:
    # No database keeps NUL in a text; nobody types one.
    text = text.replace("\0", "").strip()
    if not text:
        raise Refused(_("The message is empty. Write something first."))
    if (excess := len(text) - MESSAGE_CHARACTERS) > 0:
        raise Refused(
            ngettext(
                "The message is %(count)s character too long. Shorten it or send it in parts.",
                "The message is %(count)s characters too long. Shorten it or send it in parts.",
                excess,
            )
            % {"count": excess}
        )
    return text


def _why_not(error: Exception) -> str:
    match error:
        case store.TurnInProgress():
            return _("The Coach is still answering. Wait for the end of the answer, or stop it.")
        case pace.TooManyAtOnce():
            return ngettext(
                "The Coach is answering %(count)s other message of yours. Wait for it to end, or stop it.",
                "The Coach is answering %(count)s other messages of yours. Wait for one to end, or stop one.",
                TURNS_AT_ONCE,
            ) % {"count": TURNS_AT_ONCE}
        case pace.TooManyLately():
            return ngettext(
                "You sent %(count)s message within a minute. Wait a moment, then send this one again.",
                "You sent %(count)s messages within a minute. Wait a moment, then send this one again.",
                settings.COACH_TURNS_PER_MINUTE,
            ) % {"count": settings.COACH_TURNS_PER_MINUTE}
        case _:
            return _("This message could not be taken. Reload the page and send it again.")


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Refused(_("This message could not be taken. Reload the page and send it again.")) from None


async def stop(user: User, turn_id: int) -> None:
    """Stops an answer. One that has ended stays as it is."""
    turn = await in_database_thread(_own_turn, user, turn_id)
    if await in_database_thread(store.cancel_parked, turn):
        await live.publish_turn(turn.conversation_id, turn.pk, turn.number)
    elif await in_database_thread(store.request_stop, turn.pk):
        await runner.stop(turn.pk)


async def consent(user: User, call_id: int, *, granted: bool) -> None:
    """Answers the question of a call, once: a second answer changes nothing."""
    turn, call = await in_database_thread(_own_call, user, call_id)
    if await in_database_thread(store.answer_consent, call.pk, granted=granted):
        runner.start(turn.pk)
    else:
        await live.publish_turn(turn.conversation_id, turn.pk, turn.number)


async def verify(user: User, call_id: int) -> None:
    """Asks storage again about a write that could not be checked."""
    turn, _call = await in_database_thread(_own_call, user, call_id)
    await settle(turn.conversation_id)
    await live.publish_turn(turn.conversation_id, turn.pk, turn.number)


async def repeat(user: User, call_id: int) -> None:
    """Repeats a write that was not saved, under the same identity. Raises Refused when that failed."""
    turn, call = await in_database_thread(_own_call, user, call_id)
    outcome = await execution.repeat(turn, call)
    await live.publish_turn(turn.conversation_id, turn.pk, turn.number)
    await live.publish_overtaken(turn.conversation_id, turn.pk)
    if outcome.is_error:
        raise Refused(_("It was not saved this time either. Look at the message, and try again later."))


async def undo(user: User, revision_id: int) -> int:
    """Takes back a change of the Coach and shows it; gives its turn. Raises Refused when it cannot be."""
    identity = await in_database_thread(measurements.undo, user, revision_id)
    if identity is None:
        raise Refused(
            _("This cannot be undone any more, because a later change stands on it. Nothing was changed.")
        )
    turn = await in_database_thread(_own_turn, user, int(identity.partition(".")[0]))
    await live.publish_turn(turn.conversation_id, turn.pk, turn.number)
    # What stood under it may be taken back again.
    await live.publish_overtaken(turn.conversation_id, turn.pk)
    return turn.pk


def rename(user: User, conversation_id: int, title: str) -> None:
    """Gives a conversation another title; an empty one is refused."""
    title = " ".join(title.split())
    if not title:
        raise Refused(_("The title is empty. Write one."))
    with transaction.atomic():
        conversation = Conversation.objects.visible_to(user.pk).get(pk=conversation_id)
        conversation.title = title[:200]
        conversation.save(update_fields=["title"])


def delete(user: User, conversation_id: int) -> None:
    """Deletes a conversation with all its turns. What its calls changed in the measurements stays."""
    with transaction.atomic():
        conversation = Conversation.objects.visible_to(user.pk).select_for_update().get(pk=conversation_id)
        # A turn at work writes rows meanwhile: none may come between the finding and the deleting.
        list(conversation.turns.select_for_update().values_list("pk", flat=True))
        conversation.delete()


def _own_turn(user: User, turn_id: int) -> Turn:
    return Turn.objects.visible_to(user.pk).select_related("conversation__user").get(pk=turn_id)


def _own_call(user: User, call_id: int) -> tuple[Turn, ToolCall]:
    call = ToolCall.objects.select_related("turn__conversation__user").get(
        pk=call_id, turn__conversation__user=user
    )
    return call.turn, call
