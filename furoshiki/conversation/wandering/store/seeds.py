"""Queries for seeds: rested concepts with links, by kind."""

import sqlite3
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta

from furoshiki.conversation.wandering.rules.seeds import FADING, RESTS
from furoshiki.conversation.wandering.values import Seed, SeedKind
from furoshiki.core.database.rows import find_values
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory.rules.concepts import FADED, fade, strength
from furoshiki.memory.rules.spreading import Link
from furoshiki.memory.rules.spreading import strength as link_strength
from furoshiki.memory.store.concepts import THE_OTHER_WAY

LATELY = timedelta(days=3)  # the period of recent concepts
UNMET = timedelta(days=20)  # no concept fades sooner

NEGLECTED = timedelta(days=30)
IMPORTANT = 0.6
MOVED = 0.3  # minimum importance, and minimum charge, of a memory that matters
MOST = 200  # number of newest candidates per kind

CONDUCT = timedelta(days=7)

_FREE = (
    "(c.wandered_at IS NULL OR c.wandered_at<=:rested) AND "
    "EXISTS (SELECT 1 FROM concept_links l WHERE l.a_id=c.id OR l.b_id=c.id)"
)
_MET = "coalesce(c.last_accessed_at, c.created_at)"
_BY_ITSELF = (
    f"SELECT c.id, c.name, c.strength, {_MET} AS met_at, NULL AS memory, '' AS line FROM concepts c WHERE {_FREE}"  # noqa: S608
)
_BY_MEMORY = (
    "SELECT c.id, c.name, m.id AS memory, m.content AS line FROM memories m "  # noqa: S608
    f"JOIN memory_concepts mc ON mc.memory_id=m.id JOIN concepts c ON c.id=mc.concept_id WHERE {_FREE} "
    "AND m.status='active' AND m.valid_to IS NULL"
)
_NEWEST = f"ORDER BY {_MET} DESC LIMIT {MOST}"
_NEWEST_MEMORY = f"ORDER BY m.id DESC LIMIT {MOST}"

_QUESTIONS: Mapping[SeedKind, str] = {
    "decaying": f"{_BY_ITSELF} AND {_MET}<=:fading {_NEWEST}",
    "recent": f"{_BY_ITSELF} AND {_MET}>:lately {_NEWEST}",
    "salient": (
        f"{_BY_MEMORY} AND m.type!='tension' AND (m.charge>={MOVED} OR m.importance>={IMPORTANT}) {_NEWEST_MEMORY}"
    ),
    "insight": f"{_BY_MEMORY} AND m.source_tag GLOB 'internal_*' AND m.type!='tension' {_NEWEST_MEMORY}",
    "neglected": (
        f"{_BY_MEMORY} AND m.importance>={IMPORTANT} AND coalesce(m.last_accessed_at, m.created_at)<=:neglected "
        f"{_NEWEST_MEMORY}"
    ),
    "distant": f"{_BY_ITSELF} {_NEWEST}",
    "tension": f"{_BY_MEMORY} AND m.type='tension' {_NEWEST_MEMORY}",
    "random": f"{_BY_ITSELF} ORDER BY c.id DESC LIMIT 2000",
}


def of_kind(db: sqlite3.Connection, kind: SeedKind, now: datetime, blocked: Collection[int]) -> list[Seed]:
    """Return the seeds of a kind, without blocked concepts."""
    if kind == "self":
        return _conduct(db, now, blocked)
    values = {"rested": stamp(now - RESTS), "lately": stamp(now - LATELY), "fading": stamp(now - UNMET)}
    values["neglected"] = stamp(now - NEGLECTED)
    question = _QUESTIONS[kind]
    rows = db.execute(question, {name: value for name, value in values.items() if f":{name}" in question}).fetchall()
    if kind == "decaying":
        rows = [row for row in rows if FADED <= _strength(row, now) < FADING]
    return [Seed(kind, row["id"], row["name"], row["memory"], row["line"]) for row in rows if row["id"] not in blocked]


def links(db: sqlite3.Connection, now: datetime) -> Callable[[int], list[Link]]:
    """Return a function that lists a concept's links with their current strength."""

    def of(concept: int) -> list[Link]:
        rows = db.execute(
            "SELECT CASE WHEN a_id=:id THEN b_id ELSE a_id END AS other, a_id=:id AS forth, weight, type, "
            "last_reinforced_at FROM concept_links WHERE a_id=:id OR b_id=:id",
            {"id": concept},
        )
        return [Link(row["other"], link_strength(_weighs(row, now)), _type(row)) for row in rows]

    return of


def names(db: sqlite3.Connection, ids: Collection[int]) -> dict[int, str]:
    """Return the names of concepts."""
    rows = ((one, db.execute("SELECT name FROM concepts WHERE id=?", (one,)).fetchone()) for one in ids)
    return {one: row["name"] for one, row in rows if row is not None}


def sessions_about(db: sqlite3.Connection, concept: int) -> list[str]:
    """Return the sessions about a concept, newest first."""
    query = (
        "SELECT session_id FROM session_concepts JOIN sessions ON id=session_row WHERE concept_id=? "
        "ORDER BY session_row DESC LIMIT 3"
    )
    return find_values(db, query, concept)


def is_fading(db: sqlite3.Connection, concept: int, now: datetime) -> bool:
    """Return whether a concept is nearly forgotten."""
    question = f"SELECT c.strength, {_MET} AS met_at FROM concepts c WHERE c.id=?"  # noqa: S608
    return any(_strength(row, now) < FADING for row in db.execute(question, (concept,)))


def _conduct(db: sqlite3.Connection, now: datetime, blocked: Collection[int]) -> list[Seed]:
    """Return concepts of recent unprompted messages, to ask whether they mattered."""
    query = "SELECT summary FROM mind_queue WHERE state='sent' AND created_at>? ORDER BY id DESC LIMIT 5"
    said = db.execute(query, (stamp(now - CONDUCT),)).fetchall()
    found = []
    for row in db.execute(f"{_BY_ITSELF} {_NEWEST}", {"rested": stamp(now - RESTS)}).fetchall():
        about = next((one["summary"] for one in said if row["name"] in one["summary"].casefold()), None)
        if about is not None and row["id"] not in blocked:
            line = f"You brought this up lately: {about} Was that the right priority?"
            found.append(Seed("self", row["id"], row["name"], None, line))
    return found


def _strength(row: sqlite3.Row, now: datetime) -> float:
    return strength(float(row["strength"]), (now - parse(row["met_at"])).total_seconds() / 86400)


def _type(row: sqlite3.Row) -> str:
    """Return the link's type as seen from the concept."""
    type_ = str(row["type"])
    return type_ if row["forth"] else THE_OTHER_WAY.get(type_, type_)


def _weighs(row: sqlite3.Row, now: datetime) -> float:
    return fade(float(row["weight"]), (now - parse(row["last_reinforced_at"])).total_seconds() / 86400)
