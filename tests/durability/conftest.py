"""Installations to be killed, on both databases; and the table of what was lost, which must be empty."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from tests.durability.driver import Installation, installation
from tests.services import Missing, postgres


@dataclass
class Tally:
    """What the kills did, over the whole run."""

    kills: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    recoveries: list[float] = field(default_factory=list)


TALLY = Tally()
FAULTS = ("lost", "doubled", "false confirmations", "false denials", "orphans")


@pytest.fixture
def tally() -> Tally:
    return TALLY


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    try:
        with postgres() as url:
            yield url
    except Missing as missing:
        # Under CI a missing service is a failure.
        if os.environ.get("CI"):
            raise
        pytest.skip(str(missing))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """The environment that names a fresh database of each kind."""
    if request.param == "sqlite":
        yield {}
    else:
        with postgres() as url:
            yield {"DATABASE_URL": url}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation on each database, shared by the cases of a module: it survives them all."""
    environment = {}
    if request.param == "postgresql":
        environment["DATABASE_URL"] = request.getfixturevalue("postgres_url")
    with installation(tmp_path_factory.mktemp("place"), name=request.param, **environment) as made:
        yield made


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not TALLY.kills:
        return
    write = terminalreporter.write_line
    terminalreporter.section("kill matrix")
    for name, count in sorted(TALLY.kills.items()):
        write(f"{count:4} kills  {name}")
    found = ", ".join(f"{TALLY.faults[fault]} {fault}" for fault in FAULTS)
    write(f"{sum(TALLY.kills.values()):4} kills in all: {found}")
    if times := sorted(TALLY.recoveries):
        middle, worst = times[len(times) // 2], times[-1]
        write(f"     from start to a settled page: median {middle:.2f} s, worst {worst:.2f} s")
