"""The history of the self-description: texts before and after, extent and reasons of each change.

A row is written before the file. `filed_at` says when config/SELF.md (or the file of a pending
proposal) was written; a row without it that is not declined is written by the next call.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from furoshiki.core.database import kv
from furoshiki.core.database.rows import Table, dump, from_row, has_row, insert, load, to_row
from furoshiki.core.timestamps import stamp
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory, NewMemory

State = Literal["applied", "proposed", "accepted", "declined"]
Because = Literal["shift", "sentence", "note"]

IN_FORCE: tuple[State, ...] = ("applied", "accepted")

# the `kv` key of the last seen or written state of SELF.md: the row and a digest
SEEN = "self.seen"


@dataclass(frozen=True)
class Ground:
    """A finding or a sentence, and its evidence.

    `cites` names its sources ("entry:12", "memory:3", "commitment:1"), `turns` the turns behind
    them. `kind`: a shift in the companion, a new sentence, or a note on how the change came about.
    """

    text: str
    cites: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    kind: Because = "sentence"


@dataclass(frozen=True)
class NewDrift:
    """A deep reflection before it is stored; `before` equals `text` without a change."""

    before: str
    text: str
    diff: str
    similarity: float
    changed_share: float
    themes: tuple[Ground, ...]
    reasons: tuple[Ground, ...]
    provider: str
    seen_entry: int
    state: State = "applied"


@dataclass(frozen=True, kw_only=True)
class Drift(NewDrift):
    """A stored deep reflection. `seen_entry` is the newest journal entry it read."""

    id: int
    at: datetime
    filed_at: datetime | None
    decided_at: datetime | None

    @property
    def changed(self) -> bool:
        return self.changed_share > 0.0


def _read(row: sqlite3.Row) -> Drift:
    return from_row(Drift, row, themes=_grounds(row["themes"]), reasons=_grounds(row["reasons"]))


def _grounds(stored: str) -> tuple[Ground, ...]:
    return tuple(Ground(one["text"], tuple(one["cites"]), tuple(one["turns"]), one["kind"]) for one in load(stored))


_TABLE = Table("personality_drift_log", _read)
get, newest = _TABLE.get, _TABLE.newest


def add(db: sqlite3.Connection, new: NewDrift, now: datetime) -> int:
    """Store a reflection and return its id; it replaces an undecided proposal."""
    older = proposal(db)
    if older is not None:
        decide(db, older.id, "declined", now, "A newer look at myself took its place.")
    themes, reasons = list(map(_plain, new.themes)), list(map(_plain, new.reasons))
    filed_at = now if new.state == "applied" and new.before == new.text else None
    row = to_row(new, themes=themes, reasons=reasons, at=now, filed_at=filed_at)
    return insert(db, "personality_drift_log", row)


def last(db: sqlite3.Connection) -> Drift | None:
    """Return the latest reflection."""
    return _TABLE.first(db, "1 ORDER BY id DESC")


def last_change(db: sqlite3.Connection) -> Drift | None:
    """Return the latest change that came into force."""
    latest = "ORDER BY coalesce(decided_at, at) DESC, id DESC LIMIT 1"
    return _TABLE.first(db, f"state IN ('applied', 'accepted') AND changed_share>0 {latest}")


def proposal(db: sqlite3.Connection) -> Drift | None:
    """Return the proposal that awaits the owner's decision, or None."""
    return _TABLE.first(db, "state='proposed' ORDER BY id DESC")


def decide(
    db: sqlite3.Connection, drift_id: int, state: Literal["accepted", "declined"], now: datetime, note: str = ""
) -> None:
    """Accept or decline a proposal if it is open. `note` is the reason."""
    drift = get(db, drift_id)
    if drift is not None and drift.state == "proposed":
        _settle(db, drift, state, now, note)


def overtaken(db: sqlite3.Connection, drift_id: int, now: datetime, note: str) -> None:
    """Decline a change that could not be written because the file was edited by hand."""
    drift = get(db, drift_id)
    if drift is not None and drift.filed_at is None:
        _settle(db, drift, "declined", now, note)


