"""What metrics and units are called, for people."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

METRIC_NAMES: dict[str, Promise] = {
    "weight": _("Weight"),
    "body_fat": _("Body fat"),
    "muscle": _("Muscle"),
    "water": _("Water"),
    "bone": _("Bone"),
    "visceral_fat": _("Visceral fat rating"),
    "neck": _("Neck"),
    "chest": _("Chest"),
    "waist": _("Waist"),
    "hips": _("Hips"),
    "biceps": _("Biceps"),
    "thigh": _("Thigh"),
    "calf": _("Calf"),
    "height": _("Height"),
}

UNIT_SIGNS: dict[str, str | Promise] = {
    "kg": "kg",
    "g": "g",
    "lb": "lb",
    "st": "st",
    "st_lb": _("st lb"),
    "cm": "cm",
    "mm": "mm",
    "in": "in",
    "%": "%",
    "rating": "",
}
