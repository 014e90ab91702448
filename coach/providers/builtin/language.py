"""Which of the three languages a person writes in."""

import re
from collections.abc import Iterable

from coach.providers.builtin.grammar import GRAMMARS
from coach.providers.builtin.grammar.base import Grammar
from coach.providers.builtin.text import fold

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_LETTER_WEIGHT = 2


def detect(texts: Iterable[str], fallback: str) -> str:
    """The language of the first text; where that leaves a choice, of the ones after it; else `fallback`.

    Give the newest message first. An unknown `fallback` counts as English.
    """
    candidates = list(GRAMMARS)
    for text in texts:
        scores = {code: _score(text, GRAMMARS[code]) for code in candidates}
        best = max(scores.values())
        candidates = [code for code in candidates if scores[code] == best]
        if len(candidates) == 1:
            return candidates[0]
    if fallback in candidates:
        return fallback
    return candidates[0]


def _score(text: str, grammar: Grammar) -> int:
    letters = len(set(text.lower()) & grammar.telling_letters)
    return letters * _LETTER_WEIGHT + sum(word in grammar.telling for word in _WORD.findall(fold(text)))
