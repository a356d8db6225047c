"""The part of forgetting that concerns memories: find, rewrite and delete rows.

`furoshiki/archive/forgetting` decides what to forget; this module knows the tables.
"""

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core import refs
from furoshiki.core.database.erasure import Erasure, quote
from furoshiki.core.database.rows import IDS, as_json, find_values, from_row, has_row
from furoshiki.core.database.stems import Words
from furoshiki.language.redaction import cell_holds, cut_cell
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.store import tombstones
from furoshiki.messages.store.forgetting import Said, TurnKeys

_STAYING = """
SELECT id, content, content_contextualized, compressed, metadata,
  EXISTS (SELECT 1 FROM memory_sources WHERE memory_id=memories.id AND turn_id IN (SELECT value FROM json_each(?)))
  OR EXISTS (SELECT 1 FROM memory_links WHERE from_id=memories.id AND to_id IN (SELECT value FROM json_each(?)))
  AS touched
FROM memories WHERE id NOT IN (SELECT value FROM json_each(?))
"""

_THERE = (
    "SELECT sessions.id FROM sessions JOIN turns USING (session_id) "
    "WHERE turns.id IN (SELECT value FROM json_each(:turns))"
)
_TOLD_THERE = f"SELECT rowid FROM session_concepts WHERE session_row IN ({_THERE})"  # noqa: S608
_CONCEPTS_GOING = f"""
SELECT concept_id FROM memory_concepts WHERE memory_id IN (SELECT value FROM json_each(:memories))
UNION SELECT concept_id FROM session_concepts WHERE session_row IN ({_THERE})
EXCEPT SELECT concept_id FROM memory_concepts WHERE memory_id NOT IN (SELECT value FROM json_each(:memories))
EXCEPT SELECT concept_id FROM session_concepts WHERE session_row NOT IN ({_THERE})
"""  # noqa: S608

_REPLACED = """
SELECT to_id AS id FROM memory_links WHERE relation='supersedes' AND from_id IN (SELECT value FROM json_each(:gone))
UNION SELECT from_id FROM memory_links WHERE relation='updated_by' AND to_id IN (SELECT value FROM json_each(:gone))
"""
_REPLACED_STILL = """
SELECT 1 FROM memory_links WHERE relation='supersedes' AND to_id=:id
  AND from_id NOT IN (SELECT value FROM json_each(:gone))
UNION SELECT 1 FROM memory_links WHERE relation='updated_by' AND from_id=:id
  AND to_id NOT IN (SELECT value FROM json_each(:gone))
"""


@dataclass(frozen=True)
class Held:
    """What forgetting needs of a memory; `turns`: cited ones; `own`: derived from others."""

    id: int
    type: str
    content: str
    subject: str | None
    predicate: str | None
    object: str | None
    own: bool
    turns: frozenset[int]


def memories_of(db: sqlite3.Connection, ids: Collection[int] | None = None) -> list[Held]:
    """Return these memories (or all), oldest first."""
    sources: dict[int, set[int]] = {}
    for memory_id, turn_id in db.execute("SELECT memory_id, turn_id FROM memory_sources"):
        sources.setdefault(memory_id, set()).add(turn_id)
    where = "" if ids is None else f"WHERE id IN {IDS}"
    values = [] if ids is None else [as_json(ids)]
    rows = db.execute(f"SELECT * FROM memories {where} ORDER BY id", values)  # noqa: S608
    return [_build_held(row, frozenset(sources.get(row["id"], ()))) for row in rows]


def find_memories(db: sqlite3.Connection, words: Words) -> set[int]:
    """Return the ids of all memories that contain the words."""
    rows = db.execute("SELECT id, content, subject, predicate, object FROM memories")
    return set(words.holding((row[0], " \n".join(str(one) for one in tuple(row)[1:] if one)) for row in rows))


def links(db: sqlite3.Connection) -> list[tuple[int, int, str]]:
    """Return every link between memories: from, to, relation."""
    return [(row[0], row[1], row[2]) for row in db.execute("SELECT from_id, to_id, relation FROM memory_links")]


