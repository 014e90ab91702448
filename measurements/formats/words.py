"""What the columns of an unknown table are called, in the languages that files come in. Pure."""

import re
import unicodedata
from typing import Final

from measurements.formats.spelling import UNIT_WORDS
from measurements.formats.table import LENGTH, MASS
from measurements.metrics import METRICS
from measurements.units import UNITS, Dimension

DATE, TIME, NOTE, NOTHING = "date", "time", "note", ""
ROLES: Final = (NOTHING, DATE, TIME, NOTE, *METRICS)

# The first that is found decides: "visceral fat" is no fat, "muscle mass" no body mass.
_WORDS: Final = (
    (NOTHING, "bmi imc trend tendencia average media mittel goal target meta objetivo ziel change cambio"),
    (NOTHING, "variacao anderung difference min max minimum maximum interpolated lean lbm lbw id"),
    (DATE, "date fecha data datum datetime timestamp day dia tag jour"),
    (TIME, "time hora uhrzeit heure"),
    (NOTE, "note notes nota notas comment comments comentario comentarios observacoes bemerkung notiz"),
    ("visceral_fat", "visceral viszeral"),
    ("body_fat", "fat bodyfat grasa gordura fett korperfett graisse grasse"),
    ("muscle", "muscle muscular musculo muskel muskelmasse skeletal"),
    ("water", "water agua wasser eau hydration"),
    ("bone", "bone hueso osea ossea osso knochen knochenmasse os"),
    ("neck", "neck cuello pescoco hals cou"),
    ("chest", "chest pecho peito brust poitrine"),
    ("waist", "waist cintura taille abdomen"),
    ("hips", "hip hips cadera caderas quadril hufte hanches"),
    ("biceps", "bicep biceps arm brazo braco"),
    ("thigh", "thigh thighs muslo coxa quadriceps oberschenkel cuisse"),
    ("calf", "calf calves pantorrilla panturrilha wade mollet"),
    ("height", "height altura estatura grosse taille"),
    ("weight", "weight peso gewicht poids mass bodymass masse"),
)


def role_of(name: str) -> str:
    """What a column of that name most likely is."""
    words = set(_spelled(name))
    return next((role for role, known in _WORDS if words & set(known.split())), NOTHING)


def unit_of(name: str, metric: str) -> str:
    """The unit that a column's name tells, else the metric's usual one, which may be the person's to say."""
    named = [word for word in _spelled(name) if word in UNIT_WORDS]
    accepted = [word for word in named if UNIT_WORDS[word][0] in METRICS[metric].units]
    if accepted:
        # The last: in "waist in cm" the unit is no inch.
        return accepted[-1]
    if metric == "bone":
        return MASS
    canonical = METRICS[metric].canonical_unit
    return {Dimension.MASS: MASS, Dimension.LENGTH: LENGTH}.get(UNITS[canonical].dimension, canonical)


def _spelled(name: str) -> list[str]:
    letters = unicodedata.normalize("NFKD", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.findall(r"[a-z]+|%", plain)
