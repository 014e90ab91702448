"""What people type: one value at one moment, and how they like to read it."""

import datetime as dt
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, QueryDict
from django.utils.translation import get_language, get_language_info, gettext_lazy
from django.utils.translation import gettext as _

from measurements import services
from measurements.errors import MeasurementError
from measurements.format import show_date, show_number, show_value
from measurements.labels import UNIT_SIGNS
from measurements.metrics import METRICS
from measurements.models import Measurement, Profile
from measurements.numbers import MOST_DECIMALS, NumberProblem, Reason, parse_decimal
from measurements.preferences import preferred_unit
from measurements.rules import Moment, NewValue, minute_of
from measurements.units import POUNDS_IN_STONE

EARLIEST_BIRTH = dt.date(1900, 1, 1)
STONES = re.compile(
    r"(?P<stones>\d+)\s*(?:st\b\.?)?\s*(?P<pounds>\d[\d.,]*)?\s*(?:lbs?\b\.?)?", re.IGNORECASE
)
WITH_UNIT = re.compile(r"(?P<number>.*?\d)\s*(?P<unit>kg|g|lbs?|st|cm|mm|in|%)\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """What the person is asked before anything is saved. `answer` is what "yes" sends back."""

    text: str
    yes: str
    answer: str


class MeasurementForm(forms.Form):
    """One value of one metric. Whatever is wrong with it, everything typed stays in it.

    The unit may be typed after the number, as in "180 lb". Without date and time it is now; a date
    alone is that day without a time.
    """

    value = forms.CharField(
        label=gettext_lazy("Value"),
        error_messages={"required": gettext_lazy("Type a value first.")},
        max_length=40,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    unit = forms.ChoiceField(label=gettext_lazy("Unit"))
    date = forms.DateField(
        label=gettext_lazy("Date"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    time = forms.TimeField(
        label=gettext_lazy("Time"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )
    note = forms.CharField(
        label=gettext_lazy("Note"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2})
    )
    confirmed = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        profile: Profile,
        metric: str,
        name: str,
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, auto_id=f"{name}-%s", initial=initial)
        self.profile = profile
        self.metric = metric
        self.question: Question | None = None
        units = METRICS[metric].units
        unit = self.fields["unit"]
        assert isinstance(unit, forms.ChoiceField)
        unit.choices = [(code, UNIT_SIGNS[code]) for code in units]
        unit.initial = preferred_unit(profile, METRICS[metric].canonical_unit)
        if len(units) == 1:
            unit.widget = forms.HiddenInput()
        self.fields["date"].widget.attrs["max"] = profile.today().isoformat()

    def clean(self) -> dict[str, Any]:
        text, unit = self.cleaned_data.get("value"), self.cleaned_data.get("unit")
        if text and unit:
            try:
                self.cleaned_data["value"], self.cleaned_data["unit"] = read_value(text, unit)
            except NumberProblem as problem:
                self.add_error("value", number_message(problem.reason, text))
        return self.cleaned_data

    def new_value(self) -> NewValue:
        return NewValue(self.metric, self.cleaned_data["value"], self.cleaned_data["unit"])

    def moment(self) -> Moment:
        on, at = self.cleaned_data["date"], self.cleaned_data["time"]
        if on:
            return Moment(on, at)
        now = self.profile.now()
        return Moment(now.date(), at or now.time().replace(second=0, microsecond=0))

    def refuse(self, error: MeasurementError) -> None:
        """Puts what the domain has against it beside the field that has to change.

        The unit offers only what is accepted: one that is not was typed after the number.
        """
        field = "value" if error.field == "unit" else error.field
        self.add_error(field if field in self.fields else None, error.message)

    @property
    def signature(self) -> str:
        """What exactly a "yes" was said to: another value or moment is asked about again."""
        data = self.cleaned_data
        moment = f"{data['date'] or 'now'}/{data['time'] or ''}"
        return f"{data['value'].normalize():f} {data['unit']} {moment}"

    @property
    def is_confirmed(self) -> bool:
        return self.cleaned_data["confirmed"] in (f"save {self.signature}", f"replace {self.signature}")

    @property
    def replaces(self) -> bool:
        return bool(self.cleaned_data["confirmed"] == f"replace {self.signature}")


def initial_of(record: Measurement) -> dict[str, Any]:
    """A record as its form shows it: the number as typed, in the language's writing."""
    value, unit = record.entered_value, record.entered_unit
    return {
        "value": show_value(value, unit) if unit == "st_lb" else show_number(value, 4),
        "unit": unit,
        "date": record.measured_on,
        "time": minute_of(record),
        "note": record.note,
    }


def number_message(reason: Reason, typed: str) -> str:
    match reason:
        case Reason.TOO_MANY_DECIMALS:
            return _("“%(typed)s” has more than %(most)s decimals. Round it.") % {
                "typed": typed,
                "most": MOST_DECIMALS,
            }
        case Reason.TOO_MANY_DIGITS:
            return _("“%(typed)s” is too large a number. Check it.") % {"typed": typed}
        case Reason.NOT_A_NUMBER:
            example = show_number(Decimal("81.4"), 1)
            return _("“%(typed)s” is not a number. Type one like %(example)s.") % {
                "typed": typed,
                "example": example,
            }


def read_value(text: str, unit: str) -> tuple[Decimal, str]:
    """The number in what was typed, and its unit: the one typed after it, else the one chosen."""
    language = get_language() or settings.LANGUAGE_CODE
    if unit == "st_lb" and (stones := STONES.fullmatch(text.strip())):
        pounds = parse_decimal(stones["pounds"], language) if stones["pounds"] else Decimal()
        return int(stones["stones"]) * POUNDS_IN_STONE + pounds, unit
    if typed := WITH_UNIT.fullmatch(text.strip()):
        return parse_decimal(typed["number"], language), typed["unit"].lower().replace("lbs", "lb")
    return parse_decimal(text, language), unit


def time_zone_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Every zone with a place in its name, by region."""
    regions: dict[str, list[tuple[str, str]]] = {"UTC": [("UTC", "UTC")]}
    for zone in sorted(available_timezones()):
        region, _slash, place = zone.partition("/")
        if place and region not in (
            "Etc",
            "SystemV",
            "posix",
            "right",
            "US",
            "Brazil",
            "Canada",
            "Chile",
            "Mexico",
        ):
            regions.setdefault(region, []).append((zone, place.replace("_", " ").replace("/", " / ")))
    return list(regions.items())


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]  # has no generics at run time
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("Decides which day it is for you. Recorded days never move."),
    )
    sex = forms.ChoiceField(
        label=gettext_lazy("Sex"),
        required=False,
        choices=[("", gettext_lazy("not said")), *Profile.Sex.choices],
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Only for the estimate of body fat, whose formula differs for women and men. May stay unsaid."
        ),
    )

    class Meta:
        model = Profile
        fields: ClassVar = [
            "language",
            "time_zone",
            "mass_unit",
            "length_unit",
            "day_value",
            "theme",
            "hide_numbers",
            "sex",
            "birth_date",
        ]
        labels: ClassVar = {
            "mass_unit": gettext_lazy("Weight in"),
            "length_unit": gettext_lazy("Lengths in"),
            "day_value": gettext_lazy("With several values in a day, the trend takes"),
            "theme": gettext_lazy("Theme"),
            "hide_numbers": gettext_lazy("Hide numbers"),
            "birth_date": gettext_lazy("Date of birth"),
        }
        help_texts: ClassVar = {
            "hide_numbers": gettext_lazy("Shows trends and days without any figure."),
            "birth_date": gettext_lazy(
                "May stay empty. BMI and weight goals are for adults: this says whether they hold for you."
            ),
        }
        widgets: ClassVar = {
            "mass_unit": forms.RadioSelect,
            "length_unit": forms.RadioSelect,
            "day_value": forms.RadioSelect,
            "theme": forms.RadioSelect,
            "birth_date": forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language, zone = self.fields["language"], self.fields["time_zone"]
        assert isinstance(language, forms.ChoiceField)
        assert isinstance(zone, forms.ChoiceField)
        language.choices = [("", _("As the browser"))] + [
            (code, get_language_info(code)["name_local"].capitalize()) for code, _name in settings.LANGUAGES
        ]
        zone.choices = time_zone_choices()

    def clean_birth_date(self) -> dt.date | None:
        born: dt.date | None = self.cleaned_data["birth_date"]
        if born and not EARLIEST_BIRTH <= born <= self.instance.today():
            raise forms.ValidationError(
                _("Use a date from %(first)s to today, or leave it empty.")
                % {"first": show_date(EARLIEST_BIRTH)}
            )
        return born


class SignupExtras(forms.Form):
    """What sign-up asks beyond the account: the time zone, filled in by the browser."""

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))

    def signup(self, request: HttpRequest, user: User) -> None:
        """Called by allauth for the new account. A zone nobody knows leaves it at UTC."""
        zone = self.cleaned_data["time_zone"]
        if zone in available_timezones():
            services.update_profile(user, time_zone=zone)
