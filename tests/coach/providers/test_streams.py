"""Every way in which a vendor answers, breaks or refuses gives the right events and the right error."""

import asyncio
import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coach.providers import base, transport
from coach.providers.base import End, EndReason, Reasoning, RejectionReason, ToolCall, Usage
from coach.providers.transport import TimeLimits
from tests.coach.providers.asking import KEY, VENDORS, Asked, adapter, ask, request
from tests.coach.providers.conftest import Serve
from tests.fakes import scripts
from tests.fakes.scripts import Cut, Reply, Say, Think, Use, fails, says, uses
from tests.fakes.server import Fake, fake, serving

FULL = Reply(
    pieces=[
        Think("c2lnbmF0dXJl+/=="),
        Say("Miro el día: ¿2 de enero? 🏋️"),
        Use("read_measurement", {"date": "2020-01-02"}, "call_a"),
        Use("read_measurement", {"date": "2020-01-01"}, "call_b"),
    ]
)


def end_of(asked: Asked) -> End:
    assert asked.error is None, repr(asked.error)
    last = asked.events[-1]
    assert isinstance(last, End)
    return last


async def test_text_streams_in_pieces_and_ends(serve: Serve, vendor: str) -> None:
    asked = await ask(serve(vendor, says("Son 76 kg.")))
    assert [event.text for event in asked.events if isinstance(event, base.TextDelta)] == [
        "Son ",
        "76 ",
        "kg.",
    ]
    assert end_of(asked) == End(EndReason.COMPLETE, "req_fake")


async def test_reasoning_calls_and_usage_come_in_order(serve: Serve, vendor: str) -> None:
    asked = await ask(serve(vendor, FULL))
    assert asked.text == "Miro el día: ¿2 de enero? 🏋️"
    assert Reasoning() in asked.events
    assert [(call.id, call.name) for call in asked.calls] == [
        ("call_a", "read_measurement"),
        ("call_b", "read_measurement"),
    ]
    assert json.loads(asked.calls[0].arguments_text) == {"date": "2020-01-02"}
    assert Usage(17, 9, 5) in asked.events
    assert end_of(asked).reason is EndReason.CALLS


async def test_recorded_body_is_what_the_vendor_received(serve: Serve, vendor: str) -> None:
    served = serve(vendor, says("ah"))
    asked = await ask(served, request(effort="low"))
    assert asked.recorded == served.bodies


@pytest.fixture(scope="module", params=VENDORS)
def lasting(request: pytest.FixtureRequest) -> Any:
    """One fake for all the examples of a property."""
    with serving(fake(request.param)) as served:
        yield served


@given(sizes=st.lists(st.integers(1, 90), max_size=30))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_splitting_the_stream_anywhere_gives_the_same_events(lasting: Fake, sizes: list[int]) -> None:
    replies = (FULL, Reply(pieces=FULL.pieces, split=sizes))

    async def both() -> list[Asked]:
        asked = []
        for reply in replies:
            lasting.script = lambda _seen, reply=reply: reply  # type: ignore[misc]
            asked.append(await ask(lasting))
        return asked

    whole, split = asyncio.run(both())
    assert split.events == whole.events
    assert split.error is None


async def test_sign_that_a_database_refuses_becomes_one_that_it_keeps(serve: Serve, vendor: str) -> None:
    asked = await ask(serve(vendor, says("peso \0 \\u0000 y ya", escaped=True)))
    assert asked.text == "peso \ufffd \\u0000 y ya"


async def test_answer_without_end_is_broken_off(
    serve: Serve, vendor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "RESPONSE_BYTES", 500)
    asked = await ask(serve(vendor, says("palabra " * 200)))
    assert isinstance(asked.error, base.StreamBroken)


async def test_half_a_surrogate_pair_becomes_something_that_can_be_stored(serve: Serve, vendor: str) -> None:
    asked = await ask(serve(vendor, says("peso \ud83d 🏋️", escaped=True)))
    assert asked.text == "peso ? 🏋️"
    asked.text.encode()


