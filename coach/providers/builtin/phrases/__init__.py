"""What the built-in coach says, by language code."""

from collections.abc import Mapping
from types import MappingProxyType

from coach.providers.builtin.phrases import en, es, pt_br
from coach.providers.builtin.phrases.base import Phrasebook

PHRASEBOOKS: Mapping[str, Phrasebook] = MappingProxyType(
    {"en": en.PHRASEBOOK, "es": es.PHRASEBOOK, "pt-br": pt_br.PHRASEBOOK}
)
