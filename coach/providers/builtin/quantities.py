"""Numbers with their units, and which measurement each is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from coach.providers.builtin.grammar.base import Grammar
from coach.providers.builtin.text import Draft

POUNDS_IN_STONE = 14
_CM_IN_METRE = 100

_UNITS = {
    "kg": r"kgs?|kilos?|kilogram(?:me)?s?|kilogramos?|quilos?|quilogramas?",
    "lb": r"lbs?|pounds?|libras?",
    "st": r"st|stones?",
    "g": r"g|grams?|gramos?|gramas?",
    "cm": r"cms?|centimet(?:er|re|ro)s?",
    "mm": r"mm|milimet(?:er|re|ro)s?|millimet(?:er|re)s?",
    "m": r"m|met(?:er|re|ro)s?",
    # "in" is an inch only where no time follows: "81.4 in the morning".
    "in": (
        r"in(?! (?:the|my|a|[a-z]*(?:uary|ril|may|ju|aug|ember|ober|march)|[0-9]))"
        r"|inch(?:es)?|pulgadas?|polegadas?"
    ),
    "%": r"percent|per cent|por ?ciento|por ?cento",
}
_SIGNS = {"%": "%", '"': "in"}
_NUMBER = r"(?<![\w.,%/+-])(?<![0-9]:)(?P<number>[0-9]+(?:[.,][0-9]+)*)"
_ANY_UNIT = "|".join(_UNITS.values())
_STONES_AND_POUNDS = re.compile(
    _NUMBER
    + rf" ?(?:{_UNITS['st']})(?: ?,)? ?(?:(?:and|y|e) )?(?P<pounds>[0-9]{{1,2}}(?:[.,][0-9])?)"
    + rf"(?: ?(?:{_UNITS['lb']})(?![^\W_])| ?(?!{_ANY_UNIT}|[\w%\"/:]|[.,][0-9]))"
)
_AMOUNT = re.compile(
    _NUMBER + rf" ?(?:(?P<sign>[%\"])|(?P<unit>{_ANY_UNIT})(?![^\W_])|(?![^\W_]|[/:]|[.,][0-9]))"
)
_PUNCTUATION = re.compile(r"[,;\n+&/]|\.(?= )")

_MASS = frozenset({"kg", "lb", "st", "st_lb", "g"})
_LENGTH_UNITS = frozenset({"cm", "mm", "in"})
_LENGTHS = frozenset({"neck", "chest", "waist", "hips", "biceps", "thigh", "calf", "height"})
_MOST_STONES = 40


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as said, with the unit that was said, if one was."""

    start: int
    end: int
    value: Decimal
    unit: str | None


@dataclass(frozen=True, slots=True)
class Mention:
    """A measurement that the message names."""

    start: int
    end: int
    metric: str


@dataclass(frozen=True, slots=True)
class Stated:
    """A value as stated: what the person left out is None."""

    metric: str | None
    value: Decimal
    unit: str | None


def take_amounts(draft: Draft, grammar: Grammar) -> list[Amount]:
    """The amounts of the message, in its order, taken out of it. What is no sound number stays."""
    found = [*_take(draft, _STONES_AND_POUNDS, grammar), *_take(draft, _AMOUNT, grammar)]
    return sorted(found, key=lambda amount: amount.start)


def take_mentions(draft: Draft, grammar: Grammar) -> list[Mention]:
    """The measurements that the message names, in its order, taken out of it."""
    found = [
        Mention(match.start(), match.end(), metric)
        for metric, pattern in grammar.metrics.items()
        for match in draft.take_all(pattern)
    ]
    return sorted(found, key=lambda mention: mention.start)


def parse_number(text: str, decimal_mark: str) -> Decimal | None:
    """81,4 and 81.4 in every language. One mark with three digits behind it is judged by the language."""
    marks = [letter for letter in text if letter in ".,"]
    all_group = len(set(marks)) == 1 and (len(marks) > 1 or _groups_thousands(text, marks[0], decimal_mark))
    whole, decimals = text, ""
    if marks and not all_group:
        whole, _mark, decimals = text.rpartition(marks[-1])
    if not _is_whole(whole) or len(decimals) > 4:
        return None
    return Decimal(re.sub("[.,]", "", whole) + (f".{decimals}" if decimals else ""))


