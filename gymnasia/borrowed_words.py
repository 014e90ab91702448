"""Words of Django's that our catalogues spell in its place. Nothing imports this: extraction finds them here.

Django's own Brazilian Portuguese has the short names of the days with capitals, and "Sab" without its
accent.
"""

from django.utils.translation import gettext_noop

SHORT_DAYS = (
    gettext_noop("Mon"),
    gettext_noop("Tue"),
    gettext_noop("Wed"),
    gettext_noop("Thu"),
    gettext_noop("Fri"),
    gettext_noop("Sat"),
    gettext_noop("Sun"),
)
