"""The three phrasebooks say the same things."""

from string import Formatter

import pytest

from coach.providers.builtin.grammar import GRAMMARS
from coach.providers.builtin.phrases import PHRASEBOOKS

ENGLISH = PHRASEBOOKS["en"]
OTHERS = [language for language in PHRASEBOOKS if language != "en"]


def placeholders(phrase: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(phrase) if name}


def test_every_language_that_is_understood_is_spoken() -> None:
    assert set(GRAMMARS) == set(PHRASEBOOKS) == {"en", "es", "pt-br"}


@pytest.mark.parametrize("language", OTHERS)
def test_every_phrase_exists_with_the_same_placeholders(language: str) -> None:
    phrases = PHRASEBOOKS[language].phrases
    assert {key: placeholders(text) for key, text in phrases.items()} == {
        key: placeholders(text) for key, text in ENGLISH.phrases.items()
    }


@pytest.mark.parametrize("language", PHRASEBOOKS)
def test_every_metric_that_is_understood_has_its_names(language: str) -> None:
    book = PHRASEBOOKS[language]
    for grammar in GRAMMARS.values():
        assert set(book.metrics) == set(book.saved_metrics) == set(grammar.metrics)
    assert len(set(book.metrics.values())) == len(book.metrics)
    assert len(set(book.months)) == 12


@pytest.mark.parametrize("language", OTHERS)
def test_no_phrase_was_left_in_english(language: str) -> None:
    layout_only = {"list_item"}
    same = {key for key, text in PHRASEBOOKS[language].phrases.items() if text == ENGLISH.phrases[key]}
    assert same <= layout_only


@pytest.mark.parametrize("language", PHRASEBOOKS)
@pytest.mark.parametrize("key", ["greeting", "help", "unknown"])
def test_it_never_passes_for_a_model(language: str, key: str) -> None:
    phrase = PHRASEBOOKS[language].phrases[key]
    assert {"en": "not a language model", "es": "no un modelo", "pt-br": "não um modelo"}[language] in phrase
