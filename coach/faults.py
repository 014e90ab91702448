"""Faults on purpose, for tests and for checks by hand: named points that normally do nothing.

`GYMNASIA_FAULTS_FILE` names a JSON file that maps points to actions and is read anew at each point:
`raise`, `raise:TEXT`, `kill`, `hang:SECONDS`, `disconnect`. Removing the file removes the faults.
"""

import asyncio
import json
import logging
import os
import signal
import time
from enum import StrEnum
from pathlib import Path

from django.conf import settings
from django.db import connection

logger = logging.getLogger(__name__)


class FaultPoint(StrEnum):
    BEFORE_INTENT = "before_intent"
    AFTER_INTENT = "after_intent"
    IN_HANDLER = "in_handler"
    BEFORE_COMMIT = "before_commit"
    AFTER_COMMIT = "after_commit"
    BEFORE_REQUEST = "before_request"
    MID_STREAM = "mid_stream"
    STORAGE_READ = "storage_read"
    DURING_RECOVERY = "during_recovery"


class InjectedFault(Exception):
    """Raised at a fault point. To the program it is an unexpected exception like any other."""


def hit(point: FaultPoint) -> None:
    """Does what the faults file asks for at `point`. Blocks the thread on `hang`."""
    if seconds := _act(point):
        time.sleep(seconds)


async def hit_async(point: FaultPoint) -> None:
    """As `hit`, from a coroutine: `hang` holds up this task alone."""
    if settings.FAULTS_FILE and (seconds := _act(point)):
        await asyncio.sleep(seconds)


def _act(point: FaultPoint) -> float:
    """Raises, kills or disconnects; or gives the seconds to hang (0 for no fault)."""
    action = _action(point)
    if not action:
        return 0.0
    logger.warning("fault at %s: %s", point.value, action)
    verb, _, argument = action.partition(":")
    match verb:
        case "raise":
            raise InjectedFault(argument or f"fault at {point}")
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
            return 0.0
        case "hang":
            return float(argument)
        case "disconnect":
            # Under Django's feet, as when the server or the network drops the connection.
            if connection.connection is not None:
                connection.connection.close()
            return 0.0
        case _:
            raise ValueError(f"{settings.FAULTS_FILE}: unknown action {verb!r} at {point}")


def _action(point: FaultPoint) -> str:
    if not settings.FAULTS_FILE:
        return ""
    try:
        text = Path(settings.FAULTS_FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    return str(json.loads(text).get(point.value, "")) if text.strip() else ""
