"""The derived figures of a person, from their latest records, and how they are said."""

from collections.abc import Mapping
from types import MappingProxyType

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from measurements import queries
from measurements.derived import Derived, Input, Lack, Person, derive
from measurements.format import show_value
from measurements.models import Profile

INPUT_METRICS = ("weight", "height", "neck", "waist", "hips")

NAMES: Mapping[str, Promise] = MappingProxyType(
    {
        "bmi": _("Body mass index (BMI)"),
        "waist_to_height": _("Waist to height"),
        "waist_to_hip": _("Waist to hip"),
        "body_fat_estimate": _("Body fat, estimated"),
    }
)

LACKS: Mapping[Lack, Promise] = MappingProxyType(
    {
        Lack.MINOR: _("It is for adults: for people under 18 it would mislead."),
        Lack.SEX: _("The formula differs for women and men. You can say which to use in Settings."),
        Lack.WEIGHT: _("No weight is recorded yet."),
        Lack.HEIGHT: _("No height is recorded yet."),
        Lack.NECK: _("No neck measurement is recorded yet."),
        Lack.WAIST: _("No waist measurement is recorded yet."),
        Lack.HIPS: _("No hip measurement is recorded yet."),
        Lack.DO_NOT_FIT: _("The measurements do not fit together. Check them, and their units."),
    }
)


def person_of(profile: Profile) -> Person:
    """What the formulas may know of somebody."""
    return Person(profile.sex, profile.birth_date)


def derived_of(user: User) -> list[Derived]:
    """Every figure as of now. Reads only; nothing of it is ever stored."""
    profile = queries.profile_of(user)
    latest = {}
    for metric in INPUT_METRICS:
        if record := queries.latest(user, metric):
            latest[metric] = Input(metric, record.value, record.pk, record.measured_on)
    return derive(person_of(profile), latest, profile.today())


def show_derived(figure: Derived) -> str:
    """The figure with its sign; nothing where it cannot be computed."""
    return "" if figure.value is None else show_value(figure.value, figure.unit or "rating")
