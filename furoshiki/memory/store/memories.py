"""Storage of memories. Every memory about the user cites the turns it is based on."""

import sqlite3
import string
from collections.abc import Collection, Sequence
from datetime import datetime
from operator import itemgetter

from furoshiki.core.database.rows import (
    IDS,
    as_json,
    change_rows,
    dump,
    find_value,
    find_values,
    from_row,
    insert,
    marks,
    to_row,
)
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory.rules.weights import BOUNDARY
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.recall.retrieval.values import UNCONFIRMED

# Rows of the companion's identity. An index uses exactly this text: do not change it.
OF_IDENTITY = "immutable = 1 OR type = 'narrative' OR category IN ('boundary', 'goal', 'identity', 'self', 'value')"

# the metadata key of a self-observation's sources: sections of documents (`design_docs`)
DESIGN = "design"

_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)

OF_THEIR_LIFE = "category IN ('addressing', 'family', 'relationship', 'employment', 'location')"  # as in an index
_CURRENT = "status='active' AND valid_to IS NULL"
HELD = "SELECT * FROM memories WHERE valid_to IS NULL AND type IN ('semantic', 'preference')"
HOTTEST = "ORDER BY hit_count DESC, created_at DESC, id DESC"
# most facts on the user's identity, and latest facts, before the most used ones
STABLE_SHOWN, FRESH_SHOWN = 20, 10


def add(db: sqlite3.Connection, memory: NewMemory, now: datetime) -> int:
    """Store a memory with its sources; return its id. Raises ValueError without a source.

    The companion's observations about itself may cite sections of its own documents (`DESIGN` in
    the metadata) instead of turns; a memory about the user never does.
    """
    if not memory.turn_ids and not _of_oneself(memory):
        raise ValueError(f"a memory needs the words it rests on: {memory.content!r}")
    row = to_row(memory, "turn_ids", "confidence", source_confidence=memory.confidence, created_at=now)
    row["status"] = "active" if memory.unconfirmed is None else "dormant"
    if memory.immutable:
        row |= {"alpha": BOUNDARY.alpha, "beta": BOUNDARY.beta}
    memory_id = insert(db, "memories", row)
    for turn_id in dict.fromkeys(memory.turn_ids):
        db.execute("INSERT INTO memory_sources (memory_id, turn_id) VALUES (?, ?)", (memory_id, turn_id))
    return memory_id


def select(db: sqlite3.Connection, where: str, *values: object) -> list[Memory]:
    """Return the memories of a condition with their sources, in the order of their rows."""
    return _with_sources(db, db.execute(f"SELECT * FROM memories WHERE {where}", values).fetchall())  # noqa: S608


def get(db: sqlite3.Connection, memory_id: int) -> Memory | None:
    """Return the memory with this id and its sources, or None."""
    return next(iter(select(db, "id=?", memory_id)), None)


def read_known(db: sqlite3.Connection, limit: int = 50) -> list[Memory]:
    """Return current facts about the user: those on identity (at most STABLE_SHOWN), the latest
    ones, then those with most hits (ties: newest). Of the last two, cold facts are left out."""
    wanted = (  # the + disables the index of states, so that the other two are used
        (f"AND +status='active' AND {OF_THEIR_LIFE} {HOTTEST}", STABLE_SHOWN),
        ("AND cold_since IS NULL AND +status='active' ORDER BY created_at DESC, id DESC", FRESH_SHOWN),
        (f"AND cold_since IS NULL AND status='active' {HOTTEST}", limit),
    )
    rows: list[sqlite3.Row] = []
    for which, most in wanted:
        there, most = [row["id"] for row in rows], min(most, limit - len(rows))
        found = db.execute(f"{HELD} AND id NOT IN ({marks(there)}) {which} LIMIT ?", (*there, most))
        rows += sorted(found, key=itemgetter("hit_count", "created_at", "id"), reverse=True)
    return _with_sources(db, rows)


def once_known(db: sqlite3.Connection, limit: int = 50) -> list[Memory]:
    """Return ended facts about the user, the latest end first."""
    ended = "status='superseded' AND valid_to IS NOT NULL AND predicate IS NOT NULL"
    order = "ORDER BY valid_to DESC, id DESC LIMIT ?"
    return select(db, f"{ended} AND type IN ('semantic', 'preference') {order}", limit)


