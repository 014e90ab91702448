"""What a tool is. Adding one is a module beside this file and a line in the registry."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, ValidationError

from coach.contract import Effect, ErrorCode, FieldProblem
from coach.limits import TOOL_SECONDS
from coach.messages import JSONObject, JSONValue
from coach.providers.base import ToolSpec

FIELD_CHARACTERS = 80


class Arguments(BaseModel):
    """The arguments of a tool: strict types, unknown keys refused."""

    model_config: ClassVar[ConfigDict] = ConfigDict(strict=True, extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """For whom a call runs. `identity` is the call's stable name, kept by whatever it changes."""

    user: User
    identity: str


class ToolError(Exception):
    """An error that the domain expected, with the code and the safe message of its outcome."""

    def __init__(self, error: ErrorCode, message: str, fields: Sequence[FieldProblem] = ()) -> None:
        super().__init__(message)
        self.error = error
        self.message = message
        self.fields = tuple(fields)


class ArgumentProblems(Exception):
    """The arguments were refused before anything ran."""

    def __init__(self, fields: Sequence[FieldProblem]) -> None:
        super().__init__(", ".join(f.field for f in fields))
        self.fields = tuple(fields)


@dataclass(frozen=True, slots=True)
class CallFacts:
    """What a row says of a call that has ended, for the line that describes it to the person."""

    content: str
    error: str
    saved: bool


type Days = tuple[dt.date, dt.date]


@dataclass(frozen=True, kw_only=True)
class Tool[A: Arguments]:
    """One thing that the Coach can do.

    `handler` gives the content of the success: text, or a value that is serialised as JSON. It
    raises ToolError for what the domain expects; anything else is unexpected. A write's handler
    runs inside one durable transaction and must do all its work on the default database.
    `check` refuses arguments for reasons that a schema cannot state, before anything runs.
    `consent` gives the question that the person must answer first, or None when none is needed.
    `describe` and `days_read` tell the person what a call did: a line, and the days it looked at.
    """

    name: str
    description: str
    arguments: type[A]
    handler: Callable[[ToolContext, A], JSONValue]
    describe: Callable[[A, CallFacts], str]
    effect: Effect = Effect.WRITE
    check: Callable[[ToolContext, A], Sequence[FieldProblem]] = field(default=lambda _context, _arguments: ())
    consent: Callable[[ToolContext, A], str | None] = field(default=lambda _context, _arguments: None)
    days_read: Callable[[A, CallFacts], Days | None] = field(default=lambda _arguments, _facts: None)
    time_limit: float = TOOL_SECONDS

    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, self.description, _schema(self.arguments))

    def parse(self, context: ToolContext, arguments_text: str) -> A:
        """The validated arguments; raises ArgumentProblems.

        An empty text means no arguments; whether that is enough is for the model to say.
        """
        try:
            arguments = self.arguments.model_validate_json(arguments_text or "{}")
        except ValidationError as error:
            raise ArgumentProblems([_problem(detail) for detail in error.errors()]) from None
        if problems := self.check(context, arguments):
            raise ArgumentProblems(problems)
        return arguments

    def stored(self, arguments: Mapping[str, Any]) -> A:
        """The arguments of a call that was validated and recorded earlier."""
        return self.arguments.model_validate(arguments, strict=False)


type AnyTool = Tool[Any]


def _problem(detail: Any) -> FieldProblem:
    """In the person's language, by pydantic's kind of error; the text that was sent is not repeated."""
    path = ".".join(str(step) for step in detail["loc"])[:FIELD_CHARACTERS] or "arguments"
    return FieldProblem(path, _problem_text(str(detail["type"]), detail.get("ctx", {})))


def _problem_text(kind: str, facts: dict[str, Any]) -> str:
    match kind:
        case "missing":
            return _("It is missing.")
        case "extra_forbidden":
            return _("There is no such field.")
        case "json_invalid":
            return _("This is not valid JSON.")
        case "model_type" | "model_attributes_type":
            return _("This must be a JSON object.")
        case "enum" | "literal_error":
            return _("Use one of: %(accepted)s.") % {"accepted": facts["expected"]}
        case "too_short" | "string_too_short":
            return _("There is too little of it.")
        case "too_long" | "string_too_long":
            return _("There is too much of it.")
        case "greater_than_equal":
            return _("It must be %(least)s or more.") % {"least": facts["ge"]}
        case "less_than_equal":
            return _("It must be %(most)s or less.") % {"most": facts["le"]}
    if kind.startswith("date"):
        return _("This is not a date: use YYYY-MM-DD.")
    if kind.startswith("time"):
        return _("This is not a time: use HH:MM.")
    if kind.startswith(("decimal", "int", "float", "finite")):
        return _("This is not a number that can be taken.")
    return _("This is not valid.")


def _schema(arguments: type[Arguments]) -> JSONObject:
    """JSON Schema without references or generated titles, as plain as models like it."""
    schema = arguments.model_json_schema()
    definitions = schema.pop("$defs", {})
    plain = _plain(schema, definitions)
    assert isinstance(plain, dict)
    return plain


def _plain(node: Any, definitions: Mapping[str, Any]) -> JSONValue:
    if isinstance(node, list):
        return [_plain(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node  # type: ignore[no-any-return]  # a JSON scalar
    if reference := node.get("$ref"):
        target = definitions[reference.removeprefix("#/$defs/")]
        return _plain({**target, **{k: v for k, v in node.items() if k != "$ref"}}, definitions)
    return {
        key: (
            {name: _plain(value, definitions) for name, value in item.items()}
            if key == "properties"
            else _plain(item, definitions)
        )
        for key, item in node.items()
        if not (key == "title" and isinstance(item, str))
    }
