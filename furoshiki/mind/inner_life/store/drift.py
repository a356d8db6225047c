"""How the companion's description of itself has changed: what it said before and after, how far that is, and why.

A row is written before the file is. `filed_at` says when config/SELF.md came to say it (or the file of a proposal,
while it waits); a row without it that was not declined is finished by the next who comes by.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from furoshiki.core.database import kv
from furoshiki.core.database.rows import dump, first, from_row, insert, load, to_row
from furoshiki.core.timestamps import stamp
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory

State = Literal["applied", "proposed", "accepted", "declined"]
Because = Literal["shift", "sentence", "note"]

IN_FORCE: tuple[State, ...] = ("applied", "accepted")

SEEN = "self.seen"
"""Under this name `kv` keeps what stood in SELF.md when it was last looked at or written: at which row, as a digest."""


@dataclass(frozen=True)
class Ground:
    """Something that was found or written, and what it rests on.

    `cites` name their sources ("entry:12", "memory:3", "commitment:1"), `turns` the words behind those. `kind` says
    what it is: a shift in the companion, a sentence that is new in the text, or a note on how the change came about.
    """

    text: str
    cites: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    kind: Because = "sentence"


@dataclass(frozen=True)
class NewDrift:
    """A long look at oneself before it has a row: `before` and `text` are the same when nothing was to be changed."""

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
    """The same as it is kept. `seen_entry` is the newest journal entry it knew of."""

    id: int
    at: datetime
    filed_at: datetime | None
    decided_at: datetime | None

    @property
    def changed(self) -> bool:
        """Whether it says anything new."""
        return self.changed_share > 0.0


def add(db: sqlite3.Connection, new: NewDrift, now: datetime) -> int:
    """Keep what came of a look at oneself; an undecided proposal gives way to it. Returns its id."""
    older = proposal(db)
    if older is not None:
        decide(db, older.id, "declined", now, "A newer look at myself took its place.")
    themes, reasons = list(map(_plain, new.themes)), list(map(_plain, new.reasons))
    filed_at = now if new.state == "applied" and new.before == new.text else None
    row = to_row(new, themes=themes, reasons=reasons, at=now, filed_at=filed_at)
    return int(insert(db, "personality_drift_log", row) or 0)


def last(db: sqlite3.Connection) -> Drift | None:
    """The newest look, whatever came of it."""
    return _one(db.execute("SELECT * FROM personality_drift_log ORDER BY id DESC LIMIT 1"))


def newest(db: sqlite3.Connection, limit: int, before: int | None = None) -> list[Drift]:
    """The newest looks (before that of an id), newest first."""
    below = "" if before is None else "WHERE id<:before"
    rows = db.execute(
        f"SELECT * FROM personality_drift_log {below} ORDER BY id DESC LIMIT :limit",  # noqa: S608 - our own words
        {"before": before, "limit": limit},
    ).fetchall()
    return [_drift(row) for row in rows]


def get(db: sqlite3.Connection, drift_id: int) -> Drift | None:
    """One look by its id."""
    return _one(db.execute("SELECT * FROM personality_drift_log WHERE id=?", (drift_id,)))


def last_change(db: sqlite3.Connection) -> Drift | None:
    """The newest change that came to be in force."""
    return _one(
        db.execute(
            "SELECT * FROM personality_drift_log WHERE state IN ('applied', 'accepted') AND changed_share>0 "
            "ORDER BY coalesce(decided_at, at) DESC, id DESC LIMIT 1"
        )
    )


def proposal(db: sqlite3.Connection) -> Drift | None:
    """What waits for the owner to decide, None when nothing does."""
    return _one(db.execute("SELECT * FROM personality_drift_log WHERE state='proposed' ORDER BY id DESC LIMIT 1"))


def decide(
    db: sqlite3.Connection,
    drift_id: int,
    state: Literal["accepted", "declined"],
    now: datetime,
    note: str | None = None,
) -> bool:
    """Accept or decline a proposal; False when it is none any more. `note` says why, in a sentence."""
    found = get(db, drift_id)
    if found is None or found.state != "proposed":
        return False
    _settle(db, found, state, now, note)
    return True


def overtaken(db: sqlite3.Connection, drift_id: int, now: datetime, note: str) -> None:
    """A change that could not be filed, for somebody changed the file by hand before."""
    found = get(db, drift_id)
    if found is not None and found.filed_at is None:
        _settle(db, found, "declined", now, note)


def read_unfiled(db: sqlite3.Connection) -> list[Drift]:
    """Changes in force that the file does not say yet, oldest first."""
    rows = db.execute(
        "SELECT * FROM personality_drift_log WHERE state IN ('applied', 'accepted') AND filed_at IS NULL ORDER BY id"
    ).fetchall()
    return [_drift(row) for row in rows]


def unwritten(db: sqlite3.Connection) -> bool:
    """Whether a file does not say yet what a row says: SELF.md, or the proposal that waits for the owner."""
    question = "SELECT 1 FROM personality_drift_log WHERE state!='declined' AND filed_at IS NULL LIMIT 1"
    return db.execute(question).fetchone() is not None


def mark_shown(db: sqlite3.Connection, drift_id: int, now: datetime) -> None:
    """The file of a proposal says what its row says."""
    db.execute("UPDATE personality_drift_log SET filed_at=? WHERE id=? AND state='proposed'", (stamp(now), drift_id))


def mark_filed(db: sqlite3.Connection, drift_id: int, digest: str, now: datetime) -> None:
    """The file says what this row says, in the words of this digest."""
    db.execute("UPDATE personality_drift_log SET filed_at=? WHERE id=?", (stamp(now), drift_id))
    see(db, drift_id, digest, now)


def see(db: sqlite3.Connection, drift_id: int, digest: str, now: datetime) -> None:
    """Record the digest of the file's words at this look."""
    kv.put(db, SEEN, {"row": drift_id, "digest": digest}, now)


