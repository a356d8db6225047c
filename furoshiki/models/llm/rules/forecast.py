"""Forecast of the month's cost from that of the last days."""

from collections.abc import Mapping
from datetime import date, timedelta
from statistics import fmean

DAYS = 7
"""Days that determine the daily cost: each weekday once."""


def month(
    spent: float, today: float, by_day: Mapping[date, float], day: date, days_left: int, hard: float
) -> float | None:
    """Return the month's cost in US dollars if each remaining day costs as much as the last days'
    mean. `spent` is this month's cost so far and `today` its part of today; `by_day` the cost of
    days before `day`, which is today (missing days after the first count as 0); `days_left` follow.
    A day costs at most `hard`, if above 0. None when there was no cost before today."""
    before = [one for one in by_day if day - timedelta(days=DAYS) <= one < day]
    if not before:
        return None
    whole = [by_day.get(day - timedelta(days=back), 0.0) for back in range(1, (day - min(before)).days + 1)]
    usual = fmean(whole)
    usual = min(usual, hard) if hard > 0 else usual
    return spent - today + max(today, usual) + usual * days_left
