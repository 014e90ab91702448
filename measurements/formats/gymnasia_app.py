"""The backup of Gymnasia's earlier mobile app: JSON, of which the measurements are taken."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from measurements.formats.base import Blank, Line, Parsed, Reading, Settings, Unreadable
from measurements.formats.json_values import POINT, number_in, text_in
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.source import Kind, Source

NEWEST_SCHEMA: Final = 1
METRICS: Final = (
    ("weight_kg", "weight", "kg"),
    ("body_fat_pct", "body_fat", "%"),
    ("neck_cm", "neck", "cm"),
    ("chest_cm", "chest", "cm"),
    ("waist_cm", "waist", "cm"),
    ("hips_cm", "hips", "cm"),
    ("biceps_cm", "biceps", "cm"),
    ("quadriceps_cm", "thigh", "cm"),
    ("calf_cm", "calf", "cm"),
    ("height_cm", "height", "cm"),
)
KNOWN: Final = {"id", "measured_at", *(name for name, _metric, _unit in METRICS)}


class GymnasiaApp:
    name = "gymnasia_app"
    title = "Gymnasia (mobile app)"

    def score(self, source: Source) -> int:
        if source.kind is not Kind.JSON or '"gymnasia"' not in source.head:
            return 0
        if not isinstance(source.document, dict):
            return 0
        of = (source.document.get("app"), source.document.get("type"))
        return 100 if of == ("gymnasia", "backup") else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        version = source.document.get("schemaVersion")
        if not isinstance(version, Decimal) or version != version.to_integral_value() or version < 1:
            raise Problem(ProblemCode.NOT_A_BACKUP)
        if version > NEWEST_SCHEMA:
            raise Problem(ProblemCode.NEWER_BACKUP, str(version))
        data = source.document.get("data")
        store = data.get("store") if isinstance(data, dict) else None
        entries = store.get("measurements") if isinstance(store, dict) else None
        if not isinstance(data, dict) or not isinstance(store, dict) or not isinstance(entries, list):
            raise Problem(ProblemCode.NOT_A_BACKUP)
        parsed = Parsed(ignored=_other_parts(data, "store") | _other_parts(store, "measurements"))
        parsed.lines = _lines(entries, settings, parsed)
        return parsed


def _other_parts(part: dict[str, Any], known: str) -> set[str]:
    return {name for name, value in part.items() if name != known and value}


def _lines(entries: list[Any], settings: Settings, parsed: Parsed) -> Iterator[Line]:
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            yield Unreadable(number, Problem(ProblemCode.NOT_AN_ENTRY))
            continue
        parsed.ignored |= {name for name, value in entry.items() if name not in KNOWN and value}
        yield from _readings(number, entry, settings)


def _readings(number: int, entry: dict[str, Any], settings: Settings) -> Iterator[Line]:
    if not any(entry.get(name) is not None for name, _metric, _unit in METRICS):
        yield Blank(number)
        return
    try:
        # The app wrote noon of the day, in UTC: it tells the day and no time.
        on = POINT.stamp(text_in(entry.get("measured_at"))).on_the_clock_of(settings.zone).on
    except Problem as problem:
        yield Unreadable(number, problem)
        return
    for name, metric, unit in METRICS:
        try:
            value = number_in(entry.get(name))
        except Problem as problem:
            yield Unreadable(number, problem)
            continue
        if value is not None:
            yield Reading(number, metric, value, unit, on)


FORMAT = GymnasiaApp()
