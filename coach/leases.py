"""Who holds a turn. Every change of a running turn asks here first, in the same conditional update."""

from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now

from coach import owners
from coach.limits import CLAIM_SECONDS, LEASE_SECONDS
from coach.models import Turn, TurnState


class LeaseLost(Exception):
    """The turn is no longer this owner's: another settled it or holds it."""


def claim(turn_id: int, owner: str) -> bool:
    """Takes a queued turn to run it. Of several that try at once, one gets True."""
    return (
        Turn.objects.filter(pk=turn_id, state=TurnState.QUEUED).update(
            state=TurnState.RUNNING, lease_owner=owner, lease_expires_at=lease_end(), started_at=Now()
        )
        == 1
    )


def renew(turn_id: int, owner: str) -> bool:
    """Keeps a running turn; False when it is no longer this owner's."""
    return _held(turn_id, owner).update(lease_expires_at=lease_end()) == 1


def hold(turn_id: int, owner: str, **columns: Any) -> None:
    """Changes a turn that must still be this owner's, in one conditional update. Raises LeaseLost."""
    if _held(turn_id, owner).update(**columns) != 1:
        raise LeaseLost


def take_over(turn_id: int, owner: str) -> bool:
    """Takes a running turn whose lease ran out. Of several that try at once, one gets True."""
    taken = abandoned().filter(pk=turn_id).update(lease_owner=owner, lease_expires_at=lease_end())
    return taken == 1


def abandoned() -> models.QuerySet[Turn]:
    """The running turns whose lease ran out."""
    return Turn.objects.filter(Q(state=TurnState.RUNNING, lease_expires_at__lt=Now()))


def waiting_turns() -> list[int]:
    """Queued turns that nobody claimed in time: the process that was told to run them is gone."""
    late = Turn.objects.filter(state=TurnState.QUEUED, lease_expires_at__lt=Now())
    return list(late.values_list("pk", flat=True))


def expire_dead() -> None:
    """Ends the leases of processes of this machine that are gone, so that nobody waits for them."""
    running = Turn.objects.filter(state=TurnState.RUNNING, lease_expires_at__gte=Now())
    for owner in set(running.values_list("lease_owner", flat=True)):
        if owners.is_dead(owner):
            running.filter(lease_owner=owner).update(lease_expires_at=Now() - timedelta(seconds=1))


def lease_end() -> CombinedExpression:
    # The database's clock, so that processes whose clocks differ agree on who holds a turn.
    return Now() + timedelta(seconds=LEASE_SECONDS)


def claim_end() -> CombinedExpression:
    """Until when a queued turn is left to the process that queued it."""
    return Now() + timedelta(seconds=CLAIM_SECONDS)


def _held(turn_id: int, owner: str) -> models.QuerySet[Turn]:
    return Turn.objects.filter(pk=turn_id, state=TurnState.RUNNING, lease_owner=owner)
