"""Databases of the days before the first release: schemas 0001 to 0006 become the first release's in one step.

They were on the main line for anybody to install, so whoever has one must lose nothing. What their tables lack is added
as to any database that lacks something (`schema_repair`); what the old rows mean in the new columns is here. All of it
is one transaction: a kill leaves the database as it was.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection

FIRST = "0007"
"""The revision of the first release, whose migration makes every table."""

BEFORE = ("0001", "0002", "0003", "0004", "0005", "0006")

_BOUNDARY = (50, 1)
"""Alpha and beta of a memory that nothing may change."""

_ENDING = "[end of document]"
_WHOLE = {"audio": "audio", "contact": "contact", "poll": "poll", "location": "place"}


def bring(connection: Connection, since: str) -> None:
    """Give the rows of a database of schema `since`, whose tables are those of the first release by now, what they are
    worth there, and note that it has come so far."""
    if since < "0002":
        _weigh(connection)
        _embed_again(connection)
    if since < "0004":
        _say_whose_words(connection)
    if since < "0005":
        _let_files_go(connection)
    _know_utility(connection)
    if since > "0001":  # written by old programs, and read by none
        connection.exec_driver_sql("ALTER TABLE concepts DROP COLUMN last_seen_at")
    connection.exec_driver_sql("UPDATE alembic_version SET version_num=?", (FIRST,))


def _weigh(connection: Connection) -> None:
    """What is known of old memories: how often they were of use, when last, and that boundaries are not to be moved."""
    connection.exec_driver_sql("UPDATE memories SET access_count=hit_count")
    connection.exec_driver_sql(
        "INSERT INTO memory_accesses (memory_id, at) SELECT id, last_accessed_at FROM memories "
        "WHERE last_accessed_at IS NOT NULL"
    )
    connection.exec_driver_sql("UPDATE memories SET alpha=?, beta=? WHERE immutable=1", _BOUNDARY)


def _embed_again(connection: Connection) -> None:
    """Everything is embedded again, with its tokens; until then the old vectors and full text find it."""
    for table in ("turns", "memories"):
        connection.exec_driver_sql(
            f"UPDATE {table} SET index_state='pending' WHERE index_state IN ('embedded', 'indexed')"  # noqa: S608
        )


def _say_whose_words(connection: Connection) -> None:
    """What was kept before is marked by how it came: a forward whole, a document up to the last end that was written
    after it (its author may have written one too, and the caption follows), the rest of `_WHOLE` whole."""
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
    attachments = attachments if isinstance(attachments, dict) else {}
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
    """Files that arrived long ago leave the outbox."""
    connection.exec_driver_sql(
        "UPDATE outbox SET extra=json_remove(extra, '$.data') "
        "WHERE state IN ('sent', 'failed') AND extra LIKE '%\"data\"%'"
    )


def _know_utility(connection: Connection) -> None:
    """Of what use memories were is known from the answers on record."""
    connection.exec_driver_sql(
        "UPDATE memories SET utility=of_use.share FROM (SELECT CAST(substr(item, 8) AS INTEGER) AS id, "
        "avg(used) AS share FROM retrievals WHERE item GLOB 'memory:*' AND injected=1 GROUP BY item) AS of_use "
        "WHERE of_use.id=memories.id"
    )
