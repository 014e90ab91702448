"""Runs one turn of the Coach in the terminal and prints what happens, one JSON object a line."""

import asyncio
import json
import signal
import uuid
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import aclosing
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from coach import commands, credentials, leases, notices, owners, recovery, rendering, store
from coach.commands import Refused
from coach.credentials import Choice
from coach.events import CallEnded, ConsentAsked, HarnessEvent, ResponseStored, RetryScheduled, TextStreamed
from coach.models import CallState, Conversation, ToolCall, Turn
from coach.providers import registry
from coach.runner import events_of
from coach.stopping import StopSignal
from coach.threads import in_database_thread

type Line = dict[str, Any]


class Command(BaseCommand):
    help = "Sends the Coach a message as a user and prints the turn, one JSON object a line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", required=True)
        parser.add_argument("--conversation", type=int, help="Goes on with it; else a new one begins.")
        parser.add_argument("--provider", choices=registry.names())
        parser.add_argument("--model")
        parser.add_argument("text")

    def handle(self, *args: Any, **options: Any) -> None:
        turn = _open(options)
        with notices.spoken_as(turn):
            asyncio.run(_run(turn, self._print))
        for line in _ending(store.load_turn(turn.pk)):
            self._print(line)

    def _print(self, line: Line) -> None:
        self.stdout.write(json.dumps(line, ensure_ascii=False))
        # Whoever reads a pipe follows the answer as it comes.
        self.stdout.flush()


def _open(options: dict[str, Any]) -> Turn:
    """Writes down the message as a queued turn, after settling what a crash left in the conversation."""
    conversation_id = options["conversation"]
    try:
        user = User.objects.get(username=options["user"])
        conversation = (
            Conversation.objects.visible_to(user.pk).get(pk=conversation_id) if conversation_id else None
        )
        if conversation is not None:
            recovery.settle_abandoned(conversation.pk)
        choice = _choice(user, conversation, options["provider"], options["model"])
        client_id = str(uuid.uuid4())
        return commands.open_turn(user, conversation_id, client_id, options["text"], choice=choice).turn
    except User.DoesNotExist:
        raise CommandError(f"There is no user called {options['user']}.") from None
    except Conversation.DoesNotExist:
        raise CommandError(f"{options['user']} has no conversation {conversation_id}.") from None
    except Refused as refused:
        raise CommandError(refused.message) from None


def _choice(user: User, conversation: Conversation | None, provider: str | None, model: str | None) -> Choice:
    if provider is not None:
        return Choice(provider, model or credentials.default_model(provider))
    chosen = credentials.choice_for(user, conversation)
    return Choice(chosen.provider, model or chosen.model)


async def _run(turn: Turn, show: Callable[[Line], None]) -> None:
    """Runs the turn in this process. Ctrl-C stops it as the page's Stop does: at a safe place, settled."""
    stop = StopSignal()
    owner = owners.mint("say")
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.set)
    if not await in_database_thread(leases.claim, turn.pk, owner):
        raise CommandError("The turn was taken over before it began.")
    turn = await in_database_thread(store.load_turn, turn.pk)
    try:
        async with aclosing(events_of(turn, owner=owner, stop=stop)) as events:
            async for event in events:
                for line in await in_database_thread(_lines, turn, event):
                    show(line)
    except leases.LeaseLost:
        raise CommandError("The turn was taken over by another process.") from None


def _lines(turn: Turn, event: HarnessEvent) -> list[Line]:
    match event:
        case TextStreamed(text=text):
            return [{"event": "text", "text": text}]
        case ResponseStored(round=number):
            return [_call(call) for call in ToolCall.objects.filter(turn=turn, round=number)]
        case CallEnded(call_id=call_id):
            return [_outcome(ToolCall.objects.get(pk=call_id))]
        case ConsentAsked(call_id=call_id):
            return [{"event": "notice", "text": ToolCall.objects.get(pk=call_id).question}]
        case RetryScheduled(delay=delay):
            return [{"event": "notice", "text": notices.retry_notice(turn.provider, delay)}]
        case _:
            return []


def _ending(turn: Turn) -> Iterator[Line]:
    """What is known only at the end: the calls that never ran, the notices, and how the turn ended."""
    with notices.spoken_as(turn):
        calls = list(turn.calls.all())
        for call in calls:
            if call.state == CallState.NOT_RUN:
                yield _outcome(call)
        (view,) = rendering.turn_views(turn.conversation.user, [turn])
        if view.notice:
            yield {"event": "notice", "title": view.notice.title, "text": view.notice.text}
        for call in calls:
            if verdict := notices.verdict(call):
                yield {"event": "notice", "text": verdict}
    yield {
        "event": "end",
        "state": turn.state,
        "stop_reason": turn.stop_reason,
        "requests": turn.requests.count(),
        "conversation": turn.conversation_id,
    }


def _call(call: ToolCall) -> Line:
    return {
        "event": "tool_call",
        "call": call.identity,
        "tool": call.tool,
        "arguments": call.arguments_text,
    }


def _outcome(call: ToolCall) -> Line:
    return {
        "event": "tool_outcome",
        "call": call.identity,
        "tool": call.tool,
        "is_error": call.is_error,
        "error": call.error,
        "recovery": call.recovery,
        "content": call.content,
        "verification": call.verification,
    }