def find_last_seen(db: sqlite3.Connection) -> tuple[int, str] | None:
    """Return the row at which the file was last seen or written, and the digest of its words; None
    before the first time."""
    found = kv.get(db, SEEN)
    return None if found is None else (int(found["row"]), str(found["digest"]))


def self_observations(db: sqlite3.Connection, since: datetime) -> list[Memory]:
    """What the companion has seen of itself since a moment and still holds, oldest first."""
    rows = db.execute(
        f"SELECT id FROM memories WHERE {_OBSERVED} AND created_at>? ORDER BY id",  # noqa: S608 - our own words
        (stamp(since),),
    ).fetchall()
    return memories.of_ids(db, [row["id"] for row in rows])


def describe_news(db: sqlite3.Connection) -> str | None:
    """What there is to look at that the last look did not know of, in a few words; None when there is nothing."""
    found = db.execute("SELECT at, seen_entry FROM personality_drift_log ORDER BY id DESC LIMIT 1").fetchone()
    at, entry = ("", 0) if found is None else (found["at"], found["seen_entry"])
    for question, words in _NEWS:
        if db.execute(question, {"at": at, "entry": entry}).fetchone() is not None:
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
        f"SELECT 1 FROM memories WHERE {_OBSERVED} AND created_at>:at LIMIT 1",  # noqa: S608 - our own words
        "something was seen of itself",
    ),
)


def _settle(db: sqlite3.Connection, found: Drift, state: State, now: datetime, note: str | None) -> None:
    reasons = [*found.reasons, *([Ground(note, kind="note")] if note else [])]
    db.execute(
        "UPDATE personality_drift_log SET state=?, decided_at=?, reasons=?, filed_at=NULL WHERE id=?",
        (state, stamp(now), dump([_plain(one) for one in reasons]), found.id),
    )


def _plain(one: Ground) -> dict[str, Any]:
    return {"kind": one.kind, "text": one.text, "cites": list(one.cites), "turns": list(one.turns)}


def _grounds(told: Iterable[Mapping[str, Any]]) -> tuple[Ground, ...]:
    return tuple(Ground(one["text"], tuple(one["cites"]), tuple(one["turns"]), one["kind"]) for one in told)


def _one(rows: sqlite3.Cursor) -> Drift | None:
    return first(rows, _drift)


def _drift(row: sqlite3.Row) -> Drift:
    return from_row(Drift, row, themes=_grounds(load(row["themes"])), reasons=_grounds(load(row["reasons"])))
