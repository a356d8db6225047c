"""Questions that were handed in to be answered in a batch: which, where, and what became of them; no words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from furoshiki.core.database.rows import from_row
from furoshiki.core.timestamps import parse, stamp

State = Literal["submitted", "done", "failed", "given_up"]
"""Waiting for its answer; answered and paid; the provider would not; not there in time."""


@dataclass(frozen=True)
class HandedIn:
    """One question by the hash of its request. `external_id` is the provider's name of its batch; empty while it is on
    its way there, so that after a crash nobody knows whether it arrived."""

    key: str
    provider: str
    model: str
    purpose: str
    external_id: str
    state: State
    submitted_at: datetime
    finished_at: datetime | None


def find(db: sqlite3.Connection, key: str) -> HandedIn | None:
    """The question with this hash."""
    row = db.execute("SELECT * FROM llm_batches WHERE key=?", (key,)).fetchone()
    if row is None:
        return None
    finished = None if row["finished_at"] is None else parse(row["finished_at"])
    return from_row(HandedIn, row, finished_at=finished)


def begin(db: sqlite3.Connection, questions: Iterable[HandedIn]) -> None:
    """Record these as submitted, replacing earlier rows of the same questions."""
    for one in questions:
        db.execute(
            "INSERT INTO llm_batches (key, provider, model, purpose, external_id, state, submitted_at) "
            "VALUES (?, ?, ?, ?, '', 'submitted', ?) ON CONFLICT (key) DO UPDATE SET external_id='', "
            "state='submitted', submitted_at=excluded.submitted_at, finished_at=NULL",
            (one.key, one.provider, one.model, one.purpose, stamp(one.submitted_at)),
        )


def mark_arrived(db: sqlite3.Connection, keys: Iterable[str], external_id: str) -> None:
    """The provider took these as one batch; those of which another is known stay with it."""
    for key in keys:
        db.execute("UPDATE llm_batches SET external_id=? WHERE key=? AND external_id=''", (external_id, key))


def settle(db: sqlite3.Connection, key: str, state: State, now: datetime) -> None:
    """Mark the batch as over."""
    db.execute("UPDATE llm_batches SET state=?, finished_at=? WHERE key=?", (state, stamp(now), key))


def list_known(db: sqlite3.Connection, provider: str) -> frozenset[str]:
    """The batches of a provider that are known to have been handed in."""
    rows = db.execute("SELECT DISTINCT external_id FROM llm_batches WHERE provider=? AND external_id!=''", (provider,))
    return frozenset(row[0] for row in rows)
