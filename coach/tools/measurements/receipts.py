"""What the page shows of a change that the Coach made, and taking it back."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib.auth.models import User

from measurements import errors, queries, services
from measurements.format import (
    metric_name,
    show_date,
    show_snapshot,
)
from measurements.models import Revision, Source
from measurements.services import Origin


@dataclass(frozen=True, slots=True)
class Receipt:
    """One change of one record, as a card: what it is now, what it was, and whether it can be taken back."""

    revision_id: int
    metric: str
    on: dt.date
    date: str
    value: str
    was: str
    is_undone: bool
    can_undo: bool

    @property
    def is_removal(self) -> bool:
        return not self.value


def receipts(user: User, identities: Sequence[str]) -> dict[str, list[Receipt]]:
    """The changes made by each of the calls with these identities, oldest first."""
    found = queries.revisions_for(user, identities)
    return {identity: [_receipt(revision) for revision in revisions] for identity, revisions in found.items()}


def _receipt(revision: Revision) -> Receipt:
    return Receipt(
        revision_id=revision.pk,
        metric=metric_name(revision.metric),
        on=revision.measured_on,
        date=show_date(revision.measured_on),
        value=show_snapshot(revision.after) if revision.after else "",
        was=show_snapshot(revision.before) if revision.before else "",
        is_undone=cast(Any, revision).is_undone,
        can_undo=revision.can_undo,
    )


def overtaken_turns(user: User, identities: Sequence[str]) -> set[int]:
    """The turns whose receipts lost their Undo to a change that the calls with these identities made."""
    references = queries.references_overtaken(user, identities)
    turns = (reference.partition(".")[0] for reference in references)
    return {int(turn) for turn in turns if turn.isdecimal()}


def revision_reference(user: User, revision_id: int) -> str:
    """The identity of the call that made a change of this person; empty for any other change."""
    revision = queries.revision(user, revision_id)
    return revision.reference if revision and revision.source == Source.COACH else ""


def undo(user: User, revision_id: int) -> str | None:
    """Takes back a change of the Coach; gives the identity of its call, or None when it cannot be done."""
    identity = revision_reference(user, revision_id)
    if not identity:
        return None
    try:
        services.undo(user, revision_id=revision_id, origin=Origin(Source.FORM))
    except errors.MeasurementError:
        return None
    return identity
