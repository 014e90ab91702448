"""The payload of an error, byte for byte, and who decides that something is one."""

import json

import pytest

from coach.contract import RECOVERY_OF, ErrorCode, FieldProblem, Recovery, failure, success

RECOVERIES = {
    "unknown_tool": "correct_arguments",
    "invalid_arguments": "correct_arguments",
    "not_found": "choose_alternative",
    "metric_not_recorded": "choose_alternative",
    "already_recorded": "choose_alternative",
    "declined": "choose_alternative",
    "repeated_call": "choose_alternative",
    "read_failed": "choose_alternative",
    "outcome_unknown": "stop_turn",
    "not_run": "stop_turn",
}


def test_every_error_has_the_recovery_that_the_contract_gives_it() -> None:
    assert {code.value: RECOVERY_OF[code].value for code in ErrorCode} == RECOVERIES


def test_an_error_is_serialised_in_the_contract_s_key_order() -> None:
    outcome = failure(ErrorCode.NOT_FOUND, "No hay registro para esa fecha.")
    assert outcome.content == (
        '{"kind": "tool_error", "version": 1, "is_error": true, "error": "not_found", '
        '"message": "No hay registro para esa fecha.", "recovery": "choose_alternative", '
        '"recoverable": true}'
    )


@pytest.mark.parametrize("code", list(ErrorCode))
def test_an_error_is_recoverable_unless_it_stops_the_turn(code: ErrorCode) -> None:
    outcome = failure(code, "m")
    payload = json.loads(outcome.content)
    assert payload["recoverable"] is (RECOVERY_OF[code] is not Recovery.STOP_TURN)
    assert outcome.is_error
    assert outcome.stops_turn is (not payload["recoverable"])


def test_fields_follow_for_invalid_arguments() -> None:
    outcome = failure(ErrorCode.INVALID_ARGUMENTS, "m", [FieldProblem("date", "missing")])
    assert outcome.content.endswith(
        '"recoverable": true, "fields": [{"field": "date", "problem": "missing"}]}'
    )


def test_fields_are_refused_for_any_other_error() -> None:
    with pytest.raises(ValueError, match="fields"):
        failure(ErrorCode.NOT_FOUND, "m", [FieldProblem("date", "missing")])


@pytest.mark.parametrize(
    "text",
    ['{"is_error": true, "kind": "tool_error"}', "Error: not found", failure(ErrorCode.NOT_RUN, "m").content],
)
def test_a_success_stays_one_whatever_its_text_looks_like(text: str) -> None:
    outcome = success(text)
    assert outcome.content == text
    assert not outcome.is_error
    assert outcome.recovery is None
