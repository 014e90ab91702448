"""Who holds a turn: names that tell, on the same machine, whether the process behind them still lives.

A lease runs out by itself; this only spares the wait when the holder is known to be gone. Whoever
is wrongly taken for dead is fenced off like anybody who lost a lease.
"""

import os
import socket
import uuid
from functools import cache


def mint(kind: str) -> str:
    """A new name for this process. `kind` says what it is, for whoever reads the row."""
    return f"{kind}:{_place()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def is_dead(owner: str) -> bool:
    """Whether that holder was a process of this machine and is no more."""
    _kind, place, pid, *_rest = [*owner.split(":"), "", ""]
    return place == _place() and pid.isdecimal() and not _is_alive(int(pid))


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@cache
def _place() -> str:
    """This machine, and on Linux the container in it: process numbers mean nothing elsewhere."""
    try:
        namespace = str(os.stat("/proc/self/ns/pid").st_ino)
    except OSError:
        namespace = ""
    return f"{socket.gethostname()[:20]}.{namespace}"