def of_identity(db: sqlite3.Connection, limit: int = 20) -> list[Memory]:
    """Return memories of the companion's identity: immutable ones, then the `limit` heaviest.

    These are narratives, values, goals, boundaries and self-knowledge, without the user's own
    goals.
    """
    chosen = f"{_CURRENT} AND ({OF_IDENTITY}) AND (immutable=1 OR source_tag!='external_user')"
    heaviest = f"{chosen} AND immutable=0 ORDER BY alpha/(alpha+beta) DESC, id LIMIT ?"
    return [*select(db, f"{chosen} AND immutable=1 ORDER BY id"), *select(db, heaviest, limit)]


def list_by_turns(db: sqlite3.Connection, turn_ids: Sequence[int]) -> list[int]:
    """Return the ids of active memories that cite any of these turns."""
    query = (
        "SELECT DISTINCT m.id FROM memory_sources s JOIN memories m ON m.id=s.memory_id "  # noqa: S608
        f"WHERE s.turn_id IN ({marks(turn_ids)}) AND +m.status='active' ORDER BY m.id"
    )
    return find_values(db, query, *turn_ids)


def goals(db: sqlite3.Connection, limit: int = 20) -> list[Memory]:
    """Return goals of the companion or the user, the heaviest first."""
    where = f"{_CURRENT} AND ({OF_IDENTITY}) AND category='goal' ORDER BY alpha/(alpha+beta) DESC, id LIMIT ?"
    return select(db, where, limit)


def warm(db: sqlite3.Connection, ids: Sequence[int]) -> int:
    """Reset the cold mark of facts that were found; return how many were cold."""
    query = f"UPDATE memories SET cold_since=NULL WHERE cold_since IS NOT NULL AND id IN ({marks(ids)})"  # noqa: S608
    return db.execute(query, list(ids)).rowcount


def about(db: sqlite3.Connection, subject: str, predicate: str) -> list[Memory]:
    """Return the current memories with a subject and predicate, oldest first."""
    where = f"{_CURRENT} AND lower(subject)=lower(?) AND lower(predicate)=lower(?) ORDER BY id"
    return select(db, where, clean(subject), clean(predicate))


def with_predicate(db: sqlite3.Connection, predicate: str) -> list[Memory]:
    """Return the current memories with a predicate, of any subject, oldest first."""
    return select(db, f"{_CURRENT} AND predicate=? ORDER BY id", predicate)


def of_facts(db: sqlite3.Connection, subject: str, predicates: Collection[str]) -> dict[str, list[Memory]]:
    """Return all facts ever stored of a subject, by predicate, oldest first."""
    wanted = sorted({_lower(one) for one in predicates})
    ids = f"SELECT id FROM memories WHERE lower(subject)=? AND lower(predicate) IN ({marks(wanted)})"  # noqa: S608
    memories = select(db, f"id IN ({ids}) ORDER BY id", _lower(subject), *wanted)
    return {
        name: [memory for memory in memories if _lower(memory.predicate or "") == _lower(name)] for name in predicates
    }


def of_subjects(db: sqlite3.Connection, names: Collection[str]) -> dict[str, list[Memory]]:
    """Return the current facts of these subjects, by name, oldest first."""
    wanted = sorted({_lower(name) for name in names})
    named = f"predicate IS NOT NULL AND lower(subject) IN ({marks(wanted)}) AND status='active'"
    where = f"id IN (SELECT id FROM memories WHERE {named}) AND valid_to IS NULL ORDER BY id"  # noqa: S608
    memories = select(db, where, *wanted)
    return {name: [memory for memory in memories if _lower(memory.subject or "") == _lower(name)] for name in names}


