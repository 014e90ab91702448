"""How templates write values, dates and changes of measurements for the person who looks."""

import datetime as dt

from django import template
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from measurements import format as written
from measurements.labels import UNIT_SIGNS
from measurements.models import Measurement, Profile, Revision
from measurements.preferences import preferred_unit
from measurements.sentences import tell_change

register = template.Library()

register.filter("date_in_words", written.show_date)
register.filter("clock", written.show_time)
register.filter("metric_name", written.metric_name)
register.filter("metric_in_sentence", written.metric_in_sentence)


@register.simple_tag(takes_context=True)
def figure(context: Context, record: Measurement) -> str:
    """A recorded value in the person's unit; a row of dots for who hides numbers."""
    profile: Profile = context["request"].profile
    if profile.hide_numbers:
        return hidden_figure()
    return written.show_measurement(record, preferred_unit(profile, record.entered_unit))


@register.simple_tag
def hidden_figure() -> SafeString:
    return format_html(
        '<span aria-hidden="true">•••</span><span class="visually-hidden">{}</span>', _("hidden")
    )


@register.simple_tag(takes_context=True)
def change(context: Context, revision: Revision) -> str:
    """What a revision did, as a sentence."""
    profile: Profile = context["request"].profile
    return tell_change(revision, figures=not profile.hide_numbers)


@register.simple_tag
def unit_sign(unit: str) -> str:
    return str(UNIT_SIGNS[unit])


@register.filter
def iso(day: dt.date) -> str:
    """For addresses and attributes, which no language may touch."""
    return day.isoformat()


@register.filter
def date_from_iso(text: str) -> dt.date:
    """A day as reports keep it."""
    return dt.date.fromisoformat(text)
