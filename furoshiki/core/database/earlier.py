"""Upgrade of databases from before the first release: schemas 0001 to 0013, in one step.

They were installable from the main branch, so no data may be lost. Missing columns and tables are
added as for any incomplete database (`schema_repair`); this module converts the old rows. All of it
is one transaction: a killed process leaves the database unchanged.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from furoshiki.core.stored import dict_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

FIRST = "0014"
"""The revision of the first release, whose migration creates all tables."""

BEFORE = tuple(f"{number:04}" for number in range(1, int(FIRST)))

_BOUNDARY = (50, 1)
"""Alpha and beta of an immutable memory."""

_ABANDONED = ("gut_log", "gut_axes", "centroids")
"""Tables without any noticeable use, dropped (ADR 0061)."""

_ENDING = "[end of document]"
_WHOLE = {"audio": "audio", "contact": "contact", "poll": "poll", "location": "place"}


def bring(connection: Connection, since: str) -> None:
    """Convert the rows of a schema `since` database, and record the revision."""
    if since < "0002":
        _weigh(connection)
        _embed_again(connection)
    if since < "0004":
        _say_whose_words(connection)
    if since < "0005":
        _let_files_go(connection)
    if since < "0007":
        _know_utility(connection)
        _drop_column(connection, "concepts", "last_seen_at")
    if since < "0011":
        _meet_concepts(connection)
    for table in _ABANDONED:
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {table}")
    _drop_column(connection, "second_thoughts", "verbalised")
    connection.exec_driver_sql("UPDATE alembic_version SET version_num=?", (FIRST,))


def _weigh(connection: Connection) -> None:
    """Fill in access counts and times of old memories, and fix the weights of immutable ones."""
    connection.exec_driver_sql("UPDATE memories SET access_count=hit_count")
    connection.exec_driver_sql(
        "INSERT INTO memory_accesses (memory_id, at) SELECT id, last_accessed_at FROM memories "
        "WHERE last_accessed_at IS NOT NULL"
    )
    connection.exec_driver_sql("UPDATE memories SET alpha=?, beta=? WHERE immutable=1", _BOUNDARY)


def _embed_again(connection: Connection) -> None:
    """Mark all rows for embedding again; until then old vectors and full text are used."""
    for table in ("turns", "memories"):
        connection.exec_driver_sql(
            f"UPDATE {table} SET index_state='pending' WHERE index_state IN ('embedded', 'indexed')"  # noqa: S608
        )


def _say_whose_words(connection: Connection) -> None:
    """Mark foreign words in old turns: a forward whole; a document up to the last end mark (its
    author may have written one too; the caption follows); the kinds in `_WHOLE` whole."""
    rows = connection.exec_driver_sql(
        "SELECT id, kind, text, attachments FROM turns WHERE speaker='user' AND source='live' AND text!='' "
        "AND (kind IN ('document', 'audio', 'contact', 'poll', 'location') OR attachments LIKE '%\"forwarded\"%')"
    ).fetchall()
    for number, kind, text, attachments in rows:
        found = _foreign(kind, text, json.loads(attachments) if attachments else {})
        if found:
            kept = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
            connection.exec_driver_sql("UPDATE turns SET foreign_words=? WHERE id=?", (kept, number))


def _foreign(kind: str, text: str, attachments: Any) -> list[dict[str, Any]]:
    attachments = dict_of(attachments)
    forwarded = attachments.get("forwarded")
    name = str(attachments.get("name") or "")[:80] or None
    end = len(text)
    if forwarded:
        who = forwarded.get("from") if isinstance(forwarded, dict) else None
        kind, name = "forward", str(who)[:80] if who else None
    elif kind == "document":
        ends = text.rfind(_ENDING)
        end = end if ends < 0 else ends + len(_ENDING)
    elif kind in _WHOLE:
        kind = _WHOLE[kind]
    else:
        return []
    return [{"kind": kind, "start": 0, "end": end, **({"name": name} if name else {})}]


def _let_files_go(connection: Connection) -> None:
    """Remove the data of delivered files from the outbox."""
    connection.exec_driver_sql(
        "UPDATE outbox SET extra=json_remove(extra, '$.data') "
        "WHERE state IN ('sent', 'failed') AND extra LIKE '%\"data\"%'"
    )


def _know_utility(connection: Connection) -> None:
    """Compute the utility of memories from recorded answers."""
    connection.exec_driver_sql(
        "UPDATE memories SET utility=of_use.share FROM (SELECT CAST(substr(item, 8) AS INTEGER) AS id, "
        "avg(used) AS share FROM retrievals WHERE item GLOB 'memory:*' AND injected=1 GROUP BY item) AS of_use "
        "WHERE of_use.id=memories.id"
    )


def _meet_concepts(connection: Connection) -> None:
    """Compute strength (10 % more per memory) and last access (the newest memory) of concepts."""
    connection.exec_driver_sql(
        "UPDATE concepts SET last_accessed_at=(SELECT max(m.created_at) FROM memory_concepts h "
        "JOIN memories m ON m.id=h.memory_id WHERE h.concept_id=concepts.id), strength=CASE WHEN seen<2 THEN 0.5 "
        "WHEN seen=2 THEN 0.55 WHEN seen=3 THEN 0.605 WHEN seen=4 THEN 0.666 WHEN seen=5 THEN 0.732 "
        "WHEN seen=6 THEN 0.805 WHEN seen=7 THEN 0.886 WHEN seen=8 THEN 0.974 ELSE 1.0 END"
    )


def _drop_column(connection: Connection, table: str, column: str) -> None:
    """Drop a column that no program reads any more, if it exists."""
    if column in {row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({table})")}:
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {column}")