def facts_before(db: sqlite3.Connection, names: Sequence[str], turn_id: int) -> list[tuple[int, str, datetime]]:
    """Return these subjects' current facts from before a turn, newest first: id, text, when first said."""
    rows = db.execute(
        "SELECT m.id, content, coalesce(min(turns.at), created_at) AS said FROM memories m "  # noqa: S608
        "LEFT JOIN memory_sources ON memory_id=m.id LEFT JOIN turns ON turns.id=turn_id "
        "WHERE predicate IS NOT NULL AND status='active' AND valid_to IS NULL "
        f"AND lower(subject) IN ({marks(names)}) "
        "GROUP BY m.id HAVING coalesce(max(turn_id), 0)<? ORDER BY m.id DESC LIMIT 200",
        (*map(_lower, names), turn_id),
    )
    return [(int(row["id"]), str(row["content"]), parse(row["said"])) for row in rows]


def with_content(db: sqlite3.Connection, content: str) -> list[Memory]:
    """Return current and doubted memories with exactly this text, oldest first."""
    return select(db, f"content=? AND ({_CURRENT} OR unconfirmed IS NOT NULL) ORDER BY id", clean(content))


def close(db: sqlite3.Connection, memory_id: int, at: datetime) -> None:
    """End a fact: it stays readable, with its end. A start later than the end is removed."""
    db.execute(
        "UPDATE memories SET valid_to=:at, status=CASE WHEN unconfirmed IS NULL THEN 'superseded' ELSE status END, "
        "valid_from=CASE WHEN valid_from>:at THEN NULL ELSE valid_from END WHERE id=:id AND valid_to IS NULL",
        {"at": stamp(at), "id": memory_id},
    )


def inherit(db: sqlite3.Connection, memory_id: int, from_ids: Sequence[int]) -> None:
    """Give a memory the highest hit count of those it replaces."""
    db.execute(
        f"UPDATE memories SET hit_count=max(hit_count, coalesce((SELECT max(hit_count) FROM memories "  # noqa: S608
        f"WHERE id IN ({marks(from_ids)})), 0)) WHERE id=?",
        (*from_ids, memory_id),
    )


def withdraw(db: sqlite3.Connection, memory_id: int) -> None:
    """Withdraw a memory as never true: readable by id, valid on no day, no longer found."""
    query = "UPDATE memories SET valid_to=coalesce(valid_from, created_at), status='archived' WHERE id=?"
    db.execute(query, (memory_id,))


def in_doubt(db: sqlite3.Connection, limit: int = 50) -> list[Memory]:
    """Return unconfirmed memories, newest first."""
    where = "unconfirmed IS NOT NULL AND status='dormant' ORDER BY created_at DESC, id DESC LIMIT ?"
    return select(db, where, limit)


def confirm(db: sqlite3.Connection, memory_id: int, now: datetime, again: NewMemory | None = None) -> bool:
    """Confirm a memory, with the text of `again` if it was repeated; return False if it was not in
    doubt. One that is over is confirmed as ended."""
    cursor = db.execute(
        "UPDATE memories SET unconfirmed=NULL, status=CASE WHEN valid_to IS NULL THEN 'active' ELSE 'superseded' END, "
        "hit_count=hit_count+1, last_accessed_at=? WHERE id=? AND unconfirmed IS NOT NULL AND status='dormant'",
        (stamp(now), memory_id),
    )
    if cursor.rowcount and again is not None:
        for column in ("content", "subject", "predicate", "object", "category", "compressed"):
            value = getattr(again, column)
            if value is not None:
                db.execute(f"UPDATE memories SET {column}=? WHERE id=?", (clean(value), memory_id))  # noqa: S608
        reinforce(db, memory_id, again.turn_ids, now)
    return cursor.rowcount == 1


def retire(db: sqlite3.Connection, memory_id: int, reason: str, *, denied: bool) -> bool:
    """Archive a memory in doubt (`denied`: never true); return False if it is not in doubt."""
    query = (
        "UPDATE memories SET status='archived', unconfirmed=:reason, "
        "valid_to=CASE WHEN :denied THEN coalesce(valid_from, created_at) ELSE valid_to END "
        "WHERE id=:id AND unconfirmed IS NOT NULL AND status='dormant'"
    )
    return change_rows(db, query, {"reason": reason, "denied": denied, "id": memory_id}) == 1


def drop_source(db: sqlite3.Connection, memory_id: int, turn_id: int) -> None:
    """Remove a turn from a memory's sources."""
    db.execute("DELETE FROM memory_sources WHERE memory_id=? AND turn_id=?", (memory_id, turn_id))


