"""What a month of thinking may come to, from what the last days have cost."""

from collections.abc import Mapping
from datetime import date, timedelta
from statistics import fmean

DAYS = 7
"""So many whole days tell what a day costs: each day of the week once."""


def month(
    spent: float, today: float, by_day: Mapping[date, float], day: date, days_left: int, hard: float
) -> float | None:
    """US dollars that the month comes to if each day that is left costs what the last whole days did.

    `spent` is what this month has cost by now and `today` what of it was today; `by_day` the cost of days before `day`,
    which is today (a day that is missing after the first cost nothing); `days_left` come after it. No day costs more
    than the `hard` limit, where there is one (above 0). None when nothing was spent on any day before today.
    """
    before = [one for one in by_day if day - timedelta(days=DAYS) <= one < day]
    if not before:
        return None
    whole = [by_day.get(day - timedelta(days=back), 0.0) for back in range(1, (day - min(before)).days + 1)]
    usual = fmean(whole)
    usual = min(usual, hard) if hard > 0 else usual
    return spent - today + max(today, usual) + usual * days_left
