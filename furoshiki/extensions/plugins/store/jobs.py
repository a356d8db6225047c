"""Plugin jobs: wishes for plugins that the companion writes, and their state."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal, get_args

from furoshiki.core import refs
from furoshiki.core.catalogue import words
from furoshiki.core.database.rows import Table, change_rows, clean_if_any, find_value, from_row, insert, marks
from furoshiki.core.timestamps import stamp

State = Literal["queued", "written", "proposed", "rejected", "applied", "declined", "failed"]
STATES: tuple[State, ...] = get_args(State)
# states with work to do: a wish without a draft, or a draft without a review
UNFINISHED: tuple[State, ...] = ("queued", "written")

IN_WORDS = words("plugin_wishes")  # the states in words

# origin of a wish: the owner in a conversation or on the command line, or the companion
Source = Literal["chat", "command", "reflection"]


@dataclass(frozen=True)
class Job:
    """A wish for a plugin. `attempts` counts the starts of the current step, `name` is the draft's,
    `proposal` its file in the data directory; `reason` explains a proposal or failure."""

    id: int
    wish: str
    source: Source
    name: str | None
    state: State
    attempts: int
    cost_usd: float
    confidence: float | None
    proposal: str | None
    reason: str | None
    created_at: datetime
    changed_at: datetime


_TABLE = Table("plugin_jobs", partial(from_row, Job))
get = _TABLE.get


def add(db: sqlite3.Connection, wish: str, source: Source, now: datetime) -> int:
    return insert(db, "plugin_jobs", {"wish": wish, "source": source, "created_at": now, "changed_at": now})


def of_states(db: sqlite3.Connection, states: Sequence[State] = STATES, limit: int = 1_000) -> list[Job]:
    """Return the newest `limit` jobs in these states, oldest first."""
    return _TABLE.select(db, f"state IN ({marks(states)}) ORDER BY id DESC LIMIT ?", *states, limit)[::-1]


def find_proposal(db: sqlite3.Connection, file: str) -> Job | None:
    """Return the job proposed in a file, or None."""
    return _TABLE.first(db, "proposal=? ORDER BY id DESC LIMIT 1", file)


def own_since(db: sqlite3.Connection, since: datetime) -> int:
    """Return the number of the companion's own wishes since a time."""
    query = "SELECT count(*) FROM plugin_jobs WHERE source='reflection' AND created_at>=?"
    return int(find_value(db, query, stamp(since)))


def spent(db: sqlite3.Connection, job: Job, purpose: str) -> float:
    """Return the ledger's US dollars for a job and a purpose."""
    query = "SELECT coalesce(sum(cost_usd), 0) FROM llm_calls WHERE turn_key=? AND purpose=?"
    return float(find_value(db, query, refs.name("plugin_jobs", job.id), purpose))


def attempt(db: sqlite3.Connection, job: Job, many: int = 1) -> None:
    """Count an attempt at the current step; -1 takes one back."""
    db.execute("UPDATE plugin_jobs SET attempts=max(0, attempts+?) WHERE id=?", (many, job.id))


def paid(db: sqlite3.Connection, job: Job, usd: float) -> None:
    """Add to the cost of a job, in US dollars."""
    db.execute("UPDATE plugin_jobs SET cost_usd=cost_usd+? WHERE id=?", (usd, job.id))


def record_name(db: sqlite3.Connection, job: Job, name: str) -> None:
    """Set the name of a job's draft."""
    db.execute("UPDATE plugin_jobs SET name=? WHERE id=?", (name, job.id))


def decide(
    db: sqlite3.Connection,
    job: Job,
    state: State,
    now: datetime,
    *,
    reason: str | None = None,
    confidence: float | None = None,
    proposal: str | None = None,
) -> bool:
    """Change a job's state; False if it changed meanwhile. None arguments change nothing."""
    query = (
        "UPDATE plugin_jobs SET state=?, attempts=0, reason=coalesce(?, reason), confidence=coalesce(?, confidence), "
        "proposal=coalesce(?, proposal), changed_at=? WHERE id=? AND state=?"
    )
    why = clean_if_any(reason)
    return change_rows(db, query, state, why, confidence, proposal, stamp(now), job.id, job.state) == 1
