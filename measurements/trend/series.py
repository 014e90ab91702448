"""The series under every trend: one point for each day that has any. Pure."""

from collections.abc import Iterable
from datetime import date
from itertools import groupby
from operator import itemgetter
from statistics import fmean

type Point = tuple[date, float]


def daily_means(points: Iterable[Point]) -> list[Point]:
    """One point for each day that has any, in order: their mean. The order of the input is of no account."""
    by_day = groupby(sorted(points), key=itemgetter(0))
    return [(day, fmean(value for _, value in group)) for day, group in by_day]
