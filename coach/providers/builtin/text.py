"""A message while it is being understood."""

import re
import unicodedata
from re import Match, Pattern

TAKEN = "\x00"
"""Stands where something was recognised. No word, space or mark that a pattern looks for."""


def fold(text: str) -> str:
    """Small letters without accents and one kind of quotation mark, letter for letter: positions stay."""
    return "".join(map(_fold_letter, text))


def _fold_letter(letter: str) -> str:
    if letter in "’‘´`":
        return "'"
    if letter in "“”«»":
        return '"'
    if not letter.isalpha():
        return letter if letter != TAKEN else " "
    return unicodedata.normalize("NFKD", letter.lower())[0]


def vocabulary(listed: str) -> frozenset[str]:
    """The words of a list that is written with spaces between them."""
    return frozenset(listed.split())


def words(alternatives: str) -> Pattern[str]:
    """Matches any of the alternatives, as whole words."""
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])")


class Draft:
    """What is recognised is taken out of the message, so that what is left is what was not understood.

    `original` and `rest` have the same positions. White space counts as one space.
    """

    def __init__(self, text: str) -> None:
        self.original = " ".join(unicodedata.normalize("NFC", text).split())
        self.rest = fold(self.original)

    def copy(self) -> "Draft":
        draft = Draft("")
        draft.original, draft.rest = self.original, self.rest
        return draft

    def take(self, pattern: Pattern[str]) -> Match[str] | None:
        """The first match, which is taken out."""
        match = pattern.search(self.rest)
        if match:
            self.drop(match.start(), match.end())
        return match

    def take_all(self, pattern: Pattern[str]) -> list[Match[str]]:
        matches = list(pattern.finditer(self.rest))
        for match in matches:
            self.drop(match.start(), match.end())
        return matches

    def drop(self, start: int, end: int) -> None:
        self.rest = self.rest[:start] + TAKEN * (end - start) + self.rest[end:]

    def leftover(self) -> list[str]:
        """The words and numbers that nothing recognised."""
        return [self.original[m.start() : m.end()] for m in re.finditer(r"[^\W_]+", self.rest)]