def reinforce(db: sqlite3.Connection, memory_id: int, turn_ids: Sequence[int], now: datetime) -> None:
    """Add sources to a repeated memory, and one hit."""
    for turn_id in turn_ids:
        db.execute("INSERT OR IGNORE INTO memory_sources (memory_id, turn_id) VALUES (?, ?)", (memory_id, turn_id))
    touch(db, [memory_id], now)


def touch(db: sqlite3.Connection, ids: Sequence[int], now: datetime) -> None:
    """Count one use of these memories."""
    db.execute(
        f"UPDATE memories SET hit_count=hit_count+1, last_accessed_at=? WHERE id IN ({marks(ids)})",  # noqa: S608
        (stamp(now), *ids),
    )


def of_use(db: sqlite3.Connection, ids: Sequence[int], used: bool, learns: float) -> None:
    """Update the utility of injected memories: it moves towards 1 if `used`, else 0, by the share
    `learns`, in (0, 1), of the distance."""
    query = f"UPDATE memories SET utility=utility+?*(?-utility) WHERE id IN ({marks(ids)})"  # noqa: S608
    db.execute(query, (learns, float(used), *ids))


def contextualize(db: sqlite3.Connection, memory_id: int, text: str) -> None:
    """Store a memory's text with its context and queue it for a new vector."""
    query = "UPDATE memories SET content_contextualized=?, index_state='pending' WHERE id=?"
    db.execute(query, (clean(text), memory_id))


def newest(db: sqlite3.Connection, limit: int = 20) -> list[Memory]:
    """Return the newest memories of any type and status."""
    return select(db, "1 ORDER BY id DESC LIMIT ?", limit)


def count(db: sqlite3.Connection) -> int:
    """Return the number of memories, superseded ones included."""
    return int(find_value(db, "SELECT count(*) FROM memories"))


def count_to(db: sqlite3.Connection, most: int) -> int:
    """Return the number of memories, counted up to `most`."""
    return int(find_value(db, "SELECT count(*) FROM (SELECT 1 FROM memories LIMIT ?)", most))


LONGEST_REFUSED = 2000  # characters of a refused claim that are stored


def reject(db: sqlite3.Connection, kind: str, content: str, cited: Sequence[int], reason: str, now: datetime) -> None:
    """Store a refused claim for inspection only."""
    query = "INSERT INTO rejected_extractions (kind, content, cited, reason, at) VALUES (?, ?, ?, ?, ?)"
    db.execute(query, (kind, clean(content)[:LONGEST_REFUSED], dump(list(cited)), reason[:LONGEST_REFUSED], stamp(now)))


def of_ids(db: sqlite3.Connection, ids: Sequence[int]) -> list[Memory]:
    """Return these memories with their sources, by id; deleted ones are left out."""
    return select(db, f"id IN {IDS} ORDER BY id", as_json(ids))


def _of_oneself(memory: NewMemory) -> bool:
    """Whether a memory is a self-observation that cites sections of documents."""
    internal = memory.source_tag == "internal_consolidation" and memory.subject is None and memory.predicate is None
    seen_of_itself = memory.type == "reflection" and memory.category == "self"
    return internal and seen_of_itself and bool((memory.metadata or {}).get(DESIGN))


def _lower(name: str) -> str:
    """Return a name as stored, in the lower case of SQLite's lower() (ASCII letters only)."""
    return clean(name).translate(_ASCII_LOWER)


def _with_sources(db: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> list[Memory]:
    if not rows:
        return []
    cited = f"SELECT memory_id, turn_id FROM memory_sources WHERE memory_id IN {IDS} ORDER BY turn_id"  # noqa: S608
    sources: dict[int, list[int]] = {}
    for link in db.execute(cited, (as_json(row["id"] for row in rows),)):
        sources.setdefault(link["memory_id"], []).append(link["turn_id"])
    return [
        from_row(
            Memory,
            row,
            status=UNCONFIRMED if row["unconfirmed"] and row["status"] == "dormant" else row["status"],
            turn_ids=tuple(sources.get(row["id"], ())),
            confidence=row["source_confidence"],
            contextualized=row["content_contextualized"],
        )
        for row in rows
    ]
