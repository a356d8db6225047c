"""Since when somebody has been in danger by their words, and of which kind. No word of theirs is kept here."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.database.rows import moment
from furoshiki.core.timestamps import parse, stamp
from furoshiki.language.reflex.care.weighing import GRAVE_LASTS
from furoshiki.language.reflex.care.words import GRAVE

KEY = "danger"
"""Under this name `kv` keeps it, beside it what a mind read in the message at hand (`danger.read`) and the conversation
in which they were asked about it (`danger.asked`)."""

READ, ASKED = "danger.read", "danger.asked"


@dataclass(frozen=True)
class Standing:
    """What stands: `kind` as in `reflex.care.words`, `language` the two letters it is answered in, when it began, was
    said last, when a number was given last or a mind found that none was called for (None: never), and the turn it was
    said in last ("inbox:12")."""

    kind: str
    language: str
    began: datetime
    last: datetime
    given: datetime | None
    turn: str


def find_current(db: sqlite3.Connection, now: datetime) -> Standing | None:
    """What holds now; None for nothing, for what is over, and for what another release wrote otherwise."""
    found = _read(db)
    return found if found is not None and found.kind in GRAVE and now - found.last <= GRAVE_LASTS else None


def keep(db: sqlite3.Connection, found: Standing, now: datetime) -> None:
    """Replace what is stored."""
    times = {"began": stamp(found.began), "last": stamp(found.last)}
    given = stamp(found.given)
    kv.put(db, KEY, {**times, "kind": found.kind, "language": found.language, "given": given, "turn": found.turn}, now)


def end(db: sqlite3.Connection) -> bool:
    """End the danger; True when there was one."""
    return kv.drop(db, KEY)


def read_in(db: sqlite3.Connection, turn_key: str) -> str | None:
    """What a mind read in the message of this turn: a kind, or "none"; None where nobody did."""
    kept = kv.get(db, READ)
    if isinstance(kept, dict) and kept.get("turn") == turn_key and "kind" in kept:
        return str(kept["kind"])
    return None


def keep_read(db: sqlite3.Connection, turn_key: str, kind: str, now: datetime) -> None:
    """So that a turn that is begun again asks nobody twice."""
    kv.put(db, READ, {"turn": turn_key, "kind": kind}, now)


def find_last_session(db: sqlite3.Connection) -> str | None:
    """The conversation in which they were asked last whether somebody is in danger."""
    kept = kv.get(db, ASKED)
    return kept if isinstance(kept, str) else None


def record_question(db: sqlite3.Connection, session_id: str, now: datetime) -> None:
    """They were asked in this conversation."""
    kv.put(db, ASKED, session_id, now)


def list_keys_from(db: sqlite3.Connection, keys: Collection[str]) -> list[str]:
    """The names in `kv` of what rests on these turns, which go with them."""
    found = _read(db)
    read = kv.get(db, READ)
    rests = [KEY] if found is not None and found.turn in keys else []
    return rests + ([READ] if isinstance(read, dict) and read.get("turn") in keys else [])


def _read(db: sqlite3.Connection) -> Standing | None:
    kept = kv.get(db, KEY)
    try:
        return None if kept is None else _parse(kept)
    except (KeyError, TypeError, ValueError):
        return None


def _parse(kept: dict[str, Any]) -> Standing:
    given = kept["given"]
    return Standing(
        str(kept["kind"]),
        str(kept["language"]),
        parse(kept["began"]),
        parse(kept["last"]),
        moment(given),
        str(kept["turn"]),
    )
