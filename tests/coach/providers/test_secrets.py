"""A key is in the request's header and nowhere else: not in bodies, records, errors or logs."""

import logging
import traceback
from typing import Any

import pytest

from coach.providers.base import Connection
from tests.coach.providers.asking import KEY, VENDORS, ask
from tests.coach.providers.conftest import Serve
from tests.fakes.scripts import Cut, Reply, fails, says
from tests.fakes.server import Fake

ANSWERS = {
    "answer": says("hola"),
    "error_that_repeats_the_key": fails(401, f"bad_key_{KEY}"),
    "cut": says("hola", cut=Cut.MID_TEXT),
    "nothing": Reply(cut=Cut.BEFORE_ANYTHING),
    "error_event": Reply(error=f"rate_limit_{KEY}"),
}


def headers_of(served: Fake) -> str:
    return " ".join(served.asked[0].headers.values())


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
async def test_key_is_nowhere_but_in_the_header(
    serve: Serve, vendor: str, answer: Reply, caplog: pytest.LogCaptureFixture
) -> None:
    served = serve(vendor, answer)
    with caplog.at_level(logging.DEBUG):
        asked = await ask(served)

    assert KEY in headers_of(served)
    shown: list[Any] = [asked.recorded, asked.events, served.asked[0].raw, caplog.text]
    if asked.error:
        shown += [repr(asked.error), "".join(traceback.format_exception(asked.error))]
    assert not [text for text in map(str, shown) if KEY in text]


def test_connection_does_not_show_its_key() -> None:
    assert KEY not in repr(Connection(KEY, "http://x"))


@pytest.mark.parametrize("name", VENDORS)
async def test_redirect_does_not_take_the_key_elsewhere(serve: Serve, name: str) -> None:
    elsewhere = serve(name, says("hola"))
    served = serve(name, fails(307, location=elsewhere.base_url + "/"))
    asked = await ask(served)
    assert asked.error is not None
    assert elsewhere.received == []
