"""The application with one of its guards taken out, to show that the proofs would notice.

`SABOTAGE` names them, separated by commas: `split` (effect and outcome in two transactions),
`unverified` (an uncertain write is called saved without asking storage), `leaseless` (nobody checks
who holds a turn). `SHORT_LEASE` is no sabotage: leases run out after two seconds.
"""

import os
from collections.abc import Callable
from types import ModuleType
from typing import Any

# First of all: it sets Django up.
from gymnasia.asgi import application

# isort: split

from django.db import transaction
from django.db.models.functions import Now

from coach import faults, leases, ledger, runner
from coach.contract import Outcome
from coach.faults import FaultPoint
from coach.models import CallState, ToolCall, Turn, Verification

__all__ = ["application"]


def split_commit(call_id: int, work: Callable[[], Outcome], *, deadline: float) -> Outcome:
    with transaction.atomic(durable=True):
        outcome = work()
    faults.hit(FaultPoint.BEFORE_COMMIT)
    with transaction.atomic(durable=True):
        ledger._step(call_id, CallState.RUNNING, **ledger._outcome_columns(outcome))
    faults.hit(FaultPoint.AFTER_COMMIT)
    return outcome


def assume_saved(call_id: int, **_: Any) -> Verification:
    ToolCall.objects.filter(pk=call_id).update(
        state=CallState.SUCCEEDED,
        is_error=False,
        content='{"saved": []}',
        verification=Verification.SAVED,
    )
    return Verification.SAVED


def intend_for_anybody(call: ToolCall, *, owner: str, arguments: dict[str, Any], effect: Any) -> None:
    faults.hit(FaultPoint.BEFORE_INTENT)
    ToolCall.objects.filter(pk=call.pk).update(
        state=CallState.RUNNING, arguments=arguments, effect=effect.value, started_at=Now()
    )


def hold_for_anybody(turn_id: int, owner: str, **columns: Any) -> None:
    Turn.objects.filter(pk=turn_id).update(**columns)


def take_out(guard: str) -> None:
    match guard:
        case "split":
            put(ledger, "commit_effect", split_commit)
        case "unverified":
            put(ledger, "verify", assume_saved)
        case "leaseless":
            put(ledger, "intend", intend_for_anybody)
            put(leases, "hold", hold_for_anybody)


def put(module: ModuleType, name: str, value: object) -> None:
    assert hasattr(module, name), f"{module.__name__}.{name} is not there to be replaced"
    setattr(module, name, value)


for guard in filter(None, os.environ.get("SABOTAGE", "").split(",")):
    take_out(guard)

if os.environ.get("SHORT_LEASE"):
    put(leases, "LEASE_SECONDS", 2)
    put(runner, "HEARTBEAT_SECONDS", 1)
    put(runner, "SWEEP_SECONDS", 1.0)
