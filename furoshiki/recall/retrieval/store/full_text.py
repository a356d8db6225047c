"""Full-text search (BM25), and the full rows of results by id. Reads only.

BM25 scores every row with a word, so one frequent word costs more than all the rest (50 ms at
100,000 turns). The rarest words are therefore taken first, and frequent words, which say least, are
left out once the rows to score exceed a bound. With fewer turns than that none is left out.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from furoshiki.core import refs
from furoshiki.core.database.rows import IDS, as_json, find_value, find_values, load, moment
from furoshiki.core.timestamps import parse
from furoshiki.language import testimony
from furoshiki.recall.retrieval.values import PERHAPS, UNCONFIRMED, Kind, Recalled

ROWS_SCORED = 10_000  # the most rows that BM25 scores for one query; about 1.6 microseconds each
IMPORT = "import:"  # the prefix of an imported turn's `source`; the rest names the import

_FULL_TEXT = {"turn": "turns_fts", "memory": "memories_fts", "session": "sessions_fts"}

_TURNS = (
    "SELECT id, session_id, speaker, text, at, source, import_id, foreign_words FROM turns "  # noqa: S608
    f"WHERE id IN {IDS} AND replaced_by IS NULL AND text != '' AND kind NOT IN ('command', 'reaction', 'silence')"
)
# the status of a row of `memories`; unconfirmed ones are distinguished from other dormant ones
STATUS = "CASE WHEN status='dormant' AND unconfirmed IS NOT NULL THEN 'unconfirmed' ELSE status END AS status"

_MEMORIES = (
    f"SELECT id, content, created_at, {STATUS}, valid_to FROM memories "  # noqa: S608
    f"WHERE id IN {IDS} AND memories.status != 'archived'"
)
_SOURCES = (
    "SELECT memory_id, turn_id, session_id, source, import_id FROM memory_sources JOIN turns ON turns.id = turn_id "  # noqa: S608
    f"WHERE memory_id IN {IDS} ORDER BY turn_id"
)
_SESSIONS = f"SELECT id, session_id, started_at, document FROM sessions WHERE id IN {IDS}"  # noqa: S608
_SESSION_NAMES = f"SELECT id, session_id FROM sessions WHERE id IN {IDS}"  # noqa: S608
_SAID = "SELECT id, source, import_id FROM turns WHERE session_id = ? AND replaced_by IS NULL ORDER BY id"


def full_text(db: sqlite3.Connection, kind: Kind, words: Sequence[str], limit: int) -> list[int]:
    """Return the ids of rows with these words, best first by BM25 (ties: newest first)."""
    table = _FULL_TEXT[kind]
    chosen, oldest = _affordable(db, table, words)
    if not chosen:
        return []
    query = (
        f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid >= ? "  # noqa: S608
        f"ORDER BY bm25({table}), rowid DESC LIMIT ?"
    )
    return find_values(db, query, " OR ".join(f'"{word}"' for word in chosen), oldest, limit)


def times_said(db: sqlite3.Connection, stem: str, most: int) -> int:
    """Count the turns in which a word begins with `stem`, up to `most`."""
    query = "SELECT count(*) FROM (SELECT 1 FROM turns_fts WHERE turns_fts MATCH ? LIMIT ?)"
    return int(find_value(db, query, f'"{stem}"*', most))


def whole(db: sqlite3.Connection, names: Iterable[str]) -> dict[str, Recalled]:
    """Return the items of ids such as "turn:12", except deleted, replaced or archived ones."""
    wanted = refs.by_kind(names)
    return {
        item.id: item
        for part in (
            _turns(db, wanted.get("turn", ())),
            _memories(db, wanted.get("memory", ())),
            _session_documents(db, wanted.get("session", ())),
        )
        for item in part
    }


def sources(db: sqlite3.Connection, memory_ids: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Return the turns that each of these memories cites."""
    turn_ids_of: dict[int, tuple[int, ...]] = {}
    for row in _by_ids(db, _SOURCES, memory_ids):
        turn_ids_of[row["memory_id"]] = (*turn_ids_of.get(row["memory_id"], ()), row["turn_id"])
    return turn_ids_of


