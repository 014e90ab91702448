"""Two years in the life of somebody who weighs in most mornings, as openScale 3 would export them.

The same last day always gives the same file.
"""

import csv
import datetime as dt
import io
import random
from collections.abc import Iterator
from itertools import pairwise

DAYS = 730
HEIGHT_M = 1.80
SEED = 20260105

HEADER = (
    "DATE,TIME,BICEPS,BMI,BMR,BODY_FAT,BONE,CALIPER,CALIPER_1,CALIPER_2,CALIPER_3,CALORIES,CHEST,COMMENT,"
    "HEART_RATE,HIPS,LBM,MUSCLE,NECK,TDEE,THIGH,VISCERAL_FAT,WAIST,WATER,WEIGHT,WHR,WHTR"
)

COURSE = (
    (0, 86.4),
    (80, 84.2),
    (140, 83.8),
    (290, 80.3),
    (330, 81.9),  # a winter of feasts
    (470, 79.1),
    (560, 78.9),
    (640, 80.2),
    (730, 78.6),
)
"""Day and weight in kilograms; in between it goes straight."""

TRAVELS = ((196, 211), (548, 561))
"""Days without a scale."""

NOTES = {
    0: "New scale",
    41: "After a long run",
    118: "Slept badly",
    196: "Last one before the holidays",
    325: "Family dinner yesterday",
    402: "Flu, day three",
    497: "First 10 km, tired but happy",
    640: "Back to training",
}


def openscale_export(last_day: dt.date) -> str:
    """The CSV text; its records end on `last_day`."""
    text = io.StringIO()
    rows = csv.DictWriter(text, HEADER.split(","), lineterminator="\n")
    rows.writeheader()
    rows.writerows(_records(last_day))
    return text.getvalue()


def _records(last_day: dt.date) -> Iterator[dict[str, str]]:
    dice = random.Random(SEED)  # noqa: S311 - the same numbers each time are the point
    drift = 0.0
    for day in range(DAYS + 1):
        on = last_day - dt.timedelta(days=DAYS - day)
        # The body's water does not start anew each morning: today's swing remembers yesterday's.
        drift = 0.6 * drift + dice.gauss(0, 0.28)
        weight = _course(day) + drift + (0.25 if on.weekday() == 0 else 0.0)
        missed = dice.random() < 0.14 and day not in NOTES and day != DAYS
        if not missed and not any(first < day <= last for first, last in TRAVELS):
            yield _record(on, day, weight, dice)
            if dice.random() < 0.03:
                yield _evening(on, weight, dice)


def _record(on: dt.date, day: int, weight: float, dice: random.Random) -> dict[str, str]:
    late = 75 if on.weekday() >= 5 else 0
    woke = dt.datetime.combine(on, dt.time(6, 50)) + dt.timedelta(minutes=late + dice.randrange(35))
    record = {
        "DATE": on.isoformat(),
        "TIME": f"{woke:%H:%M}:{dice.randrange(60):02}.{dice.randrange(1000):03}",
        "WEIGHT": f"{weight:.1f}",
        "BMI": f"{weight / HEIGHT_M**2:.1f}",
        "COMMENT": NOTES.get(day, ""),
    }
    if on.weekday() in (2, 6):
        record |= {
            "BODY_FAT": f"{17.2 + (weight - 78.6) * 0.72 + dice.gauss(0, 0.3):.1f}",
            "MUSCLE": f"{42.9 - (weight - 78.6) * 0.28 + dice.gauss(0, 0.2):.1f}",
            "WATER": f"{58.6 - (weight - 78.6) * 0.45 + dice.gauss(0, 0.3):.1f}",
            "VISCERAL_FAT": f"{round(7 + (weight - 78.6) * 0.45)}",
        }
    if on.weekday() == 6 and on.day <= 7:
        record |= {
            "WAIST": f"{84.5 + (weight - 78.6) * 0.95 + dice.gauss(0, 0.4):.1f}",
            "HIPS": f"{97.5 + (weight - 78.6) * 0.55 + dice.gauss(0, 0.4):.1f}",
            "CHEST": f"{101.0 + (weight - 78.6) * 0.4 + dice.gauss(0, 0.4):.1f}",
            "BICEPS": f"{33.8 + day / DAYS + dice.gauss(0, 0.2):.1f}",
            "THIGH": f"{56.5 + (weight - 78.6) * 0.2 + dice.gauss(0, 0.3):.1f}",
            "NECK": f"{37.8 + (weight - 78.6) * 0.12 + dice.gauss(0, 0.2):.1f}",
        }
    return record


def _evening(on: dt.date, weight: float, dice: random.Random) -> dict[str, str]:
    """A day's food and drink later."""
    return {"DATE": on.isoformat(), "TIME": f"21:{dice.randrange(60):02}:00", "WEIGHT": f"{weight + 0.8:.1f}"}


def _course(day: int) -> float:
    for (start, before), (end, after) in pairwise(COURSE):
        if start <= day <= end:
            return before + (after - before) * (day - start) / (end - start)
    raise ValueError(f"day {day} lies outside the two years")
