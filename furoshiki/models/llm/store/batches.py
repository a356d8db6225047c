"""Batched questions: identification, batch and state, without their text."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal

from furoshiki.core.database.rows import find_values, first, from_row, put_row, to_row
from furoshiki.core.timestamps import stamp

# pending; answered and paid; failed at the provider; not answered in time
State = Literal["submitted", "done", "failed", "given_up"]


@dataclass(frozen=True)
class HandedIn:
    """One question by the hash of its request. `external_id` is the provider's batch id, empty
    during the submission (after a crash it is unknown whether that succeeded)."""

    key: str
    provider: str
    model: str
    purpose: str
    external_id: str
    state: State
    submitted_at: datetime
    finished_at: datetime | None


def find(db: sqlite3.Connection, key: str) -> HandedIn | None:
    """Return the question with this hash, or None."""
    rows = db.execute("SELECT * FROM llm_batches WHERE key=?", (key,))
    return first(rows, partial(from_row, HandedIn))


def begin(db: sqlite3.Connection, questions: Iterable[HandedIn]) -> None:
    """Record questions as submitted, replacing earlier rows of the same questions."""
    for question in questions:
        put_row(db, "llm_batches", to_row(question), "key")


def mark_arrived(db: sqlite3.Connection, keys: Iterable[str], external_id: str) -> None:
    """Record the batch id of questions, except those that already have one."""
    for key in keys:
        db.execute("UPDATE llm_batches SET external_id=? WHERE key=? AND external_id=''", (external_id, key))


def settle(db: sqlite3.Connection, key: str, state: State, now: datetime) -> None:
    """Record the final state of a question."""
    db.execute("UPDATE llm_batches SET state=?, finished_at=? WHERE key=?", (state, stamp(now), key))


def list_known(db: sqlite3.Connection, provider: str) -> frozenset[str]:
    query = "SELECT DISTINCT external_id FROM llm_batches WHERE provider=? AND external_id!=''"
    return frozenset(find_values(db, query, provider))
