"""A service that may be away: noticed once, asked again now and then, never waited for twice in a row."""

import logging
import time
from typing import Final

logger = logging.getLogger(__name__)

RETRY_SECONDS: Final = 1.0
"""How long nobody asks a service that has just failed: one caller pays for finding out, not each."""


class Outage:
    """What a process knows of one service. Safe to use from several threads."""

    def __init__(self, service: str) -> None:
        self.service = service
        self._since: float | None = None
        self._asked = 0.0

    @property
    def may_ask(self) -> bool:
        """Whether it is worth trying (again)."""
        return self._since is None or time.monotonic() >= self._asked + RETRY_SECONDS

    def note_failure(self, error: Exception) -> None:
        self._asked = time.monotonic()
        if self._since is None:
            self._since = self._asked
            logger.warning("%s: away (%s); going on without", self.service, error)

    def note_success(self) -> bool:
        """True when this ends an outage."""
        since, self._since = self._since, None
        if since is None:
            return False
        logger.warning("%s: back after %.0f s", self.service, time.monotonic() - since)
        return True
