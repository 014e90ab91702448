"""How much one person may ask at once and within a minute, so that nobody takes the server from others."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models.functions import Now

from coach.limits import TURNS_AT_ONCE
from coach.models import Turn, TurnState


class TooManyAtOnce(Exception):
    """As many turns of this person as may are being worked on."""


class TooManyLately(Exception):
    """This person began as many turns within the last minute as they may."""


def check(user_id: int) -> None:
    """Within the transaction that opens the next turn. Raises TooManyAtOnce, TooManyLately.

    A turn that waits for the person, or whose process is gone, is no work for the server.
    """
    # Two messages at once must not both see room for one.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
    turns = Turn.objects.visible_to(user_id)
    in_hand = turns.filter(state__in=(TurnState.QUEUED, TurnState.RUNNING), lease_expires_at__gte=Now())
    if in_hand.count() >= TURNS_AT_ONCE:
        raise TooManyAtOnce
    if turns.filter(created_at__gt=Now() - timedelta(minutes=1)).count() >= settings.COACH_TURNS_PER_MINUTE:
        raise TooManyLately
