"""`make soak`: kills the server at random moments under load, for minutes, and counts what went wrong.

Prints its seed; the same seed makes the same choices (though not the same races).
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from tests.durability.driver import Installation, installation, judge
from tests.services import postgres

AT_ONCE = 3
LONGEST_LIFE_SECONDS = 4.0


def soak(place: Installation, chance: random.Random, minutes: float) -> Counter[str]:
    """Kills, restarts and judges until the time is up; gives the counts."""
    counts: Counter[str] = Counter()
    until = time.monotonic() + 60 * minutes
    number = 0
    while time.monotonic() < until:
        days = [f"{1971 + (number + n) // 336}-{(number + n) // 28 % 12 + 1:02}-{(number + n) % 28 + 1:02}"
                for n in range(AT_ONCE)]  # fmt: skip
        number += AT_ONCE
        with ThreadPoolExecutor(AT_ONCE) as pool:
            told = [pool.submit(place.browser.say, f"write {on}") for on in days]
            # The kill may fall anywhere: before, in or after any of the turns.
            time.sleep(chance.random() * LONGEST_LIFE_SECONDS)
            place.server.kill()
        place.server.start()
        counts["kills"] += 1
        for on, saying in zip(days, told, strict=True):
            conversation = saying.result()
            effect = len(place.records(on))
            counts["messages"] += 1
            if conversation is None:
                # Not acknowledged: the page would send it again under the same id.
                counts["unacknowledged"] += 1
                counts["doubled"] += int(effect > 1)
                continue
            page = place.browser.settled(conversation)
            counts.update(judge(page, effect=len(place.records(on)), committed=False))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    chosen = parser.parse_args()
    sys.stdout.write(f"seed {chosen.seed}, {chosen.minutes} minutes, {chosen.database}\n")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gymnasia-soak-")))
        environment = {}
        if chosen.database == "postgresql":
            environment["DATABASE_URL"] = stack.enter_context(postgres())
        place = stack.enter_context(installation(folder, **environment))
        counts = soak(place, random.Random(chosen.seed), chosen.minutes)
    sys.stdout.write(", ".join(f"{count} {name}" for name, count in counts.items()) + "\n")
    wrong = ("lost", "doubled", "false confirmations", "false denials")
    sys.exit(any(counts[name] for name in wrong))


if __name__ == "__main__":
    main()
