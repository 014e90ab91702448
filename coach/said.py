"""What a person said that led to a change, for whoever shows the change elsewhere."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.urls import reverse

from coach.models import Entry, EntryKind


def words_behind(user: User, identities: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The person's own message of the turn that made each of these calls, and its address."""
    turns = {
        identity: int(turn) for identity in identities if (turn := identity.partition(".")[0]).isdecimal()
    }
    entries = Entry.objects.filter(
        kind=EntryKind.USER, turn__in=turns.values(), turn__conversation__user=user
    ).select_related("turn")
    said = {entry.turn_id: entry for entry in entries}
    return {
        identity: (said[turn].text, f"{_address(said[turn])}#turn-{turn}")
        for identity, turn in turns.items()
        if turn in said
    }


def _address(entry: Entry) -> str:
    return reverse("conversation", args=[entry.turn.conversation_id])