def find_texts(db: sqlite3.Connection, words: str) -> list[str]:
    """Return the texts of memories with this word or name, by the full-text index."""
    question = "SELECT content FROM memories WHERE id IN (SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?)"
    return find_values(db, question, quote(words))


def collect_traces(db: sqlite3.Connection, turns: Collection[int], keys: TurnKeys, erasure: Erasure) -> None:
    """Collect the retrievals of forgotten turns, and rejected claims and gists that cite them."""
    erasure.go_by(db, "retrievals", "turn_key", keys.spoken)
    erasure.go_citing(db, "rejected_extractions", "cited", turns)
    erasure.go_citing(db, "gists", "rests_on", {*refs.names("turn", turns), *keys.spoken})


def around(
    db: sqlite3.Connection,
    turns: Collection[int],
    memories: Collection[int],
    rewritten: Mapping[int, str],
    words: Words,
    erasure: Erasure,
) -> None:
    """Collect the changes to remaining memories: derived texts that may contain forgotten words are
    reset, `rewritten` ones get new text. Also collect concepts held only by forgotten memories and
    sessions."""
    for row_id, content in rewritten.items():
        erasure.cut("memories", row_id, "content", content)
        _rewrite(erasure, row_id, content)
    for row in db.execute(_STAYING, [as_json(turns), as_json(memories), as_json(memories)]):
        prose = " \n".join(row[name] or "" for name in ("content_contextualized", "compressed"))
        if row["metadata"] and words.perhaps(row["metadata"]) and cell_holds(row["metadata"], words):
            erasure.cut("memories", row["id"], "metadata", cut_cell(row["metadata"], words))
        if row["id"] not in rewritten and (row["touched"] or words(prose)) and prose.strip():
            _rewrite(erasure, row["id"], row["content"])
    values = {"memories": as_json(memories), "turns": as_json(turns)}
    erasure.go("concepts", find_values(db, _CONCEPTS_GOING, values))
    erasure.go("session_concepts", find_values(db, _TOLD_THERE, values))
    erasure.go_citing(db, "gists", "rests_on", refs.names("memory", memories))


def leave_marks(db: sqlite3.Connection, going_turns: Iterable[Said], memories: Iterable[Held], now: datetime) -> None:
    """Write tombstones for these turns and memories, so that no import restores them."""
    for turn in going_turns:
        if turn.text.strip():
            tombstones.bury(db, "turn", tombstones.turn(turn.speaker, turn.at, turn.text), now)
        if turn.import_id is not None:
            tombstones.bury(db, "turn", tombstones.make_import_name(turn.source, turn.import_id), now)
    for memory in memories:
        facts = tombstones.fact(memory.subject, memory.predicate, memory.object, memory.content)
        tombstones.bury(db, "memory", facts, now)


def reopen(db: sqlite3.Connection, going: Collection[int]) -> None:
    """Reactivate memories that only forgotten memories had replaced."""
    going_ids = as_json(going)
    for row in db.execute(_REPLACED, {"gone": going_ids}).fetchall():
        if not has_row(db, _REPLACED_STILL, {"gone": going_ids, "id": row["id"]}):
            query = "UPDATE memories SET status='active', valid_to=NULL WHERE id=? AND status='superseded'"
            db.execute(query, (row["id"],))


def remove(db: sqlite3.Connection, memories: Collection[int], cited: Collection[str]) -> None:
    """Delete these memories, and the retrievals of any of `cited`."""
    db.execute(f"DELETE FROM retrievals WHERE item IN {IDS}", (as_json(cited),))  # noqa: S608
    db.execute(f"DELETE FROM memories WHERE id IN {IDS}", (as_json(memories),))  # noqa: S608


def _rewrite(erasure: Erasure, row_id: int, content: str) -> None:
    erasure.cut("memories", row_id, "content_contextualized", None)
    erasure.cut("memories", row_id, "compressed", compress(content))
    erasure.mark_for_embedding("memories", row_id)
    erasure.go("memory_tokens", [row_id])


def _build_held(row: sqlite3.Row, turns: frozenset[int]) -> Held:
    return from_row(Held, row, own=str(row["source_tag"]).startswith("internal_"), turns=turns)
