"""Where and how the person measures: units, language, time zone."""

from dataclasses import dataclass

from django.contrib.auth.models import User

from measurements import queries


@dataclass(frozen=True, slots=True)
class Units:
    """The unit codes in which a person reads."""

    mass: str
    length: str


def units_of(user: User) -> Units:
    profile = queries.profile_of(user)
    return Units(profile.mass_unit, profile.length_unit)


def surroundings_of(user: User) -> tuple[str, str]:
    """The person's language (empty: not chosen) and time zone."""
    profile = queries.profile_of(user)
    return profile.language, profile.time_zone


def shown_unit(user: User, canonical: str) -> str:
    units = units_of(user)
    return {"kg": units.mass, "cm": units.length}.get(canonical, canonical)
