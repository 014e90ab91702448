"""Google Health, by Takeout: grams and UTC."""

from functools import partial
from typing import Final

from measurements.formats.base import Parsed, Settings
from measurements.formats.source import Source
from measurements.formats.table import Column, Layout, cells_of_head, csv_rows, parse_rows

LAYOUT: Final = Layout("timestamp", {"weight grams": Column("weight", "g")}, quiet=frozenset({"data source"}))


class GoogleHealth:
    name = "google_health"
    title = "Google Health"

    def score(self, source: Source) -> int:
        return 90 if {"timestamp", "weight grams"} <= set(cells_of_head(source)) else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        return parse_rows(partial(csv_rows, source), LAYOUT, settings)


FORMAT = GoogleHealth()
