"""The facts that the user's profile is made of, and the profile itself, as the last synthesis left it.

The profile is one value, changed in one transaction; the files in memory/ are written from it. Every statement in it
names its facts, so that one of them can go, or end, and take along what was said with it.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.database.rows import dump, marks
from furoshiki.core.timestamps import stamp
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.owner.user_model.rules import profile as profile_rules
from furoshiki.owner.user_model.rules.profile import Profile

KEY = "profile"
"""Under this name `kv` keeps the profile."""

SESSIONS = 5
"""How many of the newest sessions a synthesis looks at."""

NOTHING = "nothing"
"""What a profile is made of while nothing is known."""

_OF_THE_USER = (
    "type IN ('semantic', 'preference') AND source_tag NOT LIKE 'internal%' AND EXISTS (SELECT 1 FROM memory_sources "
    "JOIN turns ON turns.id=turn_id WHERE memory_id=memories.id AND speaker!='companion')"
)
_CURRENT = "status='active' AND valid_to IS NULL"


@dataclass(frozen=True)
class StoredProfile:
    """A profile as it is kept. `input` names what it was made of, empty when it must be rebuilt; `number` counts its
    versions; `unwritten` while the files may say something else; `by` is who wrote it."""

    profile: Profile
    input: str
    number: int
    unwritten: bool
    by: str


def facts(db: sqlite3.Connection) -> list[Memory]:
    """What is true of the user now, the most important first."""
    rows = db.execute(
        f"SELECT id FROM memories WHERE {_CURRENT} AND {_OF_THE_USER} "  # noqa: S608 - our own words
        "ORDER BY immutable DESC, hit_count DESC, importance DESC, id DESC"
    ).fetchall()
    found = {one.id: one for one in memories.of_ids(db, [row["id"] for row in rows])}
    return [found[row["id"]] for row in rows]


def facts_of(db: sqlite3.Connection, categories: Sequence[str], limit: int) -> list[Memory]:
    """What is true of the user now and of one of these categories, the most important first."""
    rows = db.execute(
        f"SELECT id FROM memories WHERE {_CURRENT} AND {_OF_THE_USER} AND "  # noqa: S608 - our own words
        f"CASE WHEN type='preference' THEN 'preference' ELSE category END IN ({marks(categories)}) "
        "ORDER BY immutable DESC, hit_count DESC, importance DESC, id DESC LIMIT ?",
        (*categories, limit),
    ).fetchall()
    found = {one.id: one for one in memories.of_ids(db, [row["id"] for row in rows])}
    return [found[row["id"]] for row in rows]


def list_covered(db: sqlite3.Connection, categories: Sequence[str]) -> frozenset[str]:
    """Keep the categories in which at least one fact is true of the user now."""
    return frozenset(one for one in categories if facts_of(db, [one], 1))


def list_dated(db: sqlite3.Connection, now: datetime, limit: int) -> list[Memory]:
    """What is known of the user with a day on which it was, what was last first."""
    rows = db.execute(
        f"SELECT id FROM memories WHERE {_CURRENT} AND {_OF_THE_USER} AND event_time<=? "  # noqa: S608
        "ORDER BY event_time DESC, id DESC LIMIT ?",
        (stamp(now), limit),
    ).fetchall()
    found = {one.id: one for one in memories.of_ids(db, [row["id"] for row in rows])}
    return [found[row["id"]] for row in rows]


def list_past(db: sqlite3.Connection, limit: int) -> list[Memory]:
    """What was true of the user and is not any more, what ended last first."""
    rows = db.execute(
        f"SELECT id FROM memories WHERE status='superseded' AND valid_to IS NOT NULL AND {_OF_THE_USER} "  # noqa: S608
        "ORDER BY valid_to DESC, id DESC LIMIT ?",
        (limit,),
    ).fetchall()
    found = {one.id: one for one in memories.of_ids(db, [row["id"] for row in rows])}
    return [found[row["id"]] for row in rows]


def input_of(db: sqlite3.Connection, now: datetime) -> str:
    """A short name for everything a profile is made of, in ids and states, without a word."""
    known = db.execute(
        "SELECT id, category, status, valid_to, source_confidence, event_time<? FROM memories "  # noqa: S608
        f"WHERE status IN ('active', 'superseded') AND {_OF_THE_USER} ORDER BY id",
        (stamp(now),),
    ).fetchall()
    if not known:
        return NOTHING
    sessions = db.execute("SELECT id FROM sessions ORDER BY ended_at DESC, id DESC LIMIT ?", (SESSIONS,)).fetchall()
    return hashlib.sha256(dump([[tuple(row) for row in known], [row[0] for row in sessions]]).encode()).hexdigest()[:16]


def read_input(found: StoredProfile | None) -> str:
    """What the last synthesis was made of."""
    return NOTHING if found is None else found.input


def find_profile(db: sqlite3.Connection) -> StoredProfile | None:
    """The profile as the last synthesis left it, None before the first."""
    found = kv.get(db, KEY)
    if found is None:
        return None
    return StoredProfile(
        profile_rules.from_data(found), found["input"], found["number"], found["unwritten"], found["by"]
    )


def put(db: sqlite3.Connection, profile: Profile, input_: str, by: str, now: datetime) -> None:
    """Keep a profile in place of the last one; its files are not written yet."""
    before = find_profile(db)
    number = 1 if before is None else before.number + 1
    value = {"input": input_, "number": number, "unwritten": True, "by": by, "at": stamp(now)}
    kv.put(db, KEY, value | profile_rules.to_data(profile), now)


def mark_written(db: sqlite3.Connection, number: int, now: datetime) -> None:
    """The files say what this version says, unless there is a newer one."""
    found = kv.get(db, KEY)
    if found is not None and found["number"] == number and found["unwritten"]:
        kv.put(db, KEY, found | {"unwritten": False}, now)


def find_ended(db: sqlite3.Connection, ids: Collection[int], now: datetime) -> set[int]:
    """Return those of these facts that are not true now: gone, over, or planned for a time that has
    passed."""
    wanted = sorted(set(ids))
    alive: set[int] = set()
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        rows = db.execute(
            f"SELECT id FROM memories WHERE id IN ({marks(part)}) AND {_CURRENT} "  # noqa: S608
            "AND NOT (coalesce(category, '')='plan' AND event_time IS NOT NULL AND event_time<?)",
            (*part, stamp(now)),
        )
        alive |= {row[0] for row in rows}
    return set(wanted) - alive


def current(db: sqlite3.Connection, now: datetime) -> Profile:
    """The profile without what has stopped being true since it was made; an empty one before the first."""
    found = find_profile(db)
    return Profile() if found is None else prune(db, found.profile, now)


def prune(db: sqlite3.Connection, profile: Profile, now: datetime) -> Profile:
    """A profile without statements on what is true no more; those that tell the past as past stay."""
    cited = [fact for one in (*profile.mini, *profile.reference) for fact in one.facts]
    cited += [fact for gap in profile.gaps for fact in gap.facts]
    over = find_ended(db, cited, now)
    past = {(one.text, one.facts) for one in profile.reference if one.section == profile_rules.PAST}
    return profile_rules.without(profile, lambda text, facts: (text, facts) not in past and not over.isdisjoint(facts))


def forget(db: sqlite3.Connection, gone: Collection[int], holds: Callable[[str], bool], now: datetime) -> None:
    """Take out what rests on these memories or holds these words, and let the profile be computed again."""
    found = find_profile(db)
    if found is not None:
        left = profile_rules.without(found.profile, lambda text, facts: not set(gone).isdisjoint(facts) or holds(text))
        put(db, left, "", found.by, now)
