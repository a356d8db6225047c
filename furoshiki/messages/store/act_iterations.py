"""Rounds of plan-act loops: planned actions, their results, and why a loop ended.

A round is stored before its actions begin, so that a loop restarted after a crash continues there.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from furoshiki.core import json_values
from furoshiki.core.database.rows import Table, from_row, load, put_row, to_row
from furoshiki.core.timestamps import stamp

# characters of an action's result stored with the round; the skill's run has all of it
LONGEST = 2000


@dataclass(frozen=True)
class Action:
    """One call of a round with its result: `ok` is None until it is known."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)
    ok: bool | None = None
    text: str = ""
    changed: bool = False
    foreign: bool = False


@dataclass(frozen=True)
class Iteration:
    """One round of a loop. `stopped` says why the loop ended with it; None if it continued.
    `answer` is the final answer."""

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
        """Whether all of its actions have a result."""
        return all(action.ok is not None for action in self.actions)


def _iteration(row: sqlite3.Row) -> Iteration:
    return from_row(Iteration, row, actions=tuple(json_values.build(Action, one) for one in load(row["actions"])))


_TABLE = Table("act_iterations", _iteration)


def keep(db: sqlite3.Connection, iterations: Sequence[Iteration]) -> None:
    """Store rounds, overwriting existing ones."""
    for iteration in iterations:
        actions = [{**asdict(action), "text": action.text[:LONGEST]} for action in iteration.actions]
        succeeded = sum(bool(action.ok) for action in iteration.actions)
        row = to_row(iteration, actions=actions, succeeded=succeeded)
        put_row(db, "act_iterations", row, "loop_key", "number")


def drop(db: sqlite3.Connection, loop_key: str) -> None:
    """Delete the rounds of a loop."""
    db.execute("DELETE FROM act_iterations WHERE loop_key=?", (loop_key,))


def of_loop(db: sqlite3.Connection, loop_key: str) -> list[Iteration]:
    """Return the rounds of one loop, in order."""
    return _TABLE.select(db, "loop_key=? ORDER BY number", loop_key)


def by_itself(db: sqlite3.Connection, since: datetime, limit: int) -> list[Iteration]:
    """Return unrequested rounds with actions since a time, newest first."""
    unasked = "at>? AND source_tag!='user' AND actions!='[]' ORDER BY id DESC LIMIT ?"
    return _TABLE.select(db, unasked, stamp(since), limit)
