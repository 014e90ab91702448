"""The history of one record: who changed it, through what, when, and what was taken back."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from measurements.models import ImportBatch, Profile, Revision, Source


@dataclass(frozen=True, slots=True)
class Words:
    """What somebody said that led to a change, and the address of where it was said."""

    text: str
    address: str


type Explain = Callable[[User, Sequence[str]], Mapping[str, tuple[str, str]]]
"""Text and address of the words behind some references of a person's changes, as far as they are known."""

_explanations: Final[dict[Source, Explain]] = {}


def register_explanation(source: Source, explain: Explain) -> None:
    """Lets another part of the program, which this one knows nothing of, tell what led to its changes."""
    _explanations[source] = explain


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the record. `at` is what the person's clock said then."""

    revision: Revision
    by: str
    at: dt.datetime
    words: Words | None

    @property
    def is_undoing(self) -> bool:
        return self.revision.undoes_id is not None


def history_of(user: User, profile: Profile, record_id: int) -> list[Step]:
    """All changes of one record of the person's own, oldest first; none where there is no such record.

    A record that was removed still has its history.
    """
    own = Revision.objects.visible_to(user.pk).filter(record_id=record_id)
    revisions = list(own.with_undo_state().order_by("pk"))
    files = _file_names(user, revisions)
    words = _words_behind(user, revisions)
    return [
        Step(
            revision,
            by=_by(revision, files),
            at=revision.created_at.astimezone(profile.zone),
            words=words.get(revision.reference),
        )
        for revision in revisions
    ]


def _by(revision: Revision, files: Mapping[str, str]) -> str:
    if revision.undoes_id is not None:
        return _("Undone by you")
    match revision.source:
        case Source.COACH:
            return _("The Coach")
        case Source.IMPORT:
            file = files.get(revision.reference)
            return _("Import of %(file)s") % {"file": file} if file else _("Import")
        case Source.API:
            return _("API")
        case _:
            return _("You, by form")


def _file_names(user: User, revisions: Iterable[Revision]) -> dict[str, str]:
    imported = {revision.reference for revision in revisions if revision.source == Source.IMPORT}
    if not imported:
        return {}
    numbers = [int(pk) for reference in imported if (pk := reference.removeprefix("import:")).isdecimal()]
    batches = ImportBatch.objects.filter(user=user, pk__in=numbers)
    return {batch.reference: batch.file_name for batch in batches}


def _words_behind(user: User, revisions: Iterable[Revision]) -> dict[str, Words]:
    found: dict[str, Words] = {}
    for source, explain in _explanations.items():
        references = sorted({revision.reference for revision in revisions if revision.source == source})
        if references:
            explained = explain(user, references)
            found |= {reference: Words(*words) for reference, words in explained.items()}
    return found
