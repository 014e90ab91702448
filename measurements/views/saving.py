"""What happens between a form that was sent and the row that stands: guard, ask, write."""

from collections.abc import Callable

from django.utils.translation import gettext as _

from measurements import rules
from measurements.errors import AlreadyRecorded, MeasurementError
from measurements.format import show_date, show_measurement, show_value
from measurements.forms import MeasurementForm, Question
from measurements.models import Measurement
from measurements.rules import Doubt, Moment, NewValue


def save[T](
    form: MeasurementForm,
    write: Callable[[NewValue, Moment], T],
    *,
    corrects: Measurement | None = None,
) -> T | None:
    """What `write` gives, or None when the form has to be shown again: with errors, or with a question.

    1. A form that cannot be read says why. 2. Values that the domain refuses say why. 3. Unlikely
    values are asked about, unless exactly this was said yes to; one that a correction leaves as it
    was is not judged again. 4. Only then it is written. Where another value stands, replacing it is
    asked about too; a correction cannot replace another record.
    """
    if not form.is_valid():
        return None
    value, moment = form.new_value(), form.moment()
    try:
        if not _is_as_it_was(corrects, value):
            rules.check(form.profile, moment, [value])
            if not form.is_confirmed and (
                doubts := rules.doubts(form.profile, moment, [value], corrects=corrects)
            ):
                form.question = _unlikely_question(form, doubts[0], value)
                return None
        return write(value, moment)
    except MeasurementError as error:
        if corrects is None and isinstance(error, AlreadyRecorded):
            form.question = _replace_question(form, error, value)
        else:
            form.refuse(error)
    return None


def _is_as_it_was(record: Measurement | None, value: NewValue) -> bool:
    return record is not None and (value.value, value.unit) == (record.entered_value, record.entered_unit)


def _unlikely_question(form: MeasurementForm, doubt: Doubt, value: NewValue) -> Question:
    text = doubt.message
    if form.profile.hide_numbers:
        # The domain's own words name an earlier value.
        shown = show_value(value.value, value.unit)
        text = _("Save %(value)s? That is unusual, or far from your other values.") % {"value": shown}
    return Question(text, _("Save"), f"save {form.signature}")


def _replace_question(form: MeasurementForm, error: AlreadyRecorded, value: NewValue) -> Question:
    words = {
        "standing": show_measurement(error.standing),
        "date": show_date(error.standing.measured_on),
        "value": show_value(value.value, value.unit),
    }
    if form.profile.hide_numbers:
        text = _("A value is already saved for %(date)s. Replace it with %(value)s?") % words
    else:
        text = _("%(standing)s is already saved for %(date)s. Replace it with %(value)s?") % words
    return Question(text, _("Replace"), f"replace {form.signature}")
