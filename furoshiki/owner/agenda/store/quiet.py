"""When the companion does not write first: until a moment, where the user asked for quiet, and at which hours."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from furoshiki.core.database import kv
from furoshiki.core.database.rows import moment
from furoshiki.core.timestamps import parse, stamp

KEY = "quiet.until"
"""Under this name `kv` keeps the end of the quiet, as a stamp; missing or past means no quiet."""

WHY = "asked_quiet"
"""Under this name `kv` keeps since when there is quiet, and the words in which it was asked for: those go when they are
forgotten, the quiet itself stays."""

HOURS_KEY = "quiet.hours"
"""Under this name `kv` keeps the quiet hours the user set themselves, as ["22:00", "07:30"] of their clock."""

NAP_KEY = "quiet.nap"
"""The same for a stretch of the day beside them."""

OVER_FOR = timedelta(days=1)
"""So long after its end a quiet is known to have been."""


@dataclass(frozen=True)
class Asked:
    """A quiet that was asked for: its end, its beginning (None where nobody kept it), and the words that asked, or that
    promised it where it is the companion's `own` promise."""

    until: datetime
    since: datetime | None = None
    why: str = ""
    own: bool = False


def until(db: sqlite3.Connection, now: datetime) -> datetime | None:
    """When the quiet ends; None when there is none now."""
    asked = current(db, now)
    return None if asked is None else asked.until


def current(db: sqlite3.Connection, now: datetime) -> Asked | None:
    """The quiet there is now."""
    asked = _read_request(db)
    return asked if asked is not None and asked.until > now else None


def just_over(db: sqlite3.Connection, now: datetime) -> Asked | None:
    """The quiet that has ended within the last day; None while there is one, or was none."""
    asked = _read_request(db)
    return asked if asked is not None and asked.until <= now < asked.until + OVER_FOR else None


def _read_request(db: sqlite3.Connection) -> Asked | None:
    ends = kv.get(db, KEY)
    if ends is None:
        return None
    more = kv.get(db, WHY) or {}
    since = more.get("since")
    return Asked(parse(ends), moment(since), str(more.get("why", "")), bool(more.get("own")))


def keep(db: sqlite3.Connection, ends: datetime, now: datetime, why: str = "", *, own: bool = False) -> None:
    """Be quiet until then, for this reason."""
    kv.put(db, KEY, stamp(ends), now)
    kv.put(db, WHY, {"since": stamp(now), "why": why, "own": own}, now)


def end(db: sqlite3.Connection) -> None:
    """Be quiet no longer."""
    kv.drop(db, KEY)
    kv.drop(db, WHY)


def tidy(db: sqlite3.Connection, now: datetime) -> None:
    """A quiet that is long over leaves no words."""
    asked = _read_request(db)
    if asked is not None and now >= asked.until + OVER_FOR:
        end(db)


def hours(db: sqlite3.Connection) -> tuple[time, time] | None:
    """Return the daily quiet hours the user set; None when they set nothing."""
    return _hours(db, HOURS_KEY)


def nap(db: sqlite3.Connection) -> tuple[time, time] | None:
    """Return the stretch of the day, beside those hours, in which the user wants quiet."""
    return _hours(db, NAP_KEY)


def is_daily(db: sqlite3.Connection) -> bool:
    """Whether the user has said when it is to be quiet every day, at night or besides."""
    return hours(db) is not None or nap(db) is not None


def _hours(db: sqlite3.Connection, key: str) -> tuple[time, time] | None:
    kept = kv.get(db, key)
    return None if kept is None else (time.fromisoformat(kept[0]), time.fromisoformat(kept[1]))


def keep_hours(db: sqlite3.Connection, since: time, ends: time, now: datetime) -> None:
    """Be quiet from then to then, every day."""
    kv.put(db, HOURS_KEY, [f"{since:%H:%M}", f"{ends:%H:%M}"], now)


def keep_nap(db: sqlite3.Connection, since: time, ends: time, now: datetime) -> None:
    """Be quiet from then to then as well, every day."""
    kv.put(db, NAP_KEY, [f"{since:%H:%M}", f"{ends:%H:%M}"], now)


def end_hours(db: sqlite3.Connection) -> bool:
    """Have no hours of the user's own any more; True when there were some."""
    dropped = [kv.drop(db, key) for key in (HOURS_KEY, NAP_KEY)]
    return any(dropped)
