"""The trend of a series of values: what the body does behind what the scale says. Pure; see docs/trend.md."""

from measurements.trend.exponential import TIME_CONSTANT_DAYS, exponential
from measurements.trend.forecast import FanPoint, fan
from measurements.trend.kalman import LocalLinear, State, local_linear
from measurements.trend.line import Kind, LinePoint, line
from measurements.trend.noise import noise_of, typical
from measurements.trend.rate import (
    LEAST_DAYS,
    LEAST_SPAN_DAYS,
    STEADY_SHARE_A_WEEK,
    Rate,
    Verdict,
    change_per_week,
    judge,
    rate_of,
)
from measurements.trend.series import Point, daily_means

__all__ = [
    "LEAST_DAYS",
    "LEAST_SPAN_DAYS",
    "STEADY_SHARE_A_WEEK",
    "TIME_CONSTANT_DAYS",
    "FanPoint",
    "Kind",
    "LinePoint",
    "LocalLinear",
    "Point",
    "Rate",
    "State",
    "Verdict",
    "change_per_week",
    "daily_means",
    "exponential",
    "fan",
    "judge",
    "line",
    "local_linear",
    "noise_of",
    "rate_of",
    "typical",
]