def session_names(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, str]:
    return {row["id"]: row["session_id"] for row in _by_ids(db, _SESSION_NAMES, ids)}


def own_session(source: str, session_id: str) -> str:
    """Return a session's original name in its import; other sessions keep theirs."""
    return session_id.removeprefix(f"{source}/") if source.startswith(IMPORT) else session_id


def _affordable(db: sqlite3.Connection, table: str, words: Sequence[str]) -> tuple[list[str], int]:
    """Return the rarest words within the bound, and the oldest row to score (0: all)."""
    counts = []
    for word in words:
        query = f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT ?)"  # noqa: S608
        rows = find_value(db, query, f'"{word}"', ROWS_SCORED + 1)
        if rows:
            counts.append((rows, word))
    counts.sort(key=lambda pair: pair[0])
    if counts and counts[0][0] > ROWS_SCORED:
        return [counts[0][1]], _oldest_of_newest(db, table, counts[0][1])
    chosen: list[str] = []
    left = ROWS_SCORED
    for rows, word in counts:
        left -= rows
        if left < 0:
            break
        chosen.append(word)
    return chosen, 0


def _oldest_of_newest(db: sqlite3.Connection, table: str, word: str) -> int:
    query = f"SELECT min(rowid) FROM (SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid DESC LIMIT ?)"  # noqa: S608
    return int(find_value(db, query, f'"{word}"', ROWS_SCORED))


def _turns(db: sqlite3.Connection, ids: Sequence[int]) -> Iterator[Recalled]:
    for row in _by_ids(db, _TURNS, ids):
        yield Recalled(
            id=refs.name("turn", row["id"]),
            kind="turn",
            turn_ids=(row["id"],),
            session=own_session(row["source"], row["session_id"]),
            at=parse(row["at"]),
            speaker=row["speaker"],
            text=row["text"],
            score=0.0,
            import_ids=(row["import_id"],),
            foreign=testimony.read(load(row["foreign_words"]), row["text"]),
        )


def _memories(db: sqlite3.Connection, ids: Sequence[int]) -> Iterator[Recalled]:
    sources: dict[int, list[sqlite3.Row]] = {}
    for row in _by_ids(db, _SOURCES, ids):
        sources.setdefault(row["memory_id"], []).append(row)
    for row in _by_ids(db, _MEMORIES, ids):
        rests_on = sources.get(row["id"], [])
        first = rests_on[0] if rests_on else None
        yield Recalled(
            id=refs.name("memory", row["id"]),
            kind="memory",
            turn_ids=tuple(source["turn_id"] for source in rests_on),
            session=None if first is None else own_session(first["source"], first["session_id"]),
            at=parse(row["created_at"]),
            speaker=None,
            text=PERHAPS * (row["status"] == UNCONFIRMED) + row["content"],
            score=0.0,
            import_ids=tuple(source["import_id"] for source in rests_on),
            status=row["status"],
            valid_to=moment(row["valid_to"]),
        )


def _session_documents(db: sqlite3.Connection, ids: Sequence[int]) -> Iterator[Recalled]:
    for row in _by_ids(db, _SESSIONS, ids):
        turns = db.execute(_SAID, (row["session_id"],)).fetchall()
        source = turns[0]["source"] if turns else ""
        yield Recalled(
            id=refs.name("session", row["id"]),
            kind="session",
            turn_ids=tuple(turn["id"] for turn in turns),
            session=own_session(source, row["session_id"]),
            at=parse(row["started_at"]),
            speaker=None,
            text=row["document"],
            score=0.0,
            import_ids=tuple(turn["import_id"] for turn in turns),
        )


def _by_ids(db: sqlite3.Connection, question: str, ids: Sequence[int]) -> Iterable[sqlite3.Row]:
    return db.execute(question, (as_json(ids),))
