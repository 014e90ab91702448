"""The Coach's page over a WebSocket: commands in, fragments out. It decides nothing.

A page that is too slow, one too many, or cut off from news is let go: it comes back by itself where
that helps, and reads the rows. Nothing piles up for it meanwhile.
"""

import asyncio
from collections import Counter
from typing import Annotated, Any, Final, Literal

from channels.generic.websocket import AsyncWebsocketConsumer
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.utils import translation
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from coach import bus, commands, live, pages, rendering, sessions
from coach.commands import Refused, Restarting
from coach.limits import MESSAGE_CHARACTERS, PAGES_OPEN
from coach.live import Change, Follower
from coach.runner import settle
from coach.threads import in_database_thread

SIGNED_OUT = 4401
NOT_THERE = 4404
TOO_MANY = 4429
TRY_LATER = 1013
FRAME_CHARACTERS = 4 * MESSAGE_CHARACTERS

SEND_SECONDS: Final = 10.0
"""How long a browser may take to accept what it is sent, before it is let go."""

LOOK_SECONDS: Final = 10.0
"""After how long without a word from the page it is looked whether it still shows what is."""

PAUSE_SECONDS: Final = 2.0
"""What a page waits, at least, between two attempts while nobody can tell it any news."""

_pages_of: Counter[int] = Counter()
"""How many pages each person has open at this process."""


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
    id: int
    granted: bool


class Act(Command):
    """Something done to a call (verify, repeat) or to a change (undo), which `id` names."""

    command: Literal["verify", "repeat", "undo"]
    id: int


type AnyCommand = Resume | Say | Stop | Answer | Act

COMMANDS: TypeAdapter[AnyCommand] = TypeAdapter(
    Annotated[Resume | Say | Stop | Answer | Act, Field(discriminator="command")]
)


class CoachConsumer(AsyncWebsocketConsumer):
    """One open page of one conversation."""

    is_counted = False
    follows = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def receive_or_look() -> Any:
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    return await receive()
            except TimeoutError:
                return {"type": "look.again"}

        async def send_in_time(message: Any) -> None:
            async with asyncio.timeout(SEND_SECONDS):
                await send(message)

        try:
            await super().__call__(scope, receive_or_look, send_in_time)
        except TimeoutError:
            # Let go: the server closes what is left of it.
            return
        except ObjectDoesNotExist:
            # Deleted while this page showed it.
            await send({"type": "websocket.close", "code": NOT_THERE})
        except bus.LOST:
            if not self.follows:
                await asyncio.sleep(PAUSE_SECONDS)
            await send({"type": "websocket.close", "code": TRY_LATER})
        finally:
            await self._leave()

    async def connect(self) -> None:
        user = self.scope["user"]
        await self.accept()
        if not user.is_authenticated:
            await self.close(SIGNED_OUT)
            return
        self.user: User = user
        self.is_counted = True
        _pages_of[user.pk] += 1
        if _pages_of[user.pk] > PAGES_OPEN:
            await self.close(TOO_MANY)
            return
        self.session_key: str = self.scope["session"].session_key
        self.conversation_id = int(self.scope["url_route"]["kwargs"]["pk"])
        self.language = await in_database_thread(pages.language_of, user, self.scope)
        if not await in_database_thread(pages.is_own, user, self.conversation_id):
            await self.close(NOT_THERE)
            return
        self.follower = Follower()
        await self._join()
        self.follows = True

    async def _join(self) -> None:
        for group in self._groups():
            await bus.join(group, self.channel_name)

    async def _leave(self) -> None:
        if self.is_counted:
            _pages_of[self.user.pk] -= 1
            if not _pages_of[self.user.pk]:
                del _pages_of[self.user.pk]
        if self.follows:
            for group in self._groups():
                await bus.leave(group, self.channel_name)

    def _groups(self) -> tuple[str, str]:
        return live.group_of(self.conversation_id), sessions.group_of(self.session_key)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.follows:
            return
        if not await in_database_thread(sessions.is_signed_in, self.user, self.session_key):
            await self.close(SIGNED_OUT)
            return
        with translation.override(self.language):
            if command := _parsed(text_data):
                await self._carry_out_or_refuse(command)
            else:
                await self._refuse(
                    "", _("This message could not be taken. Reload the page and send it again.")
                )

    async def _carry_out_or_refuse(self, command: AnyCommand) -> None:
        try:
            await self._carry_out(command)
        except Restarting:
            # Not acknowledged: the page sends it again, once it is connected again.
            return
        except Refused as refused:
            await self._refuse(getattr(command, "client_id", ""), refused.message)
        except ObjectDoesNotExist:
            await self._refuse(
                getattr(command, "client_id", ""), _("This is not there any more. Reload the page.")
            )

    async def _carry_out(self, command: AnyCommand) -> None:
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
                await commands.consent(self.user, command.id, granted=command.granted)
            case Act(command="verify"):
                await commands.verify(self.user, command.id)
            case Act(command="repeat"):
                await commands.repeat(self.user, command.id)
            case Act():
                await commands.undo(self.user, command.id)

    async def turn_changed(self, change: Change) -> None:
        if html := await self.follower.fragment_for(change):
            await self.send(html)

    async def look_again(self, event: dict[str, str]) -> None:
        """Whatever the page was not told (messages may be dropped, groups forgotten) it is told now."""
        if self.follows:
            await self._join()
            if html := await self.follower.look_again():
                await self.send(html)

    async def signed_out(self, event: dict[str, str]) -> None:
        await self.close(SIGNED_OUT)

    async def _refuse(self, client_id: str, reason: str) -> None:
        await self.send(await in_database_thread(rendering.composer_state, refused=client_id, reason=reason))


def _parsed(frame: str | None) -> AnyCommand | None:
    """The command in a frame, or None when there is none to be made out."""
    if frame is None or len(frame) > FRAME_CHARACTERS:
        return None
    try:
        return COMMANDS.validate_json(frame)
    except ValidationError:
        return None
