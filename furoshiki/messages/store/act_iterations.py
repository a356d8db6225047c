"""The rounds of loops of plan and action: what was planned, what came of it, and why a loop ended.

A round is on record before its actions begin, so that a loop which is begun again after a crash goes on where it was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from furoshiki.core import stored
from furoshiki.core.database.rows import clean, dump, from_row, load
from furoshiki.core.timestamps import stamp

LONGEST = 2000
"""Characters of what came of an action that are kept with the round; the whole is with the skill's run."""


@dataclass(frozen=True)
class Action:
    """One call of a round, and what came of it: `ok` is None as long as that is not known."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)
    ok: bool | None = None
    text: str = ""
    changed: bool = False
    foreign: bool = False


@dataclass(frozen=True)
class Iteration:
    """One round of a loop. `stopped` says why the loop ended with it; None when it went on. `answer` is
    what was said in the end."""

    loop_key: str
    source_tag: str
    number: int
    actions: tuple[Action, ...]
    stopped: str | None
    latency_ms: float
    cost_usd: float
    at: datetime
    answer: str = ""

    @property
    def over(self) -> bool:
        """Whether all of its actions have come to something."""
        return all(one.ok is not None for one in self.actions)


def keep(db: sqlite3.Connection, iterations: Sequence[Iteration]) -> None:
    """Write rounds down; one that is there is overwritten."""
    for one in iterations:
        actions = dump([{**asdict(action), "text": action.text[:LONGEST]} for action in one.actions])
        db.execute(
            "INSERT INTO act_iterations "
            "(loop_key, source_tag, number, actions, succeeded, stopped, answer, latency_ms, cost_usd, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (loop_key, number) DO UPDATE SET actions=excluded.actions, succeeded=excluded.succeeded, "
            "stopped=excluded.stopped, answer=excluded.answer, latency_ms=excluded.latency_ms, "
            "cost_usd=excluded.cost_usd",
            (
                one.loop_key,
                one.source_tag,
                one.number,
                clean(actions),
                sum(bool(action.ok) for action in one.actions),
                one.stopped,
                clean(one.answer),
                one.latency_ms,
                one.cost_usd,
                stamp(one.at),
            ),
        )


def drop(db: sqlite3.Connection, loop_key: str) -> None:
    """Keep nothing of what was done in this loop."""
    db.execute("DELETE FROM act_iterations WHERE loop_key=?", (loop_key,))


def of_loop(db: sqlite3.Connection, loop_key: str) -> list[Iteration]:
    """The rounds of one loop, in their order."""
    rows = db.execute("SELECT * FROM act_iterations WHERE loop_key=? ORDER BY number", (loop_key,))
    return list(map(_iteration, rows))


def by_itself(db: sqlite3.Connection, since: datetime, limit: int) -> list[Iteration]:
    """The newest rounds since a moment in which something was done that no message asked for, newest first."""
    rows = db.execute(
        "SELECT * FROM act_iterations WHERE at>? AND source_tag!='user' AND actions!='[]' ORDER BY id DESC LIMIT ?",
        (stamp(since), limit),
    )
    return list(map(_iteration, rows))


def _iteration(row: sqlite3.Row) -> Iteration:
    return from_row(Iteration, row, actions=tuple(stored.build(Action, one) for one in load(row["actions"])))
