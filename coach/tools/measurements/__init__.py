"""The Coach's tools for measurements. The only part of coach that knows the measurements package."""

from coach.tools.measurements.changing import DELETE, WRITE
from coach.tools.measurements.person import surroundings_of, units_of
from coach.tools.measurements.reading import LIST, READ, SUMMARIZE
from coach.tools.measurements.receipts import Receipt, overtaken_turns, receipts, undo

__all__ = [
    "DELETE",
    "LIST",
    "READ",
    "SUMMARIZE",
    "WRITE",
    "Receipt",
    "overtaken_turns",
    "receipts",
    "surroundings_of",
    "undo",
    "units_of",
]
