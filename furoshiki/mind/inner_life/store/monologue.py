"""The companion's own writing: daily journal entries, short thoughts, outlooks and reviews.

An entry is a list of passages, each with its turns. The files in memory/inner-monologue are written
from these rows; `filed_at` marks written ones, so the next run completes the rest.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from furoshiki.core.database.rows import Table, dump, find_value, find_values, from_row, insert_if_new, load, marks
from furoshiki.core.timestamps import stamp
from furoshiki.messages.store import turns
from furoshiki.messages.values import Turn

Kind = Literal["journal", "contemplation", "morning", "afternoon"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Passage:
    """A thought of a few sentences, and the ids of its turns (none for mere feelings)."""

    text: str
    cites: tuple[int, ...] = ()


@dataclass(frozen=True)
class Entry:
    """An entry. `item` ("memory:3") is a contemplation's subject; `provider` is "local" for an
    entry by rule; `seen_turn` is the newest turn it read; `state` is "dropped" for a repetition."""

    id: int
    kind: Kind
    day: str
    item: str
    at: datetime
    passages: tuple[Passage, ...]
    provider: str
    seen_turn: int
    state: str

    @property
    def text(self) -> str:
        """Return all passages as paragraphs."""
        return "\n\n".join(passage.text for passage in self.passages)


def _read(row: sqlite3.Row) -> Entry:
    stored = [Passage(one["text"], tuple(one["cites"])) for one in load(row["passages"]) if one["text"].strip()]
    return from_row(Entry, row, passages=tuple(stored))


_TABLE = Table("inner_monologue", _read)
get = _TABLE.get


def add(
    db: sqlite3.Connection,
    kind: Kind,
    day: str,
    passages: Sequence[Passage],
    provider: str,
    seen_turn: int,
    now: datetime,
    *,
    item: str = "",
    state: Literal["kept", "dropped"] = "kept",
) -> int | None:
    """Store an entry; return None when one of that kind, day and item exists."""
    row = {
        "kind": kind,
        "day": day,
        "item": item,
        "at": now,
        "passages": [{"text": passage.text, "cites": list(passage.cites)} for passage in passages],
        "provider": provider,
        "seen_turn": seen_turn,
        "state": state,
    }
    return insert_if_new(db, "inner_monologue", row)


def last(db: sqlite3.Connection, kind: Kind) -> Entry | None:
    """Return the newest entry of a kind, kept or dropped."""
    return _TABLE.first(db, "kind=? ORDER BY id DESC LIMIT 1", kind)


def of_day(db: sqlite3.Connection, day: str) -> list[Entry]:
    """Return the kept entries of a day ("2026-03-24"), oldest first."""
    return _with_words(_TABLE.select(db, "day=? AND state='kept' ORDER BY id", day))


def since(db: sqlite3.Connection, kinds: Sequence[Kind], moment: datetime) -> list[Entry]:
    """Return kept entries of these kinds after a time, oldest first."""
    where = f"at>? AND state='kept' AND kind IN ({marks(kinds)}) ORDER BY id"
    return _with_words(_TABLE.select(db, where, stamp(moment), *kinds))


def newest(db: sqlite3.Connection, limit: int, before: int | None = None) -> list[Entry]:
    """Return the newest kept entries with an id below `before`, oldest first."""
    where = "(?1 IS NULL OR id<?1) AND state='kept' AND passages!='[]' ORDER BY id DESC LIMIT ?2"
    return _with_words(_TABLE.select(db, where, before, limit)[::-1])


def list_unfiled(db: sqlite3.Connection) -> list[str]:
    """Return the days whose file is outdated."""
    query = "SELECT DISTINCT day FROM inner_monologue WHERE filed_at IS NULL AND state='kept' ORDER BY day"
    return find_values(db, query)


def mark_filed(db: sqlite3.Connection, day: str, ids: Sequence[int], now: datetime) -> None:
    """Mark a day's file as written from these rows."""
    db.execute(
        "UPDATE inner_monologue SET filed_at=? WHERE day=? AND filed_at IS NULL AND (passages='[]' OR id IN "
        "(SELECT value FROM json_each(?)))",
        (stamp(now), day, dump(list(ids))),
    )


def count_since(db: sqlite3.Connection, kind: Kind, moment: datetime) -> int:
    """Return the number of entries of a kind after a time, including dropped ones."""
    return int(find_value(db, "SELECT count(*) FROM inner_monologue WHERE kind=? AND at>?", kind, stamp(moment)))


def seeds(db: sqlite3.Connection, fresh: datetime, unused: datetime) -> list[str]:
    """Return subjects to contemplate: open questions ("question:2"), memories ("memory:3"; a name is no
    subject) and wandering thoughts ("gists:4") newer than `fresh`, without those contemplated after `unused`."""
    query = (
        "SELECT 'question:' || id AS item FROM self_questions WHERE state='open' "
        "UNION ALL SELECT 'memory:' || id FROM memories WHERE created_at>:fresh AND +status='active' "
        "AND type NOT IN ('correction', 'tension') AND coalesce(category, '')!='addressing' "
        "UNION ALL SELECT 'gists:' || gist_id FROM wanderings WHERE at>:fresh AND gist_id IS NOT NULL "
        "AND action!='REFLECT' "
        "EXCEPT SELECT item FROM inner_monologue WHERE kind='contemplation' AND at>:unused ORDER BY item"
    )
    return find_values(db, query, {"fresh": stamp(fresh), "unused": stamp(unused)})


def read_turns(db: sqlite3.Connection, after: int, since: datetime) -> list[Turn]:
    """Return both speakers' live turns after a turn and a time, without imports and commands."""
    query = (
        "SELECT id FROM turns WHERE id>? AND at>? AND source='live' AND replaced_by IS NULL AND text!='' "
        "AND kind NOT IN ('silence', 'command', 'reaction') ORDER BY id"
    )
    found = turns.many(db, find_values(db, query, after, stamp(since)))
    return sorted(found, key=lambda turn: turn.id)


def _with_words(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.passages]
