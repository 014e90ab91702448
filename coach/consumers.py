"""The Coach's page over a WebSocket: commands in, fragments out. It decides nothing."""

import json
from typing import Annotated, Any, Literal

from channels.generic.websocket import AsyncWebsocketConsumer
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.utils import translation
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from coach import commands, live, pages, rendering
from coach.commands import Refused
from coach.limits import MESSAGE_CHARACTERS
from coach.live import Change, Follower
from coach.runner import settle
from coach.threads import in_database_thread

SIGNED_OUT = 4401
FRAME_CHARACTERS = 4 * MESSAGE_CHARACTERS


class Command(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Resume(Command):
    command: Literal["resume"]
    last_number: int = Field(ge=0)


class Say(Command):
    command: Literal["say"]
    client_id: str = Field(max_length=64)
    text: str


class Stop(Command):
    command: Literal["stop"]
    turn_id: int


class Answer(Command):
    command: Literal["consent"]
    call_id: int
    granted: bool


class OnCall(Command):
    command: Literal["verify", "repeat"]
    call_id: int


COMMANDS: TypeAdapter[Resume | Say | Stop | Answer | OnCall] = TypeAdapter(
    Annotated[Resume | Say | Stop | Answer | OnCall, Field(discriminator="command")]
)


class CoachConsumer(AsyncWebsocketConsumer):
    """One open page of one conversation."""

    async def connect(self) -> None:
        user = self.scope["user"]
        await self.accept()
        if not user.is_authenticated:
            await self.close(SIGNED_OUT)
            return
        self.user: User = user
        self.conversation_id = int(self.scope["url_route"]["kwargs"]["pk"])
        self.language = await in_database_thread(pages.language_of, user, self.scope)
        if not await in_database_thread(pages.is_own, user, self.conversation_id):
            await self.close(SIGNED_OUT)
            return
        self.follower = Follower()
        await self.channel_layer.group_add(live.group_of(self.conversation_id), self.channel_name)

    async def disconnect(self, code: int) -> None:
        if hasattr(self, "conversation_id"):
            await self.channel_layer.group_discard(live.group_of(self.conversation_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if text_data is None or len(text_data) > FRAME_CHARACTERS:
            await self._refuse("", _("This message could not be taken. Reload the page and send it again."))
            return
        try:
            command = COMMANDS.validate_python(_plain(text_data))
        except (ValidationError, ValueError):
            await self._refuse("", _("This message could not be taken. Reload the page and send it again."))
            return
        with translation.override(self.language):
            try:
                await self._carry_out(command)
            except Refused as refused:
                await self._refuse(getattr(command, "client_id", ""), refused.message)
            except ObjectDoesNotExist:
                await self._refuse("", _("This is not there any more. Reload the page."))

    async def _carry_out(self, command: Resume | Say | Stop | Answer | OnCall) -> None:
        match command:
            case Resume():
                await settle(self.conversation_id)
                turns = await in_database_thread(
                    pages.turns_since, self.user, self.conversation_id, command.last_number
                )
                await self.send(await self.follower.resume(turns, command.last_number))
            case Say():
                await commands.say(self.user, self.conversation_id, command.client_id, command.text)
                await self.send(await in_database_thread(rendering.composer_state, taken=command.client_id))
            case Stop():
                await commands.stop(self.user, command.turn_id)
            case Answer():
                await commands.consent(self.user, command.call_id, granted=command.granted)
            case OnCall(command="verify"):
                await commands.verify(self.user, command.call_id)
            case OnCall():
                await commands.repeat(self.user, command.call_id)

    async def turn_changed(self, change: Change) -> None:
        if html := await self.follower.fragment_for(change):
            await self.send(html)

    async def _refuse(self, client_id: str, reason: str) -> None:
        await self.send(await in_database_thread(rendering.composer_state, refused=client_id, reason=reason))


def _plain(text: str) -> dict[str, Any]:
    """What htmx sends: strings alone, and numbers and yes-or-no among them."""
    fields = json.loads(text)
    if not isinstance(fields, dict):
        raise ValueError("not an object")
    for name in ("turn_id", "call_id", "last_number"):
        if isinstance(given := fields.get(name), str) and given.isdecimal():
            fields[name] = int(given)
    if fields.get("granted") in ("yes", "no"):
        fields["granted"] = fields["granted"] == "yes"
    return fields
