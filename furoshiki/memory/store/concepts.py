"""Storage of concepts: which memories and sessions hold them, and the links between them.

A link's weight and a concept's strength are stored as of their last reinforcement; readers apply
the decay (`memory.rules.concepts.fade`, `strength`), so that no update pass over the table is
needed.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Literal

from furoshiki.core.database.rows import IDS, as_json, change_rows, find_values, from_row, insert, marks
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory.rules.concepts import LONGEST, STRENGTH, fade, strength, strengthen

READ_TO = "concepts.read_to"  # the `kv` key of the id of the last memory whose concepts were read

# Relations of two concepts: met together; the first is a part or kind of the second or leads to it;
# they are opposites; or the first three reversed. Words alone give "together".
LinkType = Literal["together", "part_of", "kind_of", "leads_to", "against", "has_part", "has_kind", "comes_of"]

# relations that differ when read from the other end
THE_OTHER_WAY: Mapping[str, str] = {
    "part_of": "has_part",
    "kind_of": "has_kind",
    "leads_to": "comes_of",
    "has_part": "part_of",
    "has_kind": "kind_of",
    "comes_of": "leads_to",
}

# the columns of a concept, whose table alias is c
COLUMNS = "c.id, c.name, c.seen, c.strength, coalesce(c.last_accessed_at, c.created_at) AS met_at"


@dataclass(frozen=True)
class Concept:
    """A concept, the number of memories with it, and its strength at its last occurrence."""

    id: int
    name: str
    seen: int
    strength: float
    met_at: datetime

    def strength_at(self, now: datetime) -> float:
        """Return its strength at a time, in [0, 1]."""
        return strength(self.strength, (now - self.met_at).total_seconds() / 86400)


def see(db: sqlite3.Connection, memory_id: int, names: Sequence[str], now: datetime) -> list[int]:
    """Add concepts to a memory; return the ids of those new to it.

    New concepts are linked with each other and with the memory's earlier ones; each link gains 1.
    """
    known_ids = {concept.id for concept in of_memories(db, [memory_id]).get(memory_id, [])}
    new: list[int] = []
    for name in dict.fromkeys(map(clean, names)):
        concept_id = _concept(db, name, now)
        if concept_id in known_ids or concept_id in new:
            continue
        db.execute("INSERT INTO memory_concepts (memory_id, concept_id) VALUES (?, ?)", (memory_id, concept_id))
        db.execute("UPDATE concepts SET seen=seen+1 WHERE id=?", (concept_id,))
        new.append(concept_id)
    for first, second in combinations(sorted(known_ids.union(new)), 2):
        if first in new or second in new:
            reinforce(db, first, second, now)
    return new


def of_session(
    db: sqlite3.Connection,
    session_row: int,
    names: Sequence[str],
    now: datetime,
    links: Sequence[tuple[str, str, LinkType]] = (),
) -> list[int]:
    """Add concepts and typed `links` to a session; return the ids of all. They are linked as those
    of a memory are; a typed link gains 1 more."""
    ids = {name: _concept(db, clean(name), now) for name in names}
    concept_ids = list(dict.fromkeys(ids.values()))
    db.executemany(
        "INSERT OR IGNORE INTO session_concepts (session_row, concept_id) VALUES (?, ?)",
        [(session_row, one) for one in concept_ids],
    )
    for first, second in combinations(sorted(concept_ids), 2):
        reinforce(db, first, second, now)
    for one, other, type_ in links:
        if one in ids and other in ids and ids[one] != ids[other]:
            reinforce(db, ids[one], ids[other], now)
            tell_link(db, ids[one], ids[other], type_)
    return concept_ids


def tell_link(db: sqlite3.Connection, first: int, second: int, type_: str) -> None:
    """Set the type of the link between two concepts, read from the first."""
    a, b = sorted((first, second))
    seen = type_ if a == first else THE_OTHER_WAY.get(type_, type_)
    db.execute("UPDATE concept_links SET type=? WHERE a_id=? AND b_id=?", (seen, a, b))


def link_type(db: sqlite3.Connection, first: int, second: int) -> str:
    """Return the type of the link between two concepts; "together" if none is stored."""
    a, b = sorted((first, second))
    row = db.execute("SELECT type FROM concept_links WHERE a_id=? AND b_id=?", (a, b)).fetchone()
    type_ = "together" if row is None else str(row["type"])
    return type_ if a == first else THE_OTHER_WAY.get(type_, type_)


def reinforce(db: sqlite3.Connection, first: int, second: int, now: datetime, amount: float = 1.0) -> None:
    """Decay the link of two concepts to now and add `amount` to its weight."""
    a, b = sorted((first, second))
    row = db.execute("SELECT weight, last_reinforced_at FROM concept_links WHERE a_id=? AND b_id=?", (a, b)).fetchone()
    left = 0.0 if row is None else _now_weighs(row, now)
    db.execute(
        "INSERT INTO concept_links (a_id, b_id, weight, last_reinforced_at) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (a_id, b_id) DO UPDATE SET weight=excluded.weight, last_reinforced_at=excluded.last_reinforced_at",
        (a, b, left + amount, stamp(now)),
    )


def of_memories(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, list[Concept]]:
    """Return the concepts of these memories; memories without any are left out."""
    concepts_of: dict[int, list[Concept]] = {}
    rows = db.execute(
        f"SELECT mc.memory_id, {COLUMNS} FROM memory_concepts mc JOIN concepts c ON c.id=mc.concept_id "  # noqa: S608
        f"WHERE mc.memory_id IN {IDS} ORDER BY mc.memory_id, c.id",
        (as_json(ids),),
    )
    for row in rows:
        concepts_of.setdefault(row["memory_id"], []).append(read(row))
    return concepts_of


def read_named(db: sqlite3.Connection, names: Sequence[str]) -> list[Concept]:
    """Return the concepts with these names, in order; unknown names are left out."""
    wanted = list(dict.fromkeys(name for name in names if name))
    rows = db.execute(f"SELECT {COLUMNS} FROM concepts c WHERE c.name IN ({marks(wanted)})", wanted)  # noqa: S608
    concept_of = {row["name"]: read(row) for row in rows}
    return [concept_of[name] for name in wanted if name in concept_of]


def by_name(db: sqlite3.Connection, beginning: str, after: str, limit: int) -> list[Concept]:
    """Return the concepts whose names begin so, by name, after the name `after`."""
    query = f"SELECT {COLUMNS} FROM concepts c WHERE c.name>? AND c.name>=? AND c.name<? ORDER BY c.name LIMIT ?"  # noqa: S608
    rows = db.execute(query, (after, beginning, f"{beginning}\U0010ffff", limit))
    return list(map(read, rows))


def holders(db: sqlite3.Connection, concept_id: int, limit: int) -> list[int]:
    """Return the newest active memories with a concept."""
    query = (
        "SELECT m.id FROM memory_concepts mc JOIN memories m ON m.id=mc.memory_id "
        "WHERE mc.concept_id=? AND m.status='active' ORDER BY m.id DESC LIMIT ?"
    )
    return find_values(db, query, concept_id, limit)


def neighbours(db: sqlite3.Connection, concept_id: int, now: datetime, limit: int) -> list[tuple[Concept, float]]:
    """Return linked concepts as of now, closest first, with the weight of the link."""
    rows = db.execute(
        f"SELECT {COLUMNS}, l.weight, l.last_reinforced_at FROM concept_links l "  # noqa: S608
        "JOIN concepts c ON c.id = CASE WHEN l.a_id=:id THEN l.b_id ELSE l.a_id END WHERE l.a_id=:id OR l.b_id=:id",
        {"id": concept_id},
    ).fetchall()
    linked = [(read(row), _now_weighs(row, now)) for row in rows]
    return sorted(linked, key=lambda pair: (-pair[1], pair[0].id))[:limit]


def counts(db: sqlite3.Connection, since: datetime, until: datetime) -> dict[str, float]:
    """Return the number of memories with each concept, in a period."""
    rows = db.execute(
        "SELECT c.name, count(*) AS times FROM memories m JOIN memory_concepts mc ON mc.memory_id=m.id "
        "JOIN concepts c ON c.id=mc.concept_id WHERE m.created_at > ? AND m.created_at <= ? GROUP BY c.id",
        (stamp(since), stamp(until)),
    )
    return {row["name"]: float(row["times"]) for row in rows}


def unread(db: sqlite3.Connection, after: int, limit: int) -> list[tuple[int, str, str | None]]:
    """Return memories after the id `after`, in order: id, content, object of a fact."""
    rows = db.execute("SELECT id, content, object FROM memories WHERE id>? ORDER BY id LIMIT ?", (after, limit))
    return [(row["id"], row["content"], row["object"]) for row in rows]


def drop_unheld(db: sqlite3.Connection) -> int:
    """Delete concepts without memories and sessions, and their links; return their number."""
    query = (
        "DELETE FROM concepts WHERE id NOT IN (SELECT concept_id FROM memory_concepts) "
        "AND id NOT IN (SELECT concept_id FROM session_concepts)"
    )
    return change_rows(db, query)


def reward(db: sqlite3.Connection, concept_id: int, gain: float, now: datetime) -> None:
    """Add `gain` to a concept's current strength (at most 1)."""
    rows = db.execute(f"SELECT {COLUMNS} FROM concepts c WHERE c.id=?", (concept_id,)).fetchall()  # noqa: S608
    for concept in map(read, rows):
        query = "UPDATE concepts SET strength=?, last_accessed_at=?, accesses=accesses+1 WHERE id=?"
        db.execute(query, (min(1.0, concept.strength_at(now) + gain), stamp(now), concept_id))


def _concept(db: sqlite3.Connection, name: str, now: datetime) -> int:
    """Return the id of the concept with this name, created or reinforced now."""
    row = db.execute("SELECT id, strength FROM concepts WHERE name=?", (name[:LONGEST],)).fetchone()
    if row is not None:
        query = "UPDATE concepts SET strength=?, last_accessed_at=?, accesses=accesses+1 WHERE id=?"
        db.execute(query, (strengthen(row["strength"]), stamp(now), row["id"]))
        return int(row["id"])
    return insert(db, "concepts", {"name": name[:LONGEST], "seen": 0, "strength": STRENGTH, "created_at": now})


def read(row: sqlite3.Row) -> Concept:
    """Build a concept from a row of `COLUMNS`."""
    return from_row(Concept, row)


def _now_weighs(row: sqlite3.Row, now: datetime) -> float:
    days = (now - parse(row["last_reinforced_at"])).total_seconds() / 86400
    return fade(float(row["weight"]), days)
