"""Storage of long tasks and their plans. Repeating an update changes nothing.

Work on them is in `persistent_task_work.py`.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal, cast

from furoshiki.core import numbers
from furoshiki.core.database.rows import Table, change_rows, from_row, insert, load, marks
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import stamp
from furoshiki.owner.agenda.rules import long_tasks
from furoshiki.owner.agenda.rules.long_tasks import ACTIVE, LIVES, MOST_ACTIVE, OPEN, OVER, LongTask, State, Step

# accepted; too many active tasks; or no longer open for acceptance
Accepted = Literal["accepted", "full", "over"]


# the highest certainty that the owner wants a task that was worded before they asked for it
SUREST = 0.9


@dataclass(frozen=True)
class Proposed:
    """A proposed task, and whether it was merged into an older equal one."""

    task: LongTask
    merged: bool


# -- proposing and deciding --


def propose(
    db: sqlite3.Connection,
    title: str,
    goal: str,
    source_tag: str,
    now: datetime,
    *,
    source_confidence: float = 1.0,
    turn_key: str | None = None,
    channel: str | None = None,
    chat_id: str | None = None,
    priority: int = 3,
) -> Proposed:
    """Propose a long task; it is merged into an equal task that is not over.

    A task that is not the user's wish is not proposed again after an equal one is over either.
    """
    title, goal = clean(" ".join(title.split())), clean(" ".join(goal.split()))
    tasks = of_states(db, OPEN if source_tag == "user" else (*OPEN, *OVER))
    older = next((task for task in tasks if long_tasks.same((task.title, task.goal), (title, goal))), None)
    if older is not None:
        if older.state in OPEN and (turn_key is None or turn_key != older.source_turn_key):
            _renew_wish(db, older, title, source_tag, source_confidence, priority, now)
        return Proposed(cast(LongTask, get(db, older.id)), merged=True)
    row = {
        "title": title,
        "goal": goal,
        "source_tag": source_tag,
        "source_confidence": source_confidence,
        "source_turn_key": turn_key,
        "channel": channel,
        "chat_id": chat_id,
        "priority": priority,
        "expires_at": now + LIVES,
        "created_at": now,
        "changed_at": now,
    }
    return Proposed(cast(LongTask, get(db, insert(db, "persistent_tasks", row))), merged=False)


def accept(db: sqlite3.Connection, task_id: int, now: datetime) -> Accepted:
    """Accept a task for its owner; its time runs from now."""
    if len(of_states(db, ACTIVE)) >= MOST_ACTIVE:
        return "full" if (task := get(db, task_id)) is not None and task.state == "proposed" else "over"
    query = "UPDATE persistent_tasks SET state='accepted', expires_at=?, changed_at=? WHERE id=? AND state='proposed'"
    return "accepted" if change_rows(db, query, stamp(now + LIVES), stamp(now), task_id) == 1 else "over"


def pause(db: sqlite3.Connection, task_id: int, now: datetime) -> bool:
    """Pause a task after its present step; return True if that is a change."""
    return _set(db, task_id, ("accepted", "in_progress"), "paused", now)


def resume(db: sqlite3.Connection, task_id: int, now: datetime) -> bool:
    """Resume a task; True when it was paused."""
    query = (
        "UPDATE persistent_tasks SET state=CASE WHEN cycles>0 THEN 'in_progress' ELSE 'accepted' END, next_at=NULL, "
        "changed_at=? WHERE id=? AND state='paused'"
    )
    return change_rows(db, query, stamp(now), task_id) == 1


def cancel(db: sqlite3.Connection, task_id: int, now: datetime) -> bool:
    """Cancel a task; True when it was open."""
    return _set(db, task_id, OPEN, "cancelled", now)


# -- reading --

_TABLE = Table("persistent_tasks", partial(from_row, LongTask))
get, select = _TABLE.get, _TABLE.select


def of_states(db: sqlite3.Connection, states: Sequence[State]) -> list[LongTask]:
    """Return tasks in these states, oldest first."""
    return select(db, f"state IN ({marks(states)}) ORDER BY id", *states)


def just_over(db: sqlite3.Connection, since: datetime) -> list[LongTask]:
    """Return tasks finished, failed or expired since a time (no proposals), newest first."""
    return select(
        db,
        "state IN ('completed', 'failed', 'expired') AND changed_at>? AND NOT (state='expired' AND cycles=0) "
        "ORDER BY changed_at DESC, id DESC",
        stamp(since),
    )


def steps(db: sqlite3.Connection, task_id: int) -> list[Step]:
    """Return the plan of a task, in order; empty if it has none."""
    rows = db.execute("SELECT * FROM persistent_task_steps WHERE task_id=? ORDER BY number", (task_id,))
    return [from_row(Step, row, after=tuple(load(row["depends_on"]))) for row in rows]


def find_matches(db: sqlite3.Connection, words: str) -> list[LongTask]:
    """Return tasks by number or title, open ones first, then the newest; all without words."""
    number = words.strip().lstrip("#")
    if (row := numbers.row(number)) is not None:
        numbered = get(db, row)
        return [] if numbered is None else [numbered]
    every = sorted(select(db, "1"), key=lambda task: (task.state not in OPEN, -task.id))
    if not number:
        return every
    low = number.casefold()
    tasks = [one for one in every if low in one.title.casefold()]
    near = [(long_tasks.jaccard(number, one.title), one) for one in every]
    best = max((share for share, _ in near), default=0.0)
    return tasks or [one for share, one in near if share == best and share > 0]


def _set(db: sqlite3.Connection, task_id: int, before: Sequence[State], state: State, now: datetime) -> bool:
    query = f"UPDATE persistent_tasks SET state=?, changed_at=? WHERE id=? AND state IN ({marks(before)})"  # noqa: S608
    return change_rows(db, query, state, stamp(now), task_id, *before) == 1


def _renew_wish(
    db: sqlite3.Connection,
    older: LongTask,
    title: str,
    source_tag: str,
    confidence: float,
    priority: int,
    now: datetime,
) -> None:
    """Merge a renewed wish; a task requested by its owner counts as theirs from then on. The goal
    keeps its wording, so the request does not make it certain that they want exactly that."""
    sure = older.source_confidence if older.source_tag == "user" else max(older.source_confidence, confidence)
    if source_tag == "user" != older.source_tag:
        sure = min(older.source_confidence, SUREST)
    db.execute(
        "UPDATE persistent_tasks SET source_tag=CASE WHEN ?='user' THEN 'user' ELSE source_tag END, "
        "source_confidence=?, priority=min(priority, ?), reason=? WHERE id=?",
        (source_tag, sure, priority, f"Asked for once more on {now:%-d %B}: “{clean(title)}”.", older.id),
    )
