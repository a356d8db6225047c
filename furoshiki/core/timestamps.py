"""Times as the database keeps them: UTC, ISO-8601, microseconds, so that text order is time order.

A moment lies between the years 1000 and 3000. Beyond them the calendar of the machine ends (year 1 and 9999 cannot be
shown in another zone, and nothing can be added to them), and nobody means them: what comes in with such a date is
refused by `parse_foreign`, and what an older database holds of it is read as the nearest moment that can be shown.
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
    """`2026-11-21T22:53:13.000000+00:00` for an aware moment; None for none. A naive one raises ValueError."""
    if moment is None:
        return None
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone cannot be stored: say which zone it is in")
    return clamp(moment).isoformat(timespec="microseconds")


def parse(text: str, zone: tzinfo = UTC) -> datetime:
    """The UTC moment written by `stamp` (or any ISO-8601 text; naive text is in `zone`), bounded."""
    moment = datetime.fromisoformat(text)
    return clamp(moment.replace(tzinfo=zone) if moment.tzinfo is None else moment)


def parse_foreign(text: str, zone: tzinfo = UTC) -> datetime:
    """The UTC moment in ISO-8601 text that comes from outside; naive text is in `zone`. Raises ValueError where it is
    no time, or none between the years 1000 and 3000."""
    moment = datetime.fromisoformat(text)
    return _possible(moment if moment.tzinfo else moment.replace(tzinfo=zone))


def of_seconds(seconds: float) -> datetime:
    """The UTC moment so many seconds after 1970. Raises ValueError outside the years 1000 to 3000."""
    if not (FIRST - _EPOCH).total_seconds() < seconds < (LAST - _EPOCH).total_seconds():  # not so of NaN either
        raise ValueError("outside the years 1000 to 3000")
    return _EPOCH + timedelta(seconds=seconds)


def clamp(moment: datetime) -> datetime:
    """An aware moment in UTC, or the nearest one that can be shown in every zone. Never raises."""
    if moment.year < FIRST.year:
        return FIRST
    if moment.year >= LAST.year:
        return LAST
    if moment.tzinfo is UTC:  # as nearly all are, and a turn reads hundreds
        return moment
    return min(max(moment.astimezone(UTC), FIRST), LAST)


def local(moment: datetime, zone: tzinfo | None) -> datetime:
    """The moment on the clock of a zone, to be shown. Never raises for an aware moment."""
    return clamp(moment).astimezone(zone)


def later(moment: datetime, span: timedelta) -> datetime:
    """The UTC moment a real time after (or, negative, before) an aware one, at most the first or the last there is."""
    begun = clamp(moment)
    if span >= LAST - begun:
        return LAST
    return FIRST if span <= FIRST - begun else begun + span


def between(clock: time, since: time, until: time) -> bool:
    """Whether a time of day lies in the stretch from `since` up to `until`, which may go over midnight; the same time
    twice is no stretch."""
    if since <= until:
        return since <= clock < until
    return clock >= since or clock < until


def _possible(moment: datetime) -> datetime:
    found = clamp(moment)
    if not FIRST < found < LAST:
        raise ValueError("outside the years 1000 to 3000")
    return found