def pair(
    amounts: Sequence[Amount], mentions: Sequence[Mention], draft: Draft, grammar: Grammar
) -> list[Stated]:
    """Which measurement each amount is of, clause by clause, else all together.

    Empty when there is no telling.
    """
    clauses = list(pairwise(_clause_ends(draft, grammar)))
    for ends in (clauses, [(0, len(draft.rest))]):
        pairs = [
            _pair_clause(
                [amount for amount in amounts if first <= amount.start < last],
                [mention.metric for mention in mentions if first <= mention.start < last],
            )
            for first, last in ends
        ]
        if None not in pairs:
            stated = [one for clause in pairs if clause for one in clause]
            metrics = {one.metric or usual_metric(one.unit) for one in stated}
            return stated if len(metrics) == len(stated) else []
    return []


def usual_metric(unit: str | None) -> str | None:
    """What is meant when no measurement is named."""
    if unit is None or unit in _MASS:
        return "weight"
    return "body_fat" if unit == "%" else None


def usual_unit(metric: str, value: Decimal, *, mass_unit: str, length_unit: str) -> str | None:
    """The unit that is meant when none is said; None when there is no telling."""
    if metric == "weight":
        if mass_unit == "st_lb":
            return "st" if value <= _MOST_STONES else None
        return mass_unit
    if metric in _LENGTHS:
        return length_unit
    return {"body_fat": "%", "water": "%", "visceral_fat": "rating"}.get(metric)


def same_kind(one: str, other: str) -> bool:
    """Whether a value in the one unit could be meant in the other."""
    return _kind(one) == _kind(other)


def _kind(unit: str) -> str:
    return "mass" if unit in _MASS else "length" if unit in _LENGTH_UNITS else unit


def _take(draft: Draft, pattern: re.Pattern[str], grammar: Grammar) -> list[Amount]:
    found = []
    for match in pattern.finditer(draft.rest):
        if amount := _amount(match, grammar):
            draft.drop(match.start(), match.end())
            found.append(amount)
    return found


def _amount(match: re.Match[str], grammar: Grammar) -> Amount | None:
    said = match.groupdict()
    value = parse_number(said["number"], grammar.decimal_mark)
    if value is None:
        return None
    unit = _SIGNS.get(said.get("sign") or "") or _unit_code(said.get("unit"))
    if pounds := said.get("pounds"):
        rest = Decimal(pounds.replace(",", "."))
        if rest >= POUNDS_IN_STONE or value != value.to_integral_value():
            return None
        value, unit = value * POUNDS_IN_STONE + rest, "st_lb"
    elif unit == "m":
        value, unit = value * _CM_IN_METRE, "cm"
    return Amount(match.start(), match.end(), value, unit)


def _unit_code(said: str | None) -> str | None:
    if said is None:
        return None
    return next(code for code, pattern in _UNITS.items() if re.match(rf"(?:{pattern})\Z", said))


def _groups_thousands(text: str, mark: str, decimal_mark: str) -> bool:
    whole, _mark, rest = text.partition(mark)
    return mark != decimal_mark and len(rest) == 3 and 0 < len(whole) <= 3 and whole != "0"


def _is_whole(text: str) -> bool:
    return re.fullmatch(r"[0-9]{1,6}|[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]{1,3}(?:,[0-9]{3})+", text) is not None


def _clause_ends(draft: Draft, grammar: Grammar) -> list[int]:
    """Where clauses begin and end: at punctuation and at "and"."""
    marks = [*_PUNCTUATION.finditer(draft.rest), *grammar.separator.finditer(draft.rest)]
    return [0, *sorted(match.start() for match in marks), len(draft.rest)]


def _pair_clause(amounts: Sequence[Amount], named: Sequence[str]) -> list[Stated] | None:
    """In order. One amount more than names is of what goes without saying, as the weight does."""
    unnamed = None
    if len(amounts) == len(named) + 1:
        unnamed = next((a for a in amounts if usual_metric(a.unit) not in (None, *named)), None)
        if unnamed is None and named:
            return None
    elif len(amounts) != len(named):
        return None
    names = iter(named)
    return [Stated(None if a is unnamed or not named else next(names), a.value, a.unit) for a in amounts]
