"""All messages and memories, row by row, for an export.

Vectors, token vectors and full-text indexes are left out: they are derived from the texts.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from furoshiki.core.database.retention import KEPT
from furoshiki.core.database.rows import load, read_queries
from furoshiki.language import testimony
from furoshiki.owner.agenda.store import tasks
from furoshiki.recall.retrieval.store.full_text import STATUS

_QUERIES: dict[str, str] = {}  # the query of each kind of record, in the order of the file

# kinds of records that are not restored, in singular and plural
LEFT_OUT: dict[str, tuple[str, str]] = {
    "setting": ("setting", "settings"),
    "file": ("file", "files"),
    "picture_file": ("file of a picture", "files of pictures"),
}

for _heading, [_query] in read_queries(Path(__file__).with_name("exports.sql")).items():
    _kind, *_words = _heading.removeprefix("record: ").split(" | ")
    _QUERIES[_kind] = _query
    if _words:
        LEFT_OUT[_kind] = (_words[0], _words[1])

# Tables without export, and why. All other tables of the schema are exported.
NOT_EXPORTED = {table: of.unexported for table, of in KEPT.items() if of.unexported}

_JSON = frozenset(
    (
        *("attachments", "foreign_words", "signals", "turn_ids", "accesses", "topics", "feelings"),
        *("metadata", "times", "passages", "questions", "judgements", "themes", "reasons", "gates"),
        *("emotions", "needs", "memories", "steps", "activated", "rests_on"),
    )
)


def read_records(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield all rows of exported tables as plain values with their "record" kind, without empty
    fields.

    Records come after those that they refer to, so that a reader need not look ahead.
    """
    for record, question in _QUERIES.items():
        for row in db.execute(question):
            values = {name: value for name, value in dict(row).items() if value is not None}
            read = {name: load(value) if name in _JSON else value for name, value in values.items()}
            yield {"record": record, **read}


def current_memories(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield every memory for reading: by type, current before past ones, oldest first."""
    for row in db.execute(
        f"SELECT id, type, content, {STATUS}, valid_from, valid_to, created_at, immutable, "  # noqa: S608
        "(SELECT json_group_array(turn_id) FROM memory_sources WHERE memory_id=memories.id) AS turn_ids "
        "FROM memories ORDER BY type, memories.status!='active', id"
    ):
        yield {**dict(row), "turn_ids": load(row["turn_ids"])}


def to_do(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield the open tasks of the owner's lists for reading, dated ones first."""
    for row in db.execute(
        "SELECT list_id AS list, title, notes, due_at, recurrence FROM tasks WHERE state='open' AND list_id!=? "
        "ORDER BY list_id, due_at IS NULL, due_at, id",
        (tasks.REPLY_QUEUE,),
    ):
        yield dict(row)


def journal(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield the companion's journal for reading, oldest first."""
    for row in db.execute(_QUERIES["journal"]):
        yield {"day": row["day"], "kind": row["kind"], "texts": [one["text"] for one in load(row["passages"])]}


def read_unprompted(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield unprompted messages for reading, by time, with their topic if it still exists."""
    for row in db.execute(
        "SELECT d.at, d.kind, d.outcome, q.summary AS about, t.text FROM outreach_decisions AS d "
        "JOIN turns AS t ON t.id=d.turn_id LEFT JOIN mind_queue AS q ON q.id=d.item_id WHERE d.verdict='sent' "
        "AND d.kind!='reminder' ORDER BY d.id"
    ):
        yield dict(row)


def read_turns(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield all messages for reading, in their newest wording, by time, grouped by session."""
    for row in db.execute(
        "SELECT id, session_id, chat_id, speaker, text, at, source, foreign_words FROM turns AS t "
        "WHERE replaced_by IS NULL AND kind NOT IN ('silence', 'command', 'reaction') AND text!='' "
        "ORDER BY (SELECT min(at) FROM turns WHERE session_id=t.session_id), session_id, id"
    ):
        passages = testimony.read(load(row["foreign_words"]), row["text"])
        yield {**dict(row), "foreign_words": passages}
