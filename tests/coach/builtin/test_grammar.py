"""The three grammars listen for the same things."""

import pytest

from coach.providers.builtin.grammar import GRAMMARS
from coach.providers.builtin.text import fold

ENGLISH = GRAMMARS["en"]


@pytest.mark.parametrize("language", GRAMMARS)
def test_every_language_knows_the_same_metrics_and_spans(language: str) -> None:
    grammar = GRAMMARS[language]
    assert set(grammar.metrics) == set(ENGLISH.metrics)
    assert set(grammar.time.spans) == set(ENGLISH.time.spans)


@pytest.mark.parametrize("language", GRAMMARS)
def test_telling_words_are_folded_as_messages_are(language: str) -> None:
    assert all(fold(word) == word for word in GRAMMARS[language].telling)


@pytest.mark.parametrize("language", GRAMMARS)
@pytest.mark.parametrize(
    "part", ["log", "correct", "delete", "forbids", "fallback", "filler", "yes", "no", "separator"]
)
def test_no_pattern_matches_nothing_at_all(language: str, part: str) -> None:
    """An empty alternative would take everything for recognised."""
    assert getattr(GRAMMARS[language], part).search(" ... ") is None