def read_unfiled(db: sqlite3.Connection) -> list[Drift]:
    """Return changes in force that are not in the file yet, oldest first."""
    return _TABLE.select(db, "state IN ('applied', 'accepted') AND filed_at IS NULL ORDER BY id")


def unwritten(db: sqlite3.Connection) -> bool:
    """Return whether SELF.md or a proposal's file is not written yet."""
    question = "SELECT 1 FROM personality_drift_log WHERE state!='declined' AND filed_at IS NULL LIMIT 1"
    return has_row(db, question)


def mark_shown(db: sqlite3.Connection, drift_id: int, now: datetime) -> None:
    """Mark a proposal's file as written."""
    db.execute("UPDATE personality_drift_log SET filed_at=? WHERE id=? AND state='proposed'", (stamp(now), drift_id))


def mark_filed(db: sqlite3.Connection, drift_id: int, digest: str, now: datetime) -> None:
    """Mark a row as written to the file, with the digest of the text."""
    db.execute("UPDATE personality_drift_log SET filed_at=? WHERE id=?", (stamp(now), drift_id))
    see(db, drift_id, digest, now)


def see(db: sqlite3.Connection, drift_id: int, digest: str, now: datetime) -> None:
    """Store the row and the digest of the file's text."""
    kv.put(db, SEEN, {"row": drift_id, "digest": digest}, now)


def find_last_seen(db: sqlite3.Connection) -> tuple[int, str] | None:
    """Return the row and the digest at which the file was last seen or written; None at first."""
    found = kv.get(db, SEEN)
    return None if found is None else (int(found["row"]), str(found["digest"]))


def self_observations(db: sqlite3.Connection, since: datetime) -> list[Memory]:
    """Return active self-observations since a time, oldest first."""
    return memories.select(db, f"{_OBSERVED} AND created_at>? ORDER BY id", stamp(since))


def observe(db: sqlite3.Connection, text: str, turn_ids: Sequence[int], now: datetime, **more: Any) -> int:
    """Store a self-observation that rests on these turns; return its id."""
    observed = NewMemory(
        "reflection", text, tuple(turn_ids), source_tag="internal_consolidation", category="self", **more
    )
    return memories.add(db, observed, now)


def describe_news(db: sqlite3.Connection) -> str | None:
    """Describe what is new since the last reflection; None when nothing is."""
    found = db.execute("SELECT at, seen_entry FROM personality_drift_log ORDER BY id DESC LIMIT 1").fetchone()
    at, entry = ("", 0) if found is None else (found["at"], found["seen_entry"])
    for question, words in _NEWS:
        if has_row(db, question, {"at": at, "entry": entry}):
            return words
    return None


_OBSERVED = (
    f"status='active' AND ({memories.OF_IDENTITY}) AND type='reflection' AND category='self' AND valid_to IS NULL"
)
_NEWS: Sequence[tuple[str, str]] = (
    (
        "SELECT 1 FROM inner_monologue WHERE id>:entry AND state='kept' AND passages!='[]' LIMIT 1",
        "the journal has new entries",
    ),
    ("SELECT 1 FROM commitments WHERE state='retired' AND changed_at>:at LIMIT 1", "something was learned for good"),
    (
        f"SELECT 1 FROM memories WHERE {_OBSERVED} AND created_at>:at LIMIT 1",  # noqa: S608
        "something was seen of itself",
    ),
)


def _settle(db: sqlite3.Connection, drift: Drift, state: State, now: datetime, note: str) -> None:
    reasons = [*drift.reasons, *([Ground(note, kind="note")] if note else [])]
    query = "UPDATE personality_drift_log SET state=?, decided_at=?, reasons=?, filed_at=NULL WHERE id=?"
    db.execute(query, (state, stamp(now), dump(list(map(_plain, reasons))), drift.id))


def _plain(ground: Ground) -> dict[str, Any]:
    return {"kind": ground.kind, "text": ground.text, "cites": list(ground.cites), "turns": list(ground.turns)}
