"""What the mind made of what was said. Every memory about the user names the turns it rests on."""

import sqlite3
import string
from collections.abc import Collection, Sequence
from datetime import datetime
from operator import itemgetter
from typing import cast

from furoshiki.core.database.rows import clean, dump, from_row, insert, marks, to_row
from furoshiki.core.timestamps import stamp
from furoshiki.memory.rules.weights import BOUNDARY
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.recall.retrieval.values import UNCONFIRMED

OF_IDENTITY = "immutable = 1 OR type = 'narrative' OR category IN ('boundary', 'goal', 'identity', 'self', 'value')"
"""What may belong to who the companion is. An index holds exactly these rows, so the words must stay as they are."""

DESIGN = "design"
"""In the metadata of a self-observation: the parts of documents (`design_docs`) that it rests on."""

_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)

OF_THEIR_LIFE = "category IN ('addressing', 'family', 'relationship', 'employment', 'location')"  # as an index has it
HELD = "SELECT * FROM memories WHERE valid_to IS NULL AND type IN ('semantic', 'preference')"
HOTTEST = "ORDER BY hit_count DESC, created_at DESC, id DESC"
STABLE_SHOWN, FRESH_SHOWN = 20, 10
"""So many facts on who the user is (how to be addressed, family, work, home), and so many that were learned last, come
before what is merely in much use."""


def add(db: sqlite3.Connection, memory: NewMemory, now: datetime) -> int:
    """Keep a memory with its sources. No source, no memory: ValueError.

    What the companion found out about itself in its own documents rests on their parts (`DESIGN` in its metadata) and
    on nothing that anybody said; a memory about the user never does.
    """
    if not memory.turn_ids and not _of_oneself(memory):
        raise ValueError(f"a memory needs the words it rests on: {memory.content!r}")
    row = to_row(memory, "turn_ids", "confidence", source_confidence=memory.confidence, created_at=now)
    row["status"] = "active" if memory.unconfirmed is None else "dormant"
    if memory.immutable:
        row |= {"alpha": BOUNDARY.alpha, "beta": BOUNDARY.beta}
    memory_id = cast(int, insert(db, "memories", row))
    for turn_id in dict.fromkeys(memory.turn_ids):
        db.execute("INSERT INTO memory_sources (memory_id, turn_id) VALUES (?, ?)", (memory_id, turn_id))
    return memory_id


def get(db: sqlite3.Connection, memory_id: int) -> Memory | None:
    """One memory with its sources."""
    row = db.execute("SELECT * FROM memories WHERE id=?", (memory_id,)).fetchone()
    return None if row is None else _with_sources(db, [row])[0]


