"""What the tools gave back, read leniently: a content of another shape is no content."""

from collections.abc import Sequence
from datetime import date as Date  # noqa: N812  # the fields of these models are called date
from decimal import Decimal

from pydantic import BaseModel, Field, ValidationError

from coach.contract import Outcome


class Record(BaseModel):
    """One value, with as much about it as the tool says."""

    value: Decimal = Field(allow_inf_nan=False)
    unit: str = ""
    metric: str = ""
    time: str = ""
    note: str = ""


class DatedRecord(Record):
    date: Date


class SavedRecord(DatedRecord):
    change: str


class Day(BaseModel):
    date: Date
    measurements: tuple[Record, ...]


class Listing(BaseModel):
    metric: str
    start: Date
    end: Date
    count: int
    measurements: tuple[DatedRecord, ...]


class Summary(BaseModel):
    metric: str
    start: Date
    end: Date
    count: int
    missing_days: int
    first: DatedRecord
    last: DatedRecord
    min: DatedRecord
    max: DatedRecord
    mean: Decimal
    change_per_week: Decimal | None = None
    unit: str


class Saved(BaseModel):
    saved: tuple[SavedRecord, ...]


class Deleted(BaseModel):
    deleted: DatedRecord


class Problem(BaseModel):
    field: str = ""
    problem: str


class Refusal(BaseModel):
    """The content of an error: words to pass on, never something to decide by."""

    message: str = ""
    fields: tuple[Problem, ...] = ()


def success[T: BaseModel](shape: type[T], outcome: Outcome) -> T | None:
    """The content of a success; None for an error and for content of another shape."""
    return None if outcome.is_error else _parse(shape, outcome.content)


def matching(day: Day | None, metrics: Sequence[str]) -> list[Record]:
    """The records of these metrics; without metrics, all of the day."""
    records = day.measurements if day else ()
    return [record for record in records if not metrics or record.metric in metrics]


def refusal(outcome: Outcome) -> Refusal:
    return _parse(Refusal, outcome.content) or Refusal()


def _parse[T: BaseModel](shape: type[T], content: str) -> T | None:
    try:
        return shape.model_validate_json(content)
    except ValidationError:
        return None
