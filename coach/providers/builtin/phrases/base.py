"""What the built-in coach says in one language.

Not gettext: the answer is in the language of the person's message, which need not be the active one.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Phrasebook:
    """The same keys and placeholders in every language. Metrics are named as within a sentence."""

    decimal_mark: str
    months: tuple[str, ...]
    metrics: Mapping[str, str]
    saved_metrics: Mapping[str, str]
    phrases: Mapping[str, str]
