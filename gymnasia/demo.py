"""Two years of a made-up person's measurements, as a file in openScale 3's export format.

Deterministic, apart from the day on which it ends. Like real data it has gaps, holidays, two
weigh-ins on some days, notes with commas, and body measurements now and then.
"""

import csv
import datetime as dt
import io
import math
import random

HEADER = tuple(
    "DATE TIME BICEPS BMI BMR BODY_FAT BONE CALIPER CALIPER_1 CALIPER_2 CALIPER_3 CALORIES CHEST "
    "COMMENT HEART_RATE HIPS LBM MUSCLE NECK TDEE THIGH VISCERAL_FAT WAIST WATER WEIGHT WHR WHTR".split()
)
DAYS = 730
NOTES = ("after run, tired", "back from holiday", "", "slept badly, late dinner", "new scale")


def openscale_file(last_day: dt.date) -> str:
    """The text of the export, oldest day first, ending on `last_day`."""
    chance = random.Random(20260101)  # noqa: S311 - made-up data, the same each time
    text = io.StringIO()
    rows = csv.DictWriter(text, HEADER, restval="", lineterminator="\n")
    rows.writeheader()
    for number in range(DAYS):
        if chance.random() < 0.16 or 300 <= number < 312:
            continue
        on = last_day - dt.timedelta(days=DAYS - 1 - number)
        row = _morning(chance, on, number)
        rows.writerow(row)
        if chance.random() < 0.03:
            evening = {"DATE": row["DATE"], "TIME": f"21:{chance.randrange(60):02}:00"}
            rows.writerow(evening | {"WEIGHT": f"{float(row['WEIGHT']) + 0.8:.1f}"})
    return text.getvalue()


def _morning(chance: random.Random, on: dt.date, number: int) -> dict[str, str]:
    # A slow fall that levels off, the seasons, the week, and the scale's own noise.
    level = 80.2 + 5.2 * math.exp(-number / 240) + 0.7 * math.sin(number / 365 * math.tau)
    weight = level + 0.25 * math.sin(on.weekday() / 7 * math.tau) + chance.gauss(0, 0.35)
    row = {
        "DATE": on.isoformat(),
        "TIME": f"07:{chance.randrange(5, 55):02}:{chance.randrange(60):02}.{chance.randrange(1000):03}",
        "WEIGHT": f"{weight:.1f}",
        "BMI": f"{weight / 1.80**2:.1f}",
    }
    if number % 3 == 0:
        row["BODY_FAT"] = f"{15.5 + (weight - 80) * 0.7 + chance.gauss(0, 0.3):.1f}"
    if number % 14 == 0:
        row["WAIST"] = f"{86 + (weight - 80) * 0.9 + chance.gauss(0, 0.4):.1f}"
        row["HIPS"] = f"{98 + (weight - 80) * 0.5 + chance.gauss(0, 0.3):.1f}"
    if number % 61 == 0:
        row["COMMENT"] = chance.choice(NOTES)
    return row
