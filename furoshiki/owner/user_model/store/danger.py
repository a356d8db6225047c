"""Storage of a danger stated by the user: kind and times, without any of their words."""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.core.database import kv
from furoshiki.core.database.rows import from_row, to_row
from furoshiki.language.reflex.care.weighing import GRAVE_LASTS
from furoshiki.language.tables.care_words import GRAVE

# the `kv` keys of the danger, of a model's verdict on the present message (`danger.read`) and of
# the session in which the user was asked (`danger.asked`)
KEY = "danger"

READ, ASKED = "danger.read", "danger.asked"


@dataclass(frozen=True)
class Standing:
    """A danger: `kind` as in `language.tables.care_words`, the `language` of answers (two letters), when it
    began and was last mentioned, when a helpline was last given or found unnecessary by a model
    (None: never), and the turn of the last mention ("inbox:12")."""

    kind: str
    language: str
    began: datetime
    last: datetime
    given: datetime | None
    turn: str


def find_current(db: sqlite3.Connection, now: datetime, lasts: timedelta = GRAVE_LASTS) -> Standing | None:
    """Return the danger of the time `lasts`; None if there is none, it is over, or its format is
    unknown."""
    standing = _read(db)
    return standing if standing is not None and standing.kind in GRAVE and now - standing.last <= lasts else None


def keep(db: sqlite3.Connection, standing: Standing, now: datetime) -> None:
    """Replace what is stored."""
    kv.put(db, KEY, to_row(standing), now)


def end(db: sqlite3.Connection) -> bool:
    """End the danger; True when there was one."""
    return kv.drop(db, KEY)


def read_in(db: sqlite3.Connection, turn_key: str) -> str | None:
    """Return a model's verdict on this turn's message: a kind, or "none"; None if unread."""
    stored = kv.get(db, READ)
    if isinstance(stored, dict) and stored.get("turn") == turn_key and "kind" in stored:
        return str(stored["kind"])
    return None


def keep_read(db: sqlite3.Connection, turn_key: str, kind: str, now: datetime) -> None:
    """Store a model's verdict, so that a restarted turn does not ask again."""
    kv.put(db, READ, {"turn": turn_key, "kind": kind}, now)


def find_last_session(db: sqlite3.Connection) -> str | None:
    """Return the session in which the user was last asked whether there is a danger."""
    session = kv.get(db, ASKED)
    return session if isinstance(session, str) else None


def record_question(db: sqlite3.Connection, session_id: str, now: datetime) -> None:
    """Record that the user was asked in this session."""
    kv.put(db, ASKED, session_id, now)


def list_keys_from(db: sqlite3.Connection, keys: Collection[str]) -> list[str]:
    """Return the `kv` keys of data from these turns, which are deleted with them."""
    standing = _read(db)
    stored = kv.get(db, READ)
    rests = [KEY] if standing is not None and standing.turn in keys else []
    return rests + ([READ] if isinstance(stored, dict) and stored.get("turn") in keys else [])


def _read(db: sqlite3.Connection) -> Standing | None:
    stored = kv.get(db, KEY)
    try:
        return None if stored is None else from_row(Standing, stored)
    except (KeyError, TypeError, ValueError):
        return None
