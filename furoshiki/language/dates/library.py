"""Calendar libraries: dateutil computes dates, dateparser finds days in languages without tables.

Both are imported when they are first needed: messages without a day never load them.
"""

import warnings
from collections.abc import Callable
from datetime import date, datetime, time, timedelta

LONGEST_TEXT = 1_000  # longest text in which days are looked for, in characters

_FURTHEST = timedelta(days=366 * 9)  # 29 February may be eight years off


def find_days(text: str, tongue: str, said_at: datetime) -> frozenset[date]:
    """Return the days that words said at a moment may mean, in a language without tables here: days
    ahead and past, by dateparser. Empty for a language that it does not know."""
    from dateparser.search import search_dates

    found: set[date] = set()
    for ahead in ("future", "past"):
        settings = {"RELATIVE_BASE": said_at.replace(tzinfo=None), "PREFER_DATES_FROM": ahead}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                days = search_dates(text[:LONGEST_TEXT], languages=[tongue], settings=settings) or []
            except ValueError:
                return frozenset()
        for _, day in days:
            found.add(day.date())
    return frozenset(found)


def add_units(since: datetime, count: float, unit: str) -> datetime:
    """Add days, weeks, fortnights, months or years to a local time (31 Jan + 1 month: 28 Feb)."""
    from dateutil.relativedelta import relativedelta

    days = {"day": 1.0, "week": 7.0, "fortnight": 14.0}.get(unit)
    if days is not None:
        return since + timedelta(days=round(count * days))
    later: datetime = since + relativedelta(months=round(count * (12 if unit == "year" else 1)))
    return later


def weekday_of_month(first: date, weekday: int, nth: int) -> date:
    """Return the nth (-1: last) such weekday of the month that begins with `first`."""
    from dateutil.relativedelta import relativedelta
    from dateutil.relativedelta import weekday as day

    weekday_date: date = first + relativedelta(day=1 if nth > 0 else 31, weekday=day(weekday)(nth))
    return weekday_date


def first_of(rule: str, since: date, allowed: Callable[[date], bool]) -> date | None:
    """Return the first day from `since` on that fits an RRULE's days; None within nine years."""
    from dateutil.rrule import rrulestr

    every = ";".join(part for part in rule.split(";") if not part.startswith("INTERVAL"))
    every = every if "BY" in every else "FREQ=DAILY"  # "every week" may begin on any day
    for occurrence in rrulestr(every, dtstart=datetime.combine(since, time())):
        day: date = occurrence.date()
        if day - since > _FURTHEST:
            break
        if allowed(day):
            return day
    return None
