"""A local server that speaks the Responses API: no key, no reasoning sent back, patience, a clear 404."""

from coach.messages import Opaque, Response, Text, UserMessage
from coach.providers import base
from coach.providers.base import RejectionReason
from coach.providers.openai import LocalProvider, OpenAIProvider
from coach.providers.transport import LOCAL, REMOTE
from tests.coach.providers.asking import KEY, ask, request
from tests.coach.providers.conftest import Serve
from tests.coach.providers.vendor_types import CHECKS
from tests.fakes.scripts import Reply, Say, Think, fails, says

THOUGHT = Opaque({"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "secret"})


async def test_no_reasoning_is_sent_or_asked_for_or_kept(serve: Serve) -> None:
    served = serve("openai", Reply(pieces=[Think("x"), Say("hola")]))
    history = (UserMessage("a"), Response("openai", (THOUGHT, Text("b"))), UserMessage("c"))

    asked = await ask(served, request(*history), key="")

    (received,) = served.asked
    assert asked.text == "hola"
    assert asked.opaque == []
    assert "reasoning" not in received.raw.decode()
    assert "previous_response_id" not in received.body
    assert received.body["tools"][0]["strict"] is False
    CHECKS["openai"](received.body)


async def test_dummy_key_is_sent_when_there_is_none(serve: Serve) -> None:
    served = serve("openai", says("hola"))
    await ask(served, key="")
    assert served.asked[0].headers["authorization"] == "Bearer none"


async def test_server_that_is_too_old_is_not_found(serve: Serve) -> None:
    asked = await ask(serve("openai", fails(404)), key="")
    assert isinstance(asked.error, base.Rejected)
    assert asked.error.reason is RejectionReason.NOT_FOUND


async def test_local_server_with_a_key_of_its_own_is_still_local(serve: Serve) -> None:
    served = serve("openai", says("hola"))
    await ask(served, request(UserMessage("a"), Response("local", (THOUGHT, Text("b")))), by=LocalProvider())
    (received,) = served.asked
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert "encrypted_content" not in received.raw.decode()


def test_local_server_may_take_long_for_its_first_word() -> None:
    assert LOCAL.first_event >= 10 * REMOTE.first_event
    provider = OpenAIProvider()
    assert (provider._limits, provider._local_limits) == (REMOTE, LOCAL)
