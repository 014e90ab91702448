"""Fake vendors, served for all tests and handed out as new to each."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.coach.providers.asking import VENDORS
from tests.fakes.scripts import Reply, Script
from tests.fakes.server import Fake, fake, serving

type Serve = Callable[..., Fake]


@pytest.fixture(params=VENDORS)
def vendor(request: pytest.FixtureRequest) -> str:
    """Each of the three vendors in turn."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def start() -> Iterator[Callable[[str], Fake]]:
    """Starts a fake that serves until the last test."""
    with ExitStack() as running:
        yield lambda name: running.enter_context(serving(fake(name)))


@pytest.fixture(scope="session")
def idle() -> dict[str, list[Fake]]:
    """The fakes that serve and that no test is using."""
    return defaultdict(list)


@pytest.fixture
def serve(start: Callable[[str], Fake], idle: dict[str, list[Fake]]) -> Iterator[Serve]:
    """A fake of a vendor that answers: `serve("google", reply)` or `serve("google", script)`."""
    used: list[Fake] = []

    def hand_out(name: str, answer: Reply | Script) -> Fake:
        served = idle[name].pop() if idle[name] else start(name)
        served.reset((lambda _seen: answer) if isinstance(answer, Reply) else answer)
        used.append(served)
        return served

    yield hand_out
    for served in used:
        idle[served.dialect.name].append(served)
