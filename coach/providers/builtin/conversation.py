"""The history as exchanges: what the person said, and which calls followed with which outcome."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from coach.contract import Outcome
from coach.messages import Call, History, JSONValue, Response, Results, UserMessage


@dataclass(frozen=True, slots=True)
class Step:
    """A call that has its outcome. Arguments that are no JSON object count as none."""

    tool: str
    arguments: Mapping[str, JSONValue]
    outcome: Outcome


@dataclass(slots=True)
class Exchange:
    """A message of the person and the steps taken since."""

    text: str
    steps: list[Step] = field(default_factory=list)


def read(history: History) -> list[Exchange]:
    """Oldest first. Never empty: without any message there is one exchange that says nothing."""
    exchanges: list[Exchange] = []
    calls: dict[str, Call] = {}
    for item in history:
        match item:
            case UserMessage(text=text):
                exchanges.append(Exchange(text))
            case Response(parts=parts):
                calls.update({part.id: part for part in parts if isinstance(part, Call)})
            case Results(results=results) if exchanges:
                exchanges[-1].steps += [
                    Step(calls[r.call_id].name, _arguments(calls[r.call_id]), r.outcome)
                    for r in results
                    if r.call_id in calls
                ]
    return exchanges or [Exchange("")]


def _arguments(call: Call) -> Mapping[str, JSONValue]:
    try:
        arguments = json.loads(call.arguments_text)
    except (ValueError, RecursionError):
        return {}
    return arguments if isinstance(arguments, dict) else {}
