"""What a change did, in one sentence, for toasts, lists and receipts."""

import datetime as dt
from typing import Any

from django.utils.translation import gettext as _

from measurements.format import metric_in_sentence, show_date, show_snapshot
from measurements.models import Revision


def tell_change(revision: Revision, *, figures: bool = True) -> str:
    """ "Saved: weight 81.4 kg, Thu 2 Jan 2020." Without `figures` only what and when."""
    shown = revision.after or revision.before or {}
    words = {
        "metric": metric_in_sentence(revision.metric),
        "value": show_snapshot(shown),
        "date": show_date(dt.date.fromisoformat(shown["measured_on"])),
    }
    if not figures:
        return _without_figures(revision) % words
    if revision.before is None:
        return _("Saved: %(metric)s %(value)s, %(date)s.") % words
    if revision.after is None:
        return _("Removed: %(metric)s %(value)s, %(date)s.") % words
    if _same_value(revision.before, revision.after):
        return _("Changed: %(metric)s %(value)s, %(date)s.") % words
    words["before"] = show_snapshot(revision.before)
    return _("Changed: %(metric)s %(value)s, %(date)s; it was %(before)s.") % words


def _without_figures(revision: Revision) -> str:
    if revision.before is None:
        return _("Saved: %(metric)s, %(date)s.")
    if revision.after is None:
        return _("Removed: %(metric)s, %(date)s.")
    return _("Changed: %(metric)s, %(date)s.")


def _same_value(before: dict[str, Any], after: dict[str, Any]) -> bool:
    return show_snapshot(before) == show_snapshot(after)
