"""The tool-outcome contract: what a call gives back, and who decides that it failed.

Pure data. `docs/contract.md` is the text; the names here are its identifiers.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

CONTRACT_VERSION = 1


class Effect(StrEnum):
    """What a tool may do to the person's data. A tool that declares nothing counts as a write."""

    READ = "read"
    WRITE = "write"


class Recovery(StrEnum):
    """Advice to the model after an error. The decision stays with the harness."""

    CORRECT_ARGUMENTS = "correct_arguments"
    CHOOSE_ALTERNATIVE = "choose_alternative"
    STOP_TURN = "stop_turn"


class ErrorCode(StrEnum):
    """Every way in which a call can fail (contract, section 3)."""

    UNKNOWN_TOOL = "unknown_tool"
    INVALID_ARGUMENTS = "invalid_arguments"
    NOT_FOUND = "not_found"
    METRIC_NOT_RECORDED = "metric_not_recorded"
    ALREADY_RECORDED = "already_recorded"
    DECLINED = "declined"
    REPEATED_CALL = "repeated_call"
    READ_FAILED = "read_failed"
    OUTCOME_UNKNOWN = "outcome_unknown"
    NOT_RUN = "not_run"


RECOVERY_OF: Mapping[ErrorCode, Recovery] = MappingProxyType(
    {
        ErrorCode.UNKNOWN_TOOL: Recovery.CORRECT_ARGUMENTS,
        ErrorCode.INVALID_ARGUMENTS: Recovery.CORRECT_ARGUMENTS,
        ErrorCode.NOT_FOUND: Recovery.CHOOSE_ALTERNATIVE,
        ErrorCode.METRIC_NOT_RECORDED: Recovery.CHOOSE_ALTERNATIVE,
        ErrorCode.ALREADY_RECORDED: Recovery.CHOOSE_ALTERNATIVE,
        ErrorCode.DECLINED: Recovery.CHOOSE_ALTERNATIVE,
        ErrorCode.REPEATED_CALL: Recovery.CHOOSE_ALTERNATIVE,
        ErrorCode.READ_FAILED: Recovery.CHOOSE_ALTERNATIVE,
        ErrorCode.OUTCOME_UNKNOWN: Recovery.STOP_TURN,
        ErrorCode.NOT_RUN: Recovery.STOP_TURN,
    }
)


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One argument that was refused, and why, in words that are safe to show."""

    field: str
    problem: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call gave back. `is_error` is the program's word and is never read out of `content`."""

    content: str
    is_error: bool
    error: ErrorCode | None = None

    @property
    def recovery(self) -> Recovery | None:
        return None if self.error is None else RECOVERY_OF[self.error]

    @property
    def stops_turn(self) -> bool:
        return self.recovery is Recovery.STOP_TURN


def success(content: str) -> Outcome:
    """The outcome of a call that did what it was asked, whatever its text looks like."""
    return Outcome(content=content, is_error=False)


def failure(error: ErrorCode, message: str, fields: Sequence[FieldProblem] = ()) -> Outcome:
    """The outcome of a call that failed, serialised once in the contract's key order.

    `message` must be safe (no exception text, SQL, path, class name, key or row id) and in the
    person's language. `fields` belongs to `invalid_arguments` alone; ValueError otherwise.
    """
    if fields and error is not ErrorCode.INVALID_ARGUMENTS:
        raise ValueError(f"fields cannot accompany {error}")
    recovery = RECOVERY_OF[error]
    payload: dict[str, object] = {
        "kind": "tool_error",
        "version": CONTRACT_VERSION,
        "is_error": True,
        "error": error.value,
        "message": message,
        "recovery": recovery.value,
        "recoverable": recovery is not Recovery.STOP_TURN,
    }
    if fields:
        payload["fields"] = [{"field": f.field, "problem": f.problem} for f in fields]
    return Outcome(content=json.dumps(payload, ensure_ascii=False), is_error=True, error=error)
