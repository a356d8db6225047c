"""When the companion does not write first: until a requested time, in later periods, which may come
every week, and in daily quiet hours."""

import math
import sqlite3
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.owner.agenda.rules.quiet.asked import Planned

# the `kv` key of the end of the quiet, as a time stamp; missing or past means no quiet
KEY = "quiet.until"

WHY = "asked_quiet"  # the `kv` key of the words of the request (deleted if forgotten)

# the `kv` key of the periods that begin later: their ends and zone, and whether every week
PLANNED_KEY = "quiet.planned"

MOST_PLANNED = 7

# the `kv` key of the user's daily quiet hours, as ["22:00", "07:30"] in their zone
HOURS_KEY = "quiet.hours"

NAP_KEY = "quiet.nap"  # the same for an additional period of the day
OVER_FOR = timedelta(days=1)  # how long after its end a quiet is still stored


@dataclass(frozen=True)
class Asked:
    """A requested quiet: its end, and the words of the request or of its `own` promise."""

    until: datetime
    why: str = ""
    own: bool = False


def until(db: sqlite3.Connection, now: datetime) -> datetime | None:
    """Return when the quiet ends; None if there is none now."""
    request = current(db, now)
    return None if request is None else request.until


def current(db: sqlite3.Connection, now: datetime) -> Asked | None:
    """Return the present quiet, or None."""
    request = _read_request(db)
    if request is not None and request.until > now:
        return request
    first = next(iter(planned(db, now)), None)
    if first is None or first.begins > now:
        return None
    return Asked(first.until.astimezone(now.tzinfo))


def planned(db: sqlite3.Connection, now: datetime) -> list[Planned]:
    """Return the periods that begin later or run now, the earliest first."""
    periods = []
    for row in kv.get(db, PLANNED_KEY, []):
        zone = ZoneInfo(row["zone"])
        begins, ends = (parse(row[name]).astimezone(zone) for name in ("from", "until"))
        weeks = max(0, math.ceil((now - ends) / timedelta(weeks=1))) if row["weekly"] else 0
        over = timedelta(weeks=weeks)
        if ends + over > now:
            periods.append(Planned(begins + over, ends + over, row["weekly"]))
    return sorted(periods, key=lambda one: one.begins)


def plan(db: sqlite3.Connection, wish: Planned, zone: tzinfo, now: datetime) -> None:
    """Keep a period that begins later; the same one is kept once."""
    ends = {"from": stamp(wish.begins), "until": stamp(wish.until), "weekly": wish.weekly}
    rows = []
    for row in kv.get(db, PLANNED_KEY, []):
        over = not row["weekly"] and parse(row["until"]) <= now
        if not over and ends.items() - row.items():
            rows.append(row)
    kv.put(db, PLANNED_KEY, [*rows, {**ends, "zone": str(zone)}][-MOST_PLANNED:], now)


def just_over(db: sqlite3.Connection, now: datetime) -> Asked | None:
    """Return the quiet that ended within the last day; None during one, or without any."""
    request = _read_request(db)
    return request if request is not None and request.until <= now < request.until + OVER_FOR else None


def _read_request(db: sqlite3.Connection) -> Asked | None:
    ends = kv.get(db, KEY)
    if ends is None:
        return None
    more = kv.get(db, WHY) or {}
    return Asked(parse(ends), str(more.get("why", "")), bool(more.get("own")))


def keep(db: sqlite3.Connection, ends: datetime, now: datetime, why: str = "", *, own: bool = False) -> None:
    """Start a quiet until `ends`, for this reason."""
    kv.put(db, KEY, stamp(ends), now)
    kv.put(db, WHY, {"why": why, "own": own}, now)


def end(db: sqlite3.Connection) -> None:
    """End the quiet, and the periods that would begin later."""
    for key in (KEY, WHY, PLANNED_KEY):
        kv.drop(db, key)


def tidy(db: sqlite3.Connection, now: datetime) -> None:
    """Delete the data of a quiet that ended more than a day ago."""
    request = _read_request(db)
    if request is not None and now >= request.until + OVER_FOR:
        kv.drop(db, KEY)
        kv.drop(db, WHY)


def is_any(db: sqlite3.Connection, now: datetime, *, daily: bool = True) -> bool:
    """Whether any quiet is kept, now or for later; `daily`: or daily hours."""
    is_asked = current(db, now) is not None or bool(planned(db, now))
    return is_asked or (daily and is_daily(db))


def hours(db: sqlite3.Connection) -> tuple[time, time] | None:
    """Return the daily quiet hours the user set, or None."""
    return _hours(db, HOURS_KEY)


def nap(db: sqlite3.Connection) -> tuple[time, time] | None:
    """Return the additional daily period of quiet, or None."""
    return _hours(db, NAP_KEY)


def is_daily(db: sqlite3.Connection) -> bool:
    """Whether the user has set daily quiet hours or a period."""
    return hours(db) is not None or nap(db) is not None


def _hours(db: sqlite3.Connection, key: str) -> tuple[time, time] | None:
    kept = kv.get(db, key)
    return None if kept is None else (time.fromisoformat(kept[0]), time.fromisoformat(kept[1]))


def keep_hours(db: sqlite3.Connection, since: time, ends: time, now: datetime) -> None:
    """Set the daily quiet hours."""
    kv.put(db, HOURS_KEY, [f"{since:%H:%M}", f"{ends:%H:%M}"], now)


def keep_nap(db: sqlite3.Connection, since: time, ends: time, now: datetime) -> None:
    """Set the additional daily period of quiet."""
    kv.put(db, NAP_KEY, [f"{since:%H:%M}", f"{ends:%H:%M}"], now)


def end_hours(db: sqlite3.Connection) -> None:
    """Delete the user's daily quiet hours and period."""
    for key in (HOURS_KEY, NAP_KEY):
        kv.drop(db, key)