async def test_slow_drip_arrives_whole(serve: Serve, vendor: str) -> None:
    asked = await ask(serve(vendor, says("gota a gota", split=[7] * 100, pause=0.001)))
    assert asked.text == "gota a gota"


@pytest.mark.parametrize("cleanly", [False, True])
@pytest.mark.parametrize("cut", [Cut.MID_TEXT, Cut.MID_ARGUMENTS, Cut.BEFORE_END])
async def test_stream_that_ends_without_its_terminal_event_is_broken(
    serve: Serve, vendor: str, cut: Cut, cleanly: bool
) -> None:
    pieces: list[scripts.Piece] = [Say("Voy a mirar"), Use("read_measurement", {"date": "2020-01-02"})]
    asked = await ask(serve(vendor, Reply(pieces=pieces, cut=cut, cleanly=cleanly)))
    assert type(asked.error) is base.StreamBroken
    assert asked.text.startswith("Voy ")
    assert asked.error.request_id == "req_fake"


async def test_connection_that_breaks_before_anything_may_be_tried_again(serve: Serve, vendor: str) -> None:
    asked = await ask(serve(vendor, Reply(cut=Cut.BEFORE_ANYTHING)))
    assert type(asked.error) is base.Unavailable


async def test_clean_end_before_anything_is_broken(serve: Serve, vendor: str) -> None:
    asked = await ask(serve(vendor, Reply(cut=Cut.BEFORE_ANYTHING, cleanly=True)))
    assert type(asked.error) is base.StreamBroken


async def test_nobody_listening_is_unavailable(vendor: str) -> None:
    with serving(fake(vendor)) as gone:
        pass
    asked = await ask(gone)
    assert type(asked.error) is base.Unavailable


@pytest.mark.parametrize(
    ("limits", "reply", "expected"),
    [
        (TimeLimits(5, 0.2, 20, 20), Reply(cut=Cut.BEFORE_ANYTHING, silent=True), base.Unavailable),
        (TimeLimits(5, 20, 0.2, 20), says("a b", cut=Cut.MID_TEXT, silent=True), base.StreamBroken),
        (
            TimeLimits(5, 20, 20, 0.3),
            says("a " * 200, split=[25] * 2000, pause=0.01),
            base.StreamBroken,
        ),
    ],
    ids=["first_event", "between_events", "whole"],
)
async def test_each_time_limit_ends_the_wait(
    serve: Serve, vendor: str, limits: TimeLimits, reply: Reply, expected: type[base.ProviderError]
) -> None:
    started = time.monotonic()
    asked = await ask(serve(vendor, reply), limits=limits)
    assert type(asked.error) is expected
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, RejectionReason.BAD_REQUEST),
        (401, RejectionReason.AUTH),
        (403, RejectionReason.AUTH),
        (404, RejectionReason.NOT_FOUND),
    ],
)
async def test_rejection_says_what_was_rejected(
    serve: Serve, vendor: str, status: int, expected: RejectionReason
) -> None:
    served = serve(vendor, fails(status))
    asked = await ask(served)
    assert isinstance(asked.error, base.Rejected)
    assert asked.error.reason is expected
    assert asked.error.request_id == "req_fake"
    assert len(served.asked) == 1


@pytest.mark.parametrize("status", [408, 409, 500, 503, 529])
async def test_no_layer_below_tries_again(serve: Serve, vendor: str, status: int) -> None:
    served = serve(vendor, fails(status))
    asked = await ask(served)
    assert type(asked.error) is base.Unavailable
    assert len(served.asked) == 1


async def test_pace_limit_carries_its_delay(serve: Serve, vendor: str) -> None:
    served = serve(vendor, fails(429, retry_after="7"))
    asked = await ask(served)
    assert isinstance(asked.error, base.RateLimited)
    assert asked.error.retry_after == 7
    assert len(served.asked) == 1


OVERLOADED = {"anthropic": "overloaded_error", "openai": "server_error", "google": "service_unavailable"}


