"""The server is killed at every point of a turn; what is shown afterwards is what is stored."""

import itertools
import time

import pytest

from tests.durability.conftest import FAULTS, Tally
from tests.durability.driver import WEIGHT, Installation, Page, judge, orphans, script
from tests.fakes.scripts import Reply, Seen

POINTS = {
    "write": ["before_intent", "after_intent", "in_handler", "before_commit", "after_commit"],
    "both": ["before_intent", "after_intent", "in_handler", "before_commit", "after_commit"],
    "delete": ["before_intent", "after_intent", "in_handler", "before_commit", "after_commit"],
    "read": ["before_intent", "after_intent", "storage_read"],
}
EVERY_TURN = ["before_request", "next_request", "mid_stream", "during_recovery"]
CASES = [
    (verb, point)
    for verb, points in POINTS.items()
    for point in [*points, *EVERY_TURN, *(["consent"] if verb == "delete" else [])]
]
COMMITTED = {"after_commit", "next_request", "mid_stream"}
"""The points behind the commit of the turn's write: the kill must not take it back."""

_days = (f"{year}-{month:02}-15" for year in itertools.count(1990) for month in range(1, 13))


@pytest.mark.parametrize(("verb", "point"), CASES)
def test_killed_server_comes_back_with_the_truth(
    place: Installation, tally: Tally, verb: str, point: str
) -> None:
    on = next(_days)
    before = prepare(place, verb, on)
    conversation = kill_at(place, verb, point, on)
    revive(place, point)

    started = time.monotonic()
    place.server.start()
    conversation = conversation or place.browser.conversations()[0]
    page = place.browser.settled(conversation)
    tally.recoveries.append(time.monotonic() - started)

    found = judge_case(place, verb, point, on, before, page)
    found["orphans"] = after_the_next_message(place, conversation)
    repeat_is_safe(place, verb, on, conversation, page)
    tally.kills[f"{place.name} {verb}"] += 1
    tally.faults.update({fault: found.get(fault, 0) for fault in FAULTS})
    assert not any(found.values()), (found, page.text)


def prepare(place: Installation, verb: str, on: str) -> list[float]:
    """What stands on the day before the turn: a record, where one is to be deleted."""
    place.vendor.reset(script)
    if verb != "delete":
        return []
    conversation = place.browser.say(f"write {on}")
    assert conversation
    place.browser.settled(conversation)
    return place.records(on)


def kill_at(place: Installation, verb: str, point: str, on: str) -> int | None:
    """Says what makes the turn, and sees to it that the process dies at the point."""
    browser, server = place.browser, place.server
    if point == "next_request":
        # Set by the vendor while it answers: the first request is out by then, the next is not.
        place.vendor.reset(lambda seen: _arm(place, seen))
    elif point == "consent":
        pass
    elif point == "during_recovery":
        server.faults(in_handler="kill", storage_read="kill")
    elif not (verb == "delete" and point in POINTS["delete"]):
        server.faults(**{point: "kill"})

    conversation = browser.say(f"{verb} {on}")
    if verb == "delete" and point != "before_request" and conversation:
        consent_to_die(place, point, conversation)
    server.wait_until_dead()
    return conversation


def consent_to_die(place: Installation, point: str, conversation: int) -> None:
    """Answers the question of a deletion with yes, or kills the server while it waits for the answer."""
    page = place.browser.settled(conversation)
    if point == "consent":
        place.server.kill()
        return
    action = page.action("consent")
    assert action, page.text
    if point in POINTS["delete"]:
        place.server.faults(**{point: "kill"})
    place.browser.act(action, granted="yes")


def _arm(place: Installation, seen: Seen) -> Reply:
    if not seen.results:
        place.server.faults(before_request="kill")
    return script(seen)


def revive(place: Installation, point: str) -> None:
    """For a kill during recovery: one more process that dies while it tidies up after the first."""
    if point == "during_recovery":
        place.server.faults(during_recovery="kill")
        place.start_to_die()
    place.server.faults()
    place.vendor.reset(script)


def judge_case(
    place: Installation, verb: str, point: str, on: str, before: list[float], page: Page
) -> dict[str, int]:
    stored = place.records(on)
    if verb == "delete" and page.asks:
        # Parked again: nothing was done yet, and the question still stands.
        return {"lost": int(stored != before)}
    if verb == "read":
        return {"lost": int(stored != before)}
    effect = len(before) - len(stored) if verb == "delete" else len(stored)
    return judge(page, effect=effect, committed=point in COMMITTED)


def after_the_next_message(place: Installation, conversation: int) -> int:
    """Goes on in the conversation; gives how many calls the vendor then saw without a result."""
    page = place.browser.page(conversation)
    if page.asks and (action := page.action("consent")):
        place.browser.act(action, granted="no")
        place.browser.settled(conversation)
    assert place.browser.say("hello again", conversation)
    page = place.browser.settled(conversation)
    assert page.is_settled
    return orphans(place.last_request())


def repeat_is_safe(place: Installation, verb: str, on: str, conversation: int, page: Page) -> None:
    """Repeats what was not saved, twice over: one effect, whatever happened before."""
    action = page.action("repeat")
    if action is None:
        return
    for _ in range(2):
        place.browser.act(action)
    stored = place.records(on)
    assert stored == ([] if verb == "delete" else [WEIGHT])
    assert place.browser.page(conversation).count("receipt-notsaved") == 0
