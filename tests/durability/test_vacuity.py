"""The proofs are not empty: with a guard taken out, the cell that stands for it goes red."""

from pathlib import Path

import pytest

from tests.durability.driver import installation, judge
from tests.durability.test_lost_lease import ON, after_sleeping


@pytest.mark.parametrize(
    ("guard", "point", "red"),
    [("split", "before_commit", "false denials"), ("unverified", "in_handler", "false confirmations")],
)
def test_kill_without_the_guard_is_noticed(tmp_path: Path, guard: str, point: str, red: str) -> None:
    application = "tests.durability.sabotage:application"
    with installation(tmp_path, application=application, SABOTAGE=guard) as place:
        place.server.faults(**{point: "kill"})
        conversation = place.browser.say(f"write {ON}")
        place.server.wait_until_dead()
        place.server.faults()
        place.server.start()
        page = place.browser.settled(conversation or place.browser.conversations()[0])
        found = judge(page, effect=len(place.records(ON)), committed=False)
    assert [fault for fault, count in found.items() if count] == [red], page.text


def test_lost_lease_without_the_guard_is_noticed(tmp_path: Path) -> None:
    slept = after_sleeping(tmp_path, "before_intent", SABOTAGE="leaseless")
    # The page had said that nothing was done; then it was done all the same.
    assert judge(slept.settled, effect=slept.effect, committed=False)["false denials"]
