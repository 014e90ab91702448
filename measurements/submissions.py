"""Something sent twice has one effect: over a network a sender cannot always know that it arrived.

The sender names what it sends by a key of its own. The effect and the row that remembers it are
one transaction, so that there is never one without the other.
"""

import datetime as dt
import hashlib
import json
from collections.abc import Callable
from typing import Any, cast

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from measurements.errors import KeyReused
from measurements.models import Submission
from measurements.revising import lock

KEPT = dt.timedelta(days=90)
"""For so long a key is known at least: a phone may be offline for a while. Later it counts as new."""


def once[T](actor: User, *, key: str, kind: str, content: Any, do: Callable[[], T]) -> T:
    """Runs `do` and keeps its result; the same key again gives that result and runs nothing.

    `content` (what was sent) and the result are values that JSON has. Raises KeyReused when the key
    stands for another `kind` or `content`, and whatever `do` raises: then nothing is kept, and the
    key is free.
    """
    fingerprint = _fingerprint(content)
    with transaction.atomic():
        # Whoever comes at the same moment with the same key waits here, and then finds the row.
        lock(actor)
        known = Submission.objects.filter(user=actor, key=key).first()
        if known is not None:
            if (known.kind, known.fingerprint) != (kind, fingerprint):
                raise KeyReused
            return cast(T, known.result)
        result = do()
        Submission.objects.filter(user=actor, created_at__lt=timezone.now() - KEPT).delete()
        Submission.objects.create(user=actor, key=key, kind=kind, fingerprint=fingerprint, result=result)
        return result


def _fingerprint(content: Any) -> str:
    """Equal for equal content, in whatever order its fields were sent."""
    written = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()
