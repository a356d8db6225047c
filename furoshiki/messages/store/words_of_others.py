"""Detect other people's words: in documents, forwards and cards, in imports, by other speakers."""

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.language.testimony import WOVEN
from furoshiki.messages.values import COMPANION, USER

LATELY = 500
"""Latest turns that are checked: a journal, a thought or a summary may be based on them."""

_BROUGHT = "words_of_others.brought"

_KINDS = ", ".join(f"'{kind}'" for kind in sorted(WOVEN))
_OUTSIDE = f"EXISTS (SELECT 1 FROM json_each(foreign_words) WHERE json_extract(value, '$.kind') NOT IN ({_KINDS}))"  # noqa: S608
_PICTURED = "(kind='photo' AND speaker='user')"  # stored before pictures became passages
_OTHERS = (
    f"(source!='live' OR speaker NOT IN ('{USER}', '{COMPANION}') OR {_PICTURED} "
    f"OR (foreign_words IS NOT NULL AND {_OUTSIDE}))"
)
_IDS = "(SELECT value FROM json_each(?))"


def brought(db: sqlite3.Connection, now: datetime) -> None:
    """Record that other people's words came by a plugin or a tool server."""
    kv.put(db, _BROUGHT, db.execute("SELECT coalesce(max(id), 0) AS last FROM turns").fetchone()["last"], now)


def lately(db: sqlite3.Connection) -> bool:
    """Whether other people's words are among the latest turns, or came by a tool meanwhile."""
    last = kv.get(db, _BROUGHT)
    if last is not None and db.execute("SELECT max(id)-?<? FROM turns", (last, LATELY)).fetchone()[0]:
        return True
    newest = f"(SELECT source, speaker, kind, foreign_words FROM turns ORDER BY id DESC LIMIT {LATELY})"  # noqa: S608
    return db.execute(f"SELECT 1 FROM {newest} WHERE {_OTHERS} LIMIT 1").fetchone() is not None  # noqa: S608


def among(db: sqlite3.Connection, names: Sequence[str]) -> bool:
    """Whether any of these contain other people's words: "turn:12" or its neighbours, "memory:3" by
    its source turns, "session:20260324-150000" by its turns. Other kinds, except the companion's
    own documents, count as containing some."""
    ids: dict[str, list[int | str]] = {"turn": [], "memory": [], "session": []}
    for name in names:
        ref = refs.Ref.parse(name)
        if ref is None or ref.kind not in (*ids, "design"):
            return True
        if ref.kind in ids:
            ids[ref.kind].append(ref.id if ref.row is None else ref.row)
    turns = [one for one in ids["turn"] if isinstance(one, int)]
    near = sorted({other for turn in turns for other in (turn - 1, turn, turn + 1)})
    for query, values in (
        (f"id IN {_IDS}", near),
        (f"id IN (SELECT turn_id FROM memory_sources WHERE memory_id IN {_IDS})", ids["memory"]),  # noqa: S608
        (f"session_id IN (SELECT session_id FROM sessions WHERE id IN {_IDS})", ids["session"]),  # noqa: S608
        (f"session_id IN {_IDS}", ids["session"]),
    ):
        if (
            values
            and db.execute(
                f"SELECT 1 FROM turns WHERE {query} AND {_OTHERS} LIMIT 1",  # noqa: S608
                (json.dumps(values),),
            ).fetchone()
        ):
            return True
    return False
