"""Storage of the user's profile and of the facts behind it.

The profile is one value, changed in one transaction; the files in memory/ are written from it.
Every statement cites its facts, so that deleting or ending a fact removes its statements.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from furoshiki.core.database import kv
from furoshiki.core.database.rows import IDS, as_json, dump, find_values, marks
from furoshiki.core.timestamps import stamp
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.messages.store import sessions
from furoshiki.owner.user_model.rules import profile as profile_rules
from furoshiki.owner.user_model.rules.profile import Profile

KEY = "profile"  # the `kv` key of the profile
SESSIONS = 5  # the newest sessions that a synthesis reads
NOTHING = "nothing"  # the input of a profile without any facts

_OF_THE_USER = (
    "type IN ('semantic', 'preference') AND source_tag NOT LIKE 'internal%' AND EXISTS (SELECT 1 FROM memory_sources "
    "JOIN turns ON turns.id=turn_id WHERE memory_id=memories.id AND speaker!='companion')"
)
# so long after its time a plan is over: one of a day without an hour stands at its midnight
PLAN_LASTS = timedelta(days=1)

# a plan whose time has passed, also where it was ended for that
_PASSED = "(ifnull(event_time<:over, 0) AND ifnull(valid_to=event_time, category='plan'))"
_CURRENT = "status='active' AND valid_to IS NULL"
_MOST_IMPORTANT = "ORDER BY immutable DESC, hit_count DESC, importance DESC, id DESC"


@dataclass(frozen=True)
class StoredProfile:
    """A stored profile. `input` identifies its inputs, "" if it must be rebuilt; `number` is its
    version; `unwritten`: the files may differ; `by` is who wrote it."""

    profile: Profile
    input: str
    number: int
    unwritten: bool
    by: str


def facts(db: sqlite3.Connection) -> list[Memory]:
    """Return current facts about the user, the most important first."""
    return memories.select(db, f"{_CURRENT} AND {_OF_THE_USER} {_MOST_IMPORTANT}")


def facts_of(db: sqlite3.Connection, categories: Sequence[str], limit: int) -> list[Memory]:
    """Return current facts about the user in these categories, the most important first."""
    of_these = f"CASE WHEN type='preference' THEN 'preference' ELSE category END IN ({marks(categories)})"
    where = f"{_CURRENT} AND {_OF_THE_USER} AND {of_these} {_MOST_IMPORTANT} LIMIT ?"
    return memories.select(db, where, *categories, limit)


def list_covered(db: sqlite3.Connection, categories: Sequence[str]) -> frozenset[str]:
    """Return the categories with at least one current fact about the user."""
    return frozenset(category for category in categories if facts_of(db, [category], 1))


def list_dated(db: sqlite3.Connection, now: datetime, limit: int) -> list[Memory]:
    """Return facts about the user with a past event time, the latest first."""
    where = f"{_CURRENT} AND {_OF_THE_USER} AND event_time<=? ORDER BY event_time DESC, id DESC LIMIT ?"
    return memories.select(db, where, stamp(now), limit)


def list_past(db: sqlite3.Connection, limit: int) -> list[Memory]:
    """Return ended facts about the user, the latest end first, without former names."""
    ended = "status='superseded' AND valid_to IS NOT NULL AND predicate IS NOT 'name'"
    return memories.select(db, f"{ended} AND {_OF_THE_USER} ORDER BY valid_to DESC, id DESC LIMIT ?", limit)


def input_of(db: sqlite3.Connection, now: datetime) -> str:
    """Return a digest of all inputs of a profile (ids and states, no text), and after a slash one of
    what is over by its date alone."""
    rows = db.execute(
        f"SELECT id, category, iif({_PASSED}, 'active', status), iif({_PASSED}, NULL, valid_to), "  # noqa: S608
        f"source_confidence, {_PASSED} FROM memories WHERE status IN ('active', 'superseded') AND {_OF_THE_USER} "
        "ORDER BY id",
        {"over": stamp(now - PLAN_LASTS)},
    ).fetchall()
    if not rows:
        return NOTHING
    talks = [document.session_id for document in sessions.latest(db, SESSIONS)]
    facts_seen, over = [tuple(row)[:-1] for row in rows], [row[0] for row in rows if row[-1]]
    return "/".join(hashlib.sha256(dump(part).encode()).hexdigest()[:16] for part in ([facts_seen, talks], over))


def passed_only(before: str, input_: str) -> bool:
    """Whether two inputs differ only in what is over by its date."""
    return before.partition("/")[0] == input_.partition("/")[0]


def read_input(profile: StoredProfile | None) -> str:
    """Return the input of the last synthesis."""
    return NOTHING if profile is None else profile.input


def find_profile(db: sqlite3.Connection) -> StoredProfile | None:
    """Return the stored profile, None before the first."""
    stored = kv.get(db, KEY)
    if stored is None:
        return None
    return StoredProfile(
        profile_rules.from_data(stored), stored["input"], stored["number"], stored["unwritten"], stored["by"]
    )


def put(db: sqlite3.Connection, profile: Profile, input_: str, by: str, now: datetime) -> None:
    """Store a profile, replacing the last; its files are marked as unwritten."""
    before = find_profile(db)
    number = 1 if before is None else before.number + 1
    value = {"input": input_, "number": number, "unwritten": True, "by": by, "at": stamp(now)}
    kv.put(db, KEY, value | asdict(profile), now)


def mark_written(db: sqlite3.Connection, number: int, now: datetime) -> None:
    """Mark the files as written, unless there is a newer version."""
    stored = kv.get(db, KEY)
    if stored is not None and stored["number"] == number and stored["unwritten"]:
        kv.put(db, KEY, stored | {"unwritten": False}, now)


def find_ended(db: sqlite3.Connection, ids: Collection[int], now: datetime) -> set[int]:
    """Return those of these facts that are not true now: deleted, ended, or past plans."""
    query = (
        f"SELECT id FROM memories WHERE id IN {IDS} AND {_CURRENT} "  # noqa: S608
        "AND NOT (coalesce(category, '')='plan' AND event_time IS NOT NULL AND event_time<?)"
    )
    return set(ids) - set(find_values(db, query, as_json(ids), stamp(now - PLAN_LASTS)))


def current(db: sqlite3.Connection, now: datetime) -> Profile:
    """Return the profile without outdated statements; an empty one before the first."""
    profile = find_profile(db)
    return Profile() if profile is None else prune(db, profile.profile, now)


def prune(db: sqlite3.Connection, profile: Profile, now: datetime) -> Profile:
    """Remove statements on ended facts, except those in the past section."""
    cited = [fact for statement in (*profile.mini, *profile.reference) for fact in statement.facts]
    cited += [fact for gap in profile.gaps for fact in gap.facts]
    over = find_ended(db, cited, now)
    past = {
        (statement.text, statement.facts) for statement in profile.reference if statement.section == profile_rules.PAST
    }
    return profile_rules.without(profile, lambda text, facts: (text, facts) not in past and not over.isdisjoint(facts))


def forget(db: sqlite3.Connection, going_ids: Collection[int], holds: Callable[[str], bool], now: datetime) -> None:
    """Remove statements with these memories or words, and mark the profile for rebuilding."""
    profile = find_profile(db)
    if profile is not None:
        left = profile_rules.without(
            profile.profile, lambda text, facts: not set(going_ids).isdisjoint(facts) or holds(text)
        )
        put(db, left, "", profile.by, now)
