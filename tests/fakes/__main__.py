"""Starts the three fake vendors for trying things by hand, and says how to point Gymnasia at them."""

import sys
import threading
from contextlib import ExitStack

from tests.fakes.by_hand import by_hand
from tests.fakes.server import DIALECTS, fake, serving

FIRST_PORT = 9101


def main() -> None:
    with ExitStack() as running:
        for port, name in enumerate(DIALECTS, start=FIRST_PORT):
            served = running.enter_context(serving(fake(name, by_hand), port=port))
            sys.stdout.write(
                f"{name.upper()}_BASE_URL={served.base_url} {name.upper()}_API_KEY=fake-key-for-tests\n"
            )
        sys.stdout.write(
            "Set these for make run. What to write is in tests/fakes/by_hand.py. Ctrl-C stops.\n"
        )
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            sys.stdout.write("Stopped.\n")


if __name__ == "__main__":
    main()