def read_known(db: sqlite3.Connection, limit: int = 50) -> list[Memory]:
    """Current facts about the user: first who they are (as far as STABLE_SHOWN goes), then what was learned last, then
    the hottest: most hits first, then newest. Of these two what has gone cold is left out."""
    wanted = (  # the + keeps the index of states out, so that the other two are used
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
    """Facts about the user that were true and are over, what ended last first."""
    rows = db.execute(
        "SELECT * FROM memories WHERE status='superseded' AND valid_to IS NOT NULL AND predicate IS NOT NULL "
        "AND type IN ('semantic', 'preference') ORDER BY valid_to DESC, id DESC LIMIT ?",
        (limit,),
    ).fetchall()
    return _with_sources(db, rows)


def of_identity(db: sqlite3.Connection, limit: int = 20) -> list[Memory]:
    """What makes the companion who it is: everything immutable, then the `limit` heaviest of the others.

    These are narratives, values, goals, boundaries and what it knows of itself; what the user said of their own goals
    is none of them.
    """
    chosen = (
        f"SELECT * FROM memories WHERE status='active' AND valid_to IS NULL AND ({OF_IDENTITY}) "  # noqa: S608
        "AND (immutable=1 OR source_tag!='external_user') "
    )
    rows = db.execute(chosen + "AND immutable=1 ORDER BY id").fetchall()
    rows += db.execute(chosen + "AND immutable=0 ORDER BY alpha/(alpha+beta) DESC, id LIMIT ?", (limit,)).fetchall()
    return _with_sources(db, rows)


def list_by_turns(db: sqlite3.Connection, turn_ids: Sequence[int]) -> list[int]:
    """The active memories that rest on any of these turns."""
    rows = db.execute(
        "SELECT DISTINCT m.id FROM memory_sources s JOIN memories m ON m.id=s.memory_id "  # noqa: S608
        f"WHERE s.turn_id IN ({marks(turn_ids)}) AND +m.status='active' ORDER BY m.id",
        tuple(turn_ids),
    )
    return [int(row["id"]) for row in rows]


def goals(db: sqlite3.Connection, limit: int = 20) -> list[Memory]:
    """What is being striven for, by the companion or the user: the heaviest first."""
    rows = db.execute(
        f"SELECT * FROM memories WHERE status='active' AND valid_to IS NULL AND ({OF_IDENTITY}) "  # noqa: S608
        "AND category='goal' ORDER BY alpha/(alpha+beta) DESC, id LIMIT ?",
        (limit,),
    ).fetchall()
    return _with_sources(db, rows)


def warm(db: sqlite3.Connection, ids: Sequence[int]) -> int:
    """Cold facts that were found are hot again; returns how many were cold."""
    return db.execute(
        f"UPDATE memories SET cold_since=NULL WHERE cold_since IS NOT NULL AND id IN ({marks(ids)})",  # noqa: S608
        list(ids),
    ).rowcount


def about(db: sqlite3.Connection, subject: str, predicate: str) -> list[Memory]:
    """What is held true now of a subject and predicate, oldest first."""
    rows = db.execute(
        "SELECT * FROM memories WHERE status='active' AND valid_to IS NULL AND lower(subject)=lower(?) "
        "AND lower(predicate)=lower(?) ORDER BY id",
        (clean(subject), clean(predicate)),
    ).fetchall()
    return _with_sources(db, rows)


def with_predicate(db: sqlite3.Connection, predicate: str) -> list[Memory]:
    """What is held true now by a predicate, of anybody; oldest first."""
    rows = db.execute(
        "SELECT * FROM memories WHERE status='active' AND valid_to IS NULL AND predicate=? ORDER BY id", (predicate,)
    ).fetchall()
    return _with_sources(db, rows)


def of_facts(db: sqlite3.Connection, subject: str, predicates: Collection[str]) -> dict[str, list[Memory]]:
    """Return all facts ever held of a subject, by predicate, oldest first."""
    wanted = sorted({_lower(one) for one in predicates})
    rows = db.execute(
        "SELECT * FROM memories WHERE id IN (SELECT id FROM memories WHERE lower(subject)=? "  # noqa: S608
        f"AND lower(predicate) IN ({marks(wanted)})) ORDER BY id",
        (_lower(subject), *wanted),
    ).fetchall()
    held = _with_sources(db, rows)
    return {name: [one for one in held if _lower(one.predicate or "") == _lower(name)] for name in predicates}


def of_subjects(db: sqlite3.Connection, names: Collection[str]) -> dict[str, list[Memory]]:
    """Every fact held true now of these subjects, by name; each oldest first."""
    wanted = sorted({_lower(one) for one in names})
    rows = db.execute(
        "SELECT * FROM memories WHERE id IN (SELECT id FROM memories WHERE predicate IS NOT NULL "  # noqa: S608
        f"AND lower(subject) IN ({marks(wanted)}) AND status='active') AND valid_to IS NULL ORDER BY id",
        wanted,
    ).fetchall()
    held = _with_sources(db, rows)
    return {name: [one for one in held if _lower(one.subject or "") == _lower(name)] for name in names}


def facts_before(db: sqlite3.Connection, names: Sequence[str], turn_id: int, limit: int = 200) -> list[tuple[int, str]]:
    """The ids and words of what is held true now of these subjects and was all said before a turn, newest first."""
    rows = db.execute(
        "SELECT id, content FROM memories m WHERE predicate IS NOT NULL AND status='active' AND valid_to IS NULL AND "  # noqa: S608
        f"lower(subject) IN ({marks(names)}) AND NOT EXISTS (SELECT 1 FROM memory_sources WHERE memory_id=m.id "
        "AND turn_id>=?) ORDER BY id DESC LIMIT ?",
        (*(_lower(one) for one in names), turn_id, limit),
    )
    return [(int(row["id"]), str(row["content"])) for row in rows]


def with_content(db: sqlite3.Connection, content: str) -> list[Memory]:
    """What is held true now in exactly these words, and what was told in them in doubt; oldest first."""
    rows = db.execute(
        "SELECT * FROM memories WHERE content=? AND (status='active' AND valid_to IS NULL OR unconfirmed IS NOT NULL) "
        "ORDER BY id",
        (clean(content),),
    ).fetchall()
    return _with_sources(db, rows)


def close(db: sqlite3.Connection, memory_id: int, at: datetime) -> None:
    """A fact stopped being true: it stays readable, with its end. Did it end before it was known, its begin is not."""
    db.execute(
        "UPDATE memories SET valid_to=:at, status=CASE WHEN unconfirmed IS NULL THEN 'superseded' ELSE status END, "
        "valid_from=CASE WHEN valid_from>:at THEN NULL ELSE valid_from END WHERE id=:id AND valid_to IS NULL",
        {"at": stamp(at), "id": memory_id},
    )


def inherit(db: sqlite3.Connection, memory_id: int, from_ids: Sequence[int]) -> None:
    """What takes the place of other memories is as much in use as the one of them that was most."""
    db.execute(
        f"UPDATE memories SET hit_count=max(hit_count, coalesce((SELECT max(hit_count) FROM memories "  # noqa: S608
        f"WHERE id IN ({marks(from_ids)})), 0)) WHERE id=?",
        (*from_ids, memory_id),
    )


def withdraw(db: sqlite3.Connection, memory_id: int) -> None:
    """It was never true: it can still be read by its id, is true of no day, and found no more."""
    db.execute(
        "UPDATE memories SET valid_to=coalesce(valid_from, created_at), status='archived' WHERE id=?", (memory_id,)
    )


def in_doubt(db: sqlite3.Connection, limit: int = 50) -> list[Memory]:
    """What was told and may not be so, newest first."""
    return _with_sources(
        db,
        db.execute(
            "SELECT * FROM memories WHERE unconfirmed IS NOT NULL AND status='dormant' "
            "ORDER BY created_at DESC, id DESC LIMIT ?",
            (limit,),
        ).fetchall(),
    )


def confirm(db: sqlite3.Connection, memory_id: int, now: datetime, again: NewMemory | None = None) -> bool:
    """It is known from now on, in the words of `again` where it was said again; False when it was not in doubt.

    What is over is known as over.
    """
    done = db.execute(
        "UPDATE memories SET unconfirmed=NULL, status=CASE WHEN valid_to IS NULL THEN 'active' ELSE 'superseded' END, "
        "hit_count=hit_count+1, last_accessed_at=? WHERE id=? AND unconfirmed IS NOT NULL AND status='dormant'",
        (stamp(now), memory_id),
    )
    if done.rowcount and again is not None:
        for column in ("content", "subject", "predicate", "object", "category", "compressed"):
            value = getattr(again, column)
            if value is not None:
                db.execute(f"UPDATE memories SET {column}=? WHERE id=?", (clean(value), memory_id))  # noqa: S608
        reinforce(db, memory_id, again.turn_ids, now)
    return done.rowcount == 1


def retire(db: sqlite3.Connection, memory_id: int, reason: str, *, denied: bool) -> bool:
    """It was in doubt and is let go, for this reason; False when it was not in doubt. If `denied`, it was never so."""
    done = db.execute(
        "UPDATE memories SET status='archived', unconfirmed=:reason, "
        "valid_to=CASE WHEN :denied THEN coalesce(valid_from, created_at) ELSE valid_to END "
        "WHERE id=:id AND unconfirmed IS NOT NULL AND status='dormant'",
        {"reason": reason, "denied": denied, "id": memory_id},
    )
    return done.rowcount == 1


def drop_source(db: sqlite3.Connection, memory_id: int, turn_id: int) -> None:
    """It rests on this turn no more."""
    db.execute("DELETE FROM memory_sources WHERE memory_id=? AND turn_id=?", (memory_id, turn_id))


def reinforce(db: sqlite3.Connection, memory_id: int, turn_ids: Sequence[int], now: datetime) -> None:
    """The same thing was said again: one more source, one more hit."""
    for turn_id in turn_ids:
        db.execute("INSERT OR IGNORE INTO memory_sources (memory_id, turn_id) VALUES (?, ?)", (memory_id, turn_id))
    touch(db, [memory_id], now)


def touch(db: sqlite3.Connection, ids: Sequence[int], now: datetime) -> None:
    """These memories were of use in a turn."""
    db.execute(
        f"UPDATE memories SET hit_count=hit_count+1, last_accessed_at=? WHERE id IN ({marks(ids)})",  # noqa: S608
        (stamp(now), *ids),
    )


def of_use(db: sqlite3.Connection, ids: Sequence[int], used: bool, learns: float) -> None:
    """Memories stood before the mind, and the answer made use of them or not: their utility moves that way by a share
    (`learns`, in (0, 1)) of what is left."""
    db.execute(
        f"UPDATE memories SET utility=utility+?*(?-utility) WHERE id IN ({marks(ids)})",  # noqa: S608
        (learns, float(used), *ids),
    )


def contextualize(db: sqlite3.Connection, memory_id: int, text: str) -> None:
    """Say a memory with who, when and why, and let it be embedded again; until then its old vector stays."""
    db.execute(
        "UPDATE memories SET content_contextualized=?, index_state='pending' WHERE id=?", (clean(text), memory_id)
    )


def newest(db: sqlite3.Connection, limit: int = 20) -> list[Memory]:
    """The newest memories of any kind and state."""
    return _with_sources(db, db.execute("SELECT * FROM memories ORDER BY id DESC LIMIT ?", (limit,)).fetchall())


def count(db: sqlite3.Connection) -> int:
    """How many memories are held, superseded ones included."""
    return int(db.execute("SELECT count(*) FROM memories").fetchone()[0])


def count_to(db: sqlite3.Connection, most: int) -> int:
    """How many memories are held, counted up to `most`."""
    return int(db.execute("SELECT count(*) FROM (SELECT 1 FROM memories LIMIT ?)", (most,)).fetchone()[0])


LONGEST_REFUSED = 2000
"""Characters of what was claimed without grounds that are kept of it: enough to be looked at."""


def reject(db: sqlite3.Connection, kind: str, content: str, cited: Sequence[int], reason: str, now: datetime) -> None:
    """Keep what was claimed without grounds where it can be looked at, and nowhere else."""
    db.execute(
        "INSERT INTO rejected_extractions (kind, content, cited, reason, at) VALUES (?, ?, ?, ?, ?)",
        (kind, clean(content)[:LONGEST_REFUSED], dump(list(cited)), reason[:LONGEST_REFUSED], stamp(now)),
    )


def of_ids(db: sqlite3.Connection, ids: Sequence[int]) -> list[Memory]:
    """These memories with their sources, in order of id; what is gone is left out."""
    rows: list[sqlite3.Row] = []
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        rows += db.execute(f"SELECT * FROM memories WHERE id IN ({marks(part)}) ORDER BY id", part).fetchall()  # noqa: S608
    return _with_sources(db, rows)


def _of_oneself(memory: NewMemory) -> bool:
    """Whether a memory is an observation of the companion itself that names parts of its documents."""
    internal = memory.source_tag == "internal_consolidation" and memory.subject is None and memory.predicate is None
    seen_of_itself = memory.type == "reflection" and memory.category == "self"
    return internal and seen_of_itself and bool((memory.metadata or {}).get(DESIGN))


def _lower(name: str) -> str:
    """A name as it is kept and as SQLite's lower() reads it, which knows ASCII letters only."""
    return clean(name).translate(_ASCII_LOWER)


def _with_sources(db: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> list[Memory]:
    ids = [row["id"] for row in rows]
    sources: dict[int, list[int]] = {}
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        for link in db.execute(
            f"SELECT memory_id, turn_id FROM memory_sources WHERE memory_id IN ({marks(part)}) ORDER BY turn_id",  # noqa: S608
            part,
        ):
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
