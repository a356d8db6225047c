"""Times as the database stores them: UTC, ISO-8601, microseconds; text order is time order.

Valid times are from the years 1000 to 3000, so that they can be shown in every zone and calculated
with (unlike years 1 and 9999). `parse_foreign` refuses other times from outside; those in older
databases are clamped to the range.
"""

from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import overload

FIRST, LAST = datetime(1000, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@overload
def stamp(moment: datetime) -> str: ...


@overload
def stamp(moment: None) -> None: ...


def stamp(moment: datetime | None) -> str | None:
    """Return `2026-11-21T22:53:13.000000+00:00`, or None. Raises ValueError for naive times."""
    if moment is None:
        return None
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone cannot be stored: say which zone it is in")
    return clamp(moment).isoformat(timespec="microseconds")


def parse(text: str, zone: tzinfo = UTC) -> datetime:
    """Parse ISO-8601 text to UTC, clamped to the valid range; naive text is in `zone`."""
    moment = datetime.fromisoformat(text)
    return clamp(moment.replace(tzinfo=zone) if moment.tzinfo is None else moment)


def parse_foreign(text: str, zone: tzinfo = UTC) -> datetime:
    """Parse ISO-8601 text from outside to UTC; naive text is in `zone`.
    Raises ValueError for anything else and outside the years 1000 to 3000."""
    moment = datetime.fromisoformat(text)
    return _possible(moment if moment.tzinfo else moment.replace(tzinfo=zone))


def of_seconds(seconds: float) -> datetime:
    """Return the UTC time of a Unix timestamp. Raises ValueError outside the years 1000 to 3000."""
    if not (FIRST - _EPOCH).total_seconds() < seconds < (LAST - _EPOCH).total_seconds():  # also true for NaN
        raise ValueError("outside the years 1000 to 3000")
    return _EPOCH + timedelta(seconds=seconds)


def clamp(moment: datetime) -> datetime:
    """Convert an aware time to UTC, clamped to the valid range. Never raises."""
    if moment.year < FIRST.year:
        return FIRST
    if moment.year >= LAST.year:
        return LAST
    if moment.tzinfo is UTC:  # the usual case, hundreds of times in a turn
        return moment
    return min(max(moment.astimezone(UTC), FIRST), LAST)


def local(moment: datetime, zone: tzinfo | None) -> datetime:
    """Convert a time to a zone, for display. Never raises for an aware time."""
    return clamp(moment).astimezone(zone)


def day_start(moment: datetime, zone: tzinfo = UTC) -> datetime:
    """Return when the day of an aware time began in a zone; costs and budgets count days in UTC."""
    return moment.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)


def name_day(moment: datetime, zone: tzinfo) -> str:
    """Return the day of an aware time in English: "3 March 2026"."""
    return moment.astimezone(zone).strftime("%-d %B %Y")


def later(moment: datetime, span: timedelta) -> datetime:
    """Return the UTC time `span` after (if negative, before) an aware time, clamped."""
    begun = clamp(moment)
    if span >= LAST - begun:
        return LAST
    return FIRST if span <= FIRST - begun else begun + span


def between(clock: time, since: time, until: time) -> bool:
    """Return whether a time of day is from `since` up to, not including, `until`, also over
    midnight; equal bounds are an empty range."""
    if since <= until:
        return since <= clock < until
    return clock >= since or clock < until


def _possible(moment: datetime) -> datetime:
    found = clamp(moment)
    if not FIRST < found < LAST:
        raise ValueError("outside the years 1000 to 3000")
    return found
