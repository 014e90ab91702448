"""A process that sleeps through its lease wakes up fenced off: what was said of its turn stays true."""

import signal
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.durability.driver import Page, another_process, installation, judge, wait_for

ON = "2020-01-03"
STATE_AT = {"before_intent": "requested", "after_intent": "running"}


@dataclass(frozen=True)
class Slept:
    """What the page said when the turn was settled, and at the end; and what is stored at the end."""

    settled: Page
    final: Page
    effect: int


def after_sleeping(folder: Path, point: str, **environment: str) -> Slept:
    """One process hangs at `point` and is frozen; another settles its turn; then the first goes on."""
    application = "tests.durability.sabotage:application"
    with (
        installation(folder / "a", application=application, SHORT_LEASE="1", **environment) as sleeper,
        another_process(sleeper, folder / "b") as other,
    ):
        sleeper.server.faults(**{point: "hang:3"})
        conversation = sleeper.browser.say(f"write {ON}")
        assert conversation
        wait_for(lambda: f"fault at {point}" in sleeper.server.log())
        assert sleeper.call_states() == [STATE_AT[point]]
        sleeper.server.send_signal(signal.SIGSTOP)
        settled = other.settled(conversation)
        sleeper.server.send_signal(signal.SIGCONT)
        sleeper.server.faults()
        wait_for(
            lambda: "was taken over" in sleeper.server.log() or bool(sleeper.records(ON)),
            lambda: (sleeper.call_states(), sleeper.server.log()),
        )
        return Slept(settled, other.settled(conversation), len(sleeper.records(ON)))


@pytest.mark.parametrize("point", STATE_AT)
def test_sleeper_commits_nothing(tmp_path: Path, database: dict[str, str], point: str) -> None:
    slept = after_sleeping(tmp_path, point, **database)
    assert slept.effect == 0
    for page in (slept.settled, slept.final):
        assert page.count("notice-caution") == 1, page.text
        assert not any(judge(page, effect=0, committed=False).values()), page.text
