"""How much one turn may do, and how long it may take. Pure."""

from typing import Final

TOOL_SECONDS: Final = 15.0
"""How long one call may run before a read is called failed and a write unknown."""

CALLS_PER_TURN: Final = 40
IDENTICAL_READS: Final = 2
"""How often the same read with the same arguments runs in one turn; the next is refused."""

MESSAGE_CHARACTERS: Final = 8_000
ARGUMENTS_CHARACTERS: Final = 32_000
RESPONSE_CHARACTERS: Final = 100_000
"""How long the text of one response may grow, whatever its provider goes on sending."""

TURNS_AT_ONCE: Final = 3
"""How many turns one person may have in hand, over all conversations."""

PAGES_OPEN: Final = 20
"""How many pages of one person a server process keeps up to date at once."""

LEASE_SECONDS: Final = 30
HEARTBEAT_SECONDS: Final = 8
CLAIM_SECONDS: Final = 5
"""How long a queued turn waits for the process that opened it, before any other may run it."""

PARTIAL_TEXT_SECONDS: Final = 1.0
"""How often the text of a response being streamed is written down, at most."""

REQUEST_ATTEMPTS: Final = 4
RETRY_BUDGET_SECONDS: Final = 60.0
"""The longest that all waits between attempts of one request may add up to."""

FIRST_RETRY_SECONDS: Final = 1.0


def retry_delay(*, attempt: int, waited: float, retry_after: float | None, jitter: float) -> float | None:
    """Seconds to wait after failed attempt number `attempt` (from 1), or None to give up.

    The provider's own `retry_after` is honoured as a minimum; otherwise the delay doubles.
    `jitter` is a random number in [0, 1) that spreads clients which failed together.
    """
    if attempt >= REQUEST_ATTEMPTS:
        return None
    backoff = FIRST_RETRY_SECONDS * 2 ** (attempt - 1) * (1 + jitter / 2)
    delay = max(backoff, retry_after or 0.0)
    return delay if waited + delay <= RETRY_BUDGET_SECONDS else None