async def test_error_event_before_anything_is_unavailable(serve: Serve, vendor: str) -> None:
    asked = await ask(serve(vendor, Reply(error=OVERLOADED[vendor])))
    assert type(asked.error) is base.Unavailable


async def test_error_event_after_text_breaks_the_stream(serve: Serve, vendor: str) -> None:
    asked = await ask(serve(vendor, says("Son", error=OVERLOADED[vendor])))
    assert type(asked.error) is base.StreamBroken
    assert asked.text == "Son"


@pytest.mark.parametrize(
    ("sent", "expected"),
    [("{not json", "{not json"), ("", ""), ("[1, 2]", "[1, 2]"), ('{"date": ', '{"date": ')],
)
async def test_arguments_come_exactly_as_sent(serve: Serve, vendor: str, sent: str, expected: str) -> None:
    asked = await ask(serve(vendor, uses("read_measurement", sent)))
    assert asked.calls == [ToolCall("call_1", "read_measurement", expected)]
    assert end_of(asked).reason is EndReason.CALLS


async def test_duplicate_call_ids_are_passed_on(serve: Serve, vendor: str) -> None:
    twice = [Use("read_measurement", {"date": "2020-01-01"}, "same")] * 2
    asked = await ask(serve(vendor, Reply(pieces=twice)))
    assert [call.id for call in asked.calls] == ["same", "same"]


async def test_length_limit_is_not_an_end_for_calls(serve: Serve, vendor: str) -> None:
    reply = Reply(pieces=[Say("Voy"), *FULL.calls], end=scripts.End.LENGTH)
    asked = await ask(serve(vendor, reply))
    assert end_of(asked).reason is EndReason.TRUNCATED


async def test_refusal_is_told_apart_from_an_answer(serve: Serve, vendor: str) -> None:
    asked = await ask(serve(vendor, says("No puedo.", end=scripts.End.REFUSAL)))
    assert end_of(asked).reason is EndReason.REFUSED


@pytest.mark.parametrize(
    ("name", "code"), [("openai", "content_policy_violation"), ("google", "prohibited_content")]
)
async def test_blocked_request_is_a_refusal_and_no_bad_request(serve: Serve, name: str, code: str) -> None:
    asked = await ask(serve(name, fails(400, code)))
    assert end_of(asked) == End(EndReason.REFUSED, "req_fake")


async def test_unknown_events_are_passed_over(serve: Serve, vendor: str) -> None:
    plain = await ask(serve(vendor, FULL))
    odd = await ask(serve(vendor, Reply(pieces=FULL.pieces, unknown_events=True)))
    assert odd.events == plain.events


async def test_reply_with_nothing_in_it_still_ends(serve: Serve, vendor: str) -> None:
    asked = await ask(serve(vendor, Reply()))
    assert asked.text == ""
    assert end_of(asked).reason is EndReason.COMPLETE


async def test_stopping_early_leaves_nothing_open(serve: Serve, vendor: str) -> None:
    served = serve(vendor, says("a b c", cut=Cut.MID_TEXT, silent=True))
    stream: Any = adapter(vendor).stream(
        request(), connection=base.Connection(KEY, served.base_url), record=lambda _body: None
    )
    assert isinstance(await anext(stream), base.TextDelta)
    await stream.aclose()
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


async def test_models_are_listed(serve: Serve, vendor: str) -> None:
    served = serve(vendor, says("ah"))
    models = await adapter(vendor).models(base.Connection(KEY, served.base_url))
    assert models == tuple(served.dialect.models)


async def test_listing_with_a_wrong_key_is_rejected_once(serve: Serve, vendor: str) -> None:
    served = serve(vendor, says("ah"))
    with pytest.raises(base.Rejected) as rejected:
        await adapter(vendor).models(base.Connection("wrong-key-0000000000", served.base_url))
    assert rejected.value.reason is RejectionReason.AUTH
    assert len(served.received) == 1
