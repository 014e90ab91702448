"""A socket is let in by its cookie once; from then on it must notice when the session has ended."""

import json
import uuid
from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connections
from django.test import AsyncClient

from coach.models import Turn
from coach.threads import in_database_thread
from gymnasia.asgi import application
from tests.coach.conftest import open_turn

pytestmark = pytest.mark.django_db(transaction=True)

SAY = {"command": "say", "client_id": str(uuid.UUID(int=1)), "text": "hola"}


@pytest.fixture(autouse=True)
async def _close_connections() -> AsyncIterator[None]:
    """AsyncClient leaves one in the thread that Django runs synchronous code on."""
    yield
    await sync_to_async(connections.close_all)()


async def open_page(client: AsyncClient, user: User) -> WebsocketCommunicator:
    """A socket of a new conversation, opened with the client's session."""
    await client.aforce_login(user)
    turn = await in_database_thread(open_turn, user)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    headers = {"origin": "http://localhost", "host": "localhost", "cookie": cookie}
    socket = WebsocketCommunicator(
        application,
        f"/ws/coach/{turn.conversation_id}/",
        headers=[(name.encode(), value.encode()) for name, value in headers.items()],
    )
    connected, _protocol = await socket.connect(timeout=5)
    assert connected
    # As a page does. The answer says that it is followed from here on.
    await socket.send_to(json.dumps({"command": "resume", "last_number": 0}))
    await socket.receive_output(5)
    return socket


async def is_closed(socket: WebsocketCommunicator) -> bool:
    return bool((await socket.receive_output(5)) == {"type": "websocket.close", "code": 4401})


async def test_signing_out_closes_the_pages_of_that_session(person: User) -> None:
    client = AsyncClient()
    socket = await open_page(client, person)
    await client.post("/accounts/logout/")
    assert await is_closed(socket)


async def test_signing_out_elsewhere_leaves_this_session_alone(person: User) -> None:
    socket = await open_page(AsyncClient(), person)
    elsewhere = AsyncClient()
    await elsewhere.aforce_login(person)
    await elsewhere.post("/accounts/logout/")
    assert await socket.receive_nothing()
    await socket.disconnect()


async def test_command_of_an_ended_session_is_not_carried_out(person: User) -> None:
    socket = await open_page(AsyncClient(), person)
    await in_database_thread(Session.objects.all().delete)
    await socket.send_to(json.dumps(SAY))
    assert await is_closed(socket)
    assert await in_database_thread(Turn.objects.count) == 1


async def test_changed_password_ends_the_other_pages(person: User) -> None:
    socket = await open_page(AsyncClient(), person)
    person.set_password("otra-clave-larga")
    await in_database_thread(person.save)
    await socket.send_to(json.dumps(SAY))
    assert await is_closed(socket)


async def test_closed_account_can_say_nothing_more(person: User) -> None:
    socket = await open_page(AsyncClient(), person)
    person.is_active = False
    await in_database_thread(person.save)
    await socket.send_to(json.dumps(SAY))
    assert await is_closed(socket)
