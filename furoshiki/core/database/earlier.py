"""Upgrade of databases from before the first release: schemas 0001 to 0013, in one step.

They were installable from the main branch, so no data may be lost. Missing columns and tables are
added as for any incomplete database (`schema_repair`); this module converts the old rows. All of it
is one transaction: a killed process leaves the database unchanged.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from furoshiki.core.database.rows import read_queries
from furoshiki.core.stored import dict_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

FIRST = "0014"  # the revision of the first release, whose migration creates all tables

BEFORE = tuple(f"{number:04}" for number in range(1, int(FIRST)))

# tables without any noticeable use, dropped (ADR 0061)
_ABANDONED = ("gut_log", "gut_axes", "centroids")

_ENDING = "[end of document]"
_WHOLE = {"audio": "audio", "contact": "contact", "poll": "poll", "location": "place"}


def bring(connection: Connection, since: str) -> None:
    """Convert the rows of a schema `since` database, and record the revision."""
    if since < "0004":
        _say_whose_words(connection)
    for before, queries in read_queries(Path(__file__).with_name("earlier.sql")).items():
        for query in queries if since < before.removeprefix("before: ") else ():
            connection.exec_driver_sql(query)
    if since < "0007":
        _drop_column(connection, "concepts", "last_seen_at")
    for table in _ABANDONED:
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {table}")
    _drop_column(connection, "second_thoughts", "verbalised")
    connection.exec_driver_sql("UPDATE alembic_version SET version_num=?", (FIRST,))


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


def _drop_column(connection: Connection, table: str, column: str) -> None:
    """Drop a column that no program reads any more, if it exists."""
    if column in {row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({table})")}:
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {column}")
