"""What a person says about a file that the file does not say itself, and the file itself."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from measurements.formats.base import Ask, Role, Settings
from measurements.formats.words import DATE, NOTE, NOTHING, ROLES, TIME
from measurements.importing import settings_for
from measurements.labels import METRIC_NAMES
from measurements.models import Profile
from measurements.uploads import MOST_BYTES

MASS_UNITS: Final = (("kg", _("kilograms")), ("lb", _("pounds")), ("st", _("stones")))
LENGTH_UNITS: Final = Profile.LengthUnit.choices
DATE_ORDERS: Final = (("day", _("the day")), ("month", _("the month")))
COLUMN_PREFIX: Final = "column-"
# More columns than any table of measurements has, and fewer fields than a form may send.
MOST_COLUMNS: Final = 200

ROLE_NAMES: Final[Mapping[str, str | Promise]] = {
    NOTHING: _("not imported"),
    DATE: _("Date, or date and time"),
    TIME: _("Time"),
    NOTE: _("Note"),
    **METRIC_NAMES,
}


class FileForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,
        error_messages={"required": _("Choose a file first.")},
    )

    def clean_file(self) -> "UploadedFile[Any]":
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(_("The file is larger than 4 GB."))
        return file


@dataclass(frozen=True, slots=True)
class Answers:
    """What was said of a file. What makes no sense counts as not said."""

    mass_unit: str = ""
    length_unit: str = ""
    date_order: str = ""
    columns: Mapping[int, str] = field(default_factory=dict)

    def settings_for(self, profile: Profile) -> Settings:
        return settings_for(
            profile,
            self.mass_unit,
            length_unit=self.length_unit,
            day_first={"day": True, "month": False}.get(self.date_order),
            columns=dict(self.columns) or None,
        )


def answers_in(data: Mapping[str, Any]) -> Answers:
    columns = {
        index: data[name]
        for index in range(MOST_COLUMNS)
        if (name := f"{COLUMN_PREFIX}{index}") in data and data[name] in ROLES
    }
    return Answers(
        _one_of(MASS_UNITS, data.get(Ask.MASS_UNIT)),
        _one_of(LENGTH_UNITS, data.get(Ask.LENGTH_UNIT)),
        _one_of(DATE_ORDERS, data.get(Ask.DATE_ORDER)),
        columns,
    )


def _one_of(choices: Sequence[tuple[str, Any]], value: Any) -> str:
    return value if value in dict(choices) else ""


class AnswersForm(forms.Form):
    """The questions that a file leaves open, with what is taken for their answers now."""

    def __init__(
        self, asks: Collection[Ask], columns: Sequence[Role], answers: Answers, settings: Settings
    ) -> None:
        super().__init__()
        if Ask.MASS_UNIT in asks:
            label = _("The file names no unit of weight. It is in")
            self.fields[Ask.MASS_UNIT] = _choice(label, MASS_UNITS, settings.mass_unit)
        if Ask.LENGTH_UNIT in asks:
            label = _("The file names no unit of length. It is in")
            self.fields[Ask.LENGTH_UNIT] = _choice(label, LENGTH_UNITS, settings.length_unit)
        if Ask.DATE_ORDER in asks:
            label = _("In a date like 05/01/2026, first comes")
            self.fields[Ask.DATE_ORDER] = _choice(label, DATE_ORDERS, answers.date_order)
        for index, column in enumerate(columns[:MOST_COLUMNS]):
            self.fields[f"{COLUMN_PREFIX}{index}"] = forms.ChoiceField(
                label=column.name,
                choices=[(role, ROLE_NAMES[role]) for role in ROLES],
                initial=column.role,
                help_text=column.example,
                required=False,
            )

    @property
    def seen(self) -> str:
        """The answers that the preview was made with, in the form of an address."""
        return urlencode([(name, field.initial) for name, field in self.fields.items() if field.initial])

    def sent(self, data: Mapping[str, Any]) -> str:
        """The answers that came back, written alike."""
        return urlencode([(name, data[name]) for name in self.fields if data.get(name)])

    @property
    def choices(self) -> list[forms.BoundField]:
        return [field for field in self if not field.name.startswith(COLUMN_PREFIX)]

    @property
    def columns(self) -> list[forms.BoundField]:
        return [field for field in self if field.name.startswith(COLUMN_PREFIX)]


def _choice(label: Any, choices: Sequence[tuple[str, Any]], initial: str) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, initial=initial, widget=forms.RadioSelect)
