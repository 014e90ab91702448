"""A script for trying things by hand and in a browser: it goes by what the person wrote.

`#use NAME {…}` makes that call; `#fail 529` answers with that status; `#cut mid_text` breaks the
connection there; `#length`, `#refuse`, `#empty`, `#think`, `#slow` and `#silent` do what they say.
Anything else is understood as the worked conversation of the contract is: a day to read, with a day
to fall back to, or a weight to write down.
"""

import json
import re

from tests.fakes.scripts import Cut, End, Reply, Say, Seen, Think, Use, fails, says, uses

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
WEIGHT = re.compile(r"(\d+(?:[.,]\d+)?)\s*kg", re.IGNORECASE)


def by_hand(seen: Seen) -> Reply:
    directive, _, argument = seen.text.partition(" ")
    match directive:
        case "#fail":
            return fails(int(argument), retry_after="1")
        case "#cut":
            return Reply(pieces=[Say("This will break off"), Use("nothing")], cut=Cut(argument))
        case "#length":
            return Reply(
                pieces=[Say("This is cut"), Use("read_measurement", {"date": "2020-01-01"})], end=End.LENGTH
            )
        case "#refuse":
            return says("I would rather not.", end=End.REFUSAL)
        case "#empty":
            return Reply()
        case "#silent":
            return Reply(silent=True)
        case "#slow":
            return says("word " * 40, split=[20] * 2000, pause=0.05)
        case "#think":
            return Reply(pieces=[Think("c2lnbmF0dXJl"), Say("I have thought about it.")])
        case "#use" if not seen.results:
            name, _, arguments = argument.partition(" ")
            return uses(name, arguments)
        case "#use":
            return says(f"It gave: {seen.results[-1].content}")
        case _:
            return _converse(seen)


def _converse(seen: Seen) -> Reply:
    days = DAY.findall(seen.text)
    if not days:
        return says("I can read a day or write a weight down. Name the day as 2020-01-02.")
    if weight := WEIGHT.search(seen.text):
        return _write(seen, days[0], weight[1].replace(",", "."))
    return _read(seen, days)


def _write(seen: Seen, day: str, weight: str) -> Reply:
    if not seen.results:
        values = [{"metric": "weight", "value": float(weight), "unit": "kg"}]
        return uses("write_measurement", {"date": day, "values": values})
    return says(f"{day}: {weight} kg." if _succeeded(seen) else "That did not work.")


def _read(seen: Seen, days: list[str]) -> Reply:
    """One day after the other until one has a record. Ids differ, as a good vendor's do."""
    tried = len(seen.results)
    if tried and _succeeded(seen):
        found = json.loads(seen.results[-1].content)["measurements"][0]
        missing = f"Falta el registro de {days[0]}. " if tried > 1 else ""
        return says(f"{missing}El {days[tried - 1]} hay un peso guardado: {found['value']} {found['unit']}.")
    if tried < len(days):
        call = Use("read_measurement", {"date": days[tried]}, id=f"call_{tried + 1}")
        return Reply(pieces=[call])
    return says(f"No hay registro de {' ni de '.join(days)}.")


def _succeeded(seen: Seen) -> bool:
    return '"kind": "tool_error"' not in seen.results[-1].content
