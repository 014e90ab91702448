"""In which units a person reads."""

from measurements.models import Profile
from measurements.units import UNITS, Dimension


def preferred_unit(profile: Profile, unit: str) -> str:
    """The person's unit for whatever is measured in `unit`; that unit itself where there is no choice."""
    match UNITS[unit].dimension:
        case Dimension.MASS:
            return profile.mass_unit
        case Dimension.LENGTH:
            return profile.length_unit
        case _:
            return unit
