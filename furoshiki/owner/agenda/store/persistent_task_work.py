"""Work on long tasks: the next task, cycles of work, and the steps of a plan.

A step is begun, worked on outside any transaction, and ended in one with the task's coverage and
the cycle: after a kill the next run finds the running step and continues under the same key.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from furoshiki.core import refs
from furoshiki.core.database.rows import change_rows, clean_if_any, find_value, insert, marks
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import stamp
from furoshiki.owner.agenda.rules import long_tasks, plans
from furoshiki.owner.agenda.rules.long_tasks import OPEN, LongTask, State, Step, StepState
from furoshiki.owner.agenda.rules.plans import PlannedStep
from furoshiki.owner.agenda.store.persistent_tasks import get, of_states, select, steps

HOUR = timedelta(hours=1)


def overdue(db: sqlite3.Connection, now: datetime) -> list[LongTask]:
    """Return open tasks past their deadline, oldest first."""
    return [task for task in of_states(db, OPEN) if task.expires_at <= now]


def expire(db: sqlite3.Connection, task_id: int, result: str | None, reason: str, now: datetime) -> bool:
    """Expire a task and keep its findings; True when it was open."""
    query = (
        f"UPDATE persistent_tasks SET state='expired', result=?, reason=?, changed_at=? WHERE id=? "  # noqa: S608
        f"AND expires_at<=? AND state IN ({marks(OPEN)})"
    )
    return change_rows(db, query, result, clean(reason), stamp(now), task_id, stamp(now), *OPEN) == 1


def next_task(db: sqlite3.Connection, now: datetime) -> LongTask | None:
    """Return the task to work on now, by priority, then age; None if the hour is used up."""
    if cycles_since(db, now - HOUR) >= long_tasks.CYCLES_AN_HOUR:
        return None
    return _find_next(db, "state IN ('accepted', 'in_progress')", now)


def find_unplanned(db: sqlite3.Connection, now: datetime) -> LongTask | None:
    """Return the oldest proposed task of its owner without a plan, or None."""
    return _find_next(db, "state='proposed' AND source_tag='user' AND confidence IS NULL", now)


def _find_next(db: sqlite3.Connection, where: str, now: datetime) -> LongTask | None:
    in_time = "expires_at>?1 AND (next_at IS NULL OR next_at<=?1)"
    tasks = select(db, f"{where} AND {in_time} ORDER BY priority, id LIMIT 1", stamp(now))
    return tasks[0] if tasks else None


def cycles_since(db: sqlite3.Connection, since: datetime) -> int:
    """Return how many cycles of all tasks began since a time."""
    return int(find_value(db, "SELECT count(*) FROM persistent_task_cycles WHERE began_at>?", stamp(since)))


def cost_of_a_step(db: sqlite3.Connection) -> float | None:
    """Return the mean cost of a finished step in US dollars, None without any."""
    query = (
        "SELECT (SELECT sum(cost_usd) FROM persistent_task_cycles) / nullif(count(*), 0) FROM persistent_task_steps "
        "WHERE state='done'"
    )
    cost_usd: float | None = find_value(db, query)
    return cost_usd


def loop_key(task_id: int, step: Step, attempt: int | None = None) -> str:
    """Return the key of a step's attempt: the same after a crash, another for a retry."""
    return refs.name("persistent_task", f"{task_id}/{step.number}.{attempt or step.attempts}")


def keep_plan(
    db: sqlite3.Connection, task_id: int, planned: Sequence[PlannedStep], confidence: float, now: datetime
) -> bool:
    """Store a task's plan; return True for the first one."""
    cursor = db.execute(
        "UPDATE persistent_tasks SET confidence=?, next_at=NULL, reason=NULL, changed_at=? WHERE id=? "
        "AND confidence IS NULL AND state IN ('proposed', 'accepted', 'paused')",
        (confidence, stamp(now), task_id),
    )
    if cursor.rowcount != 1:
        return False
    for number, step in enumerate(planned, 1):
        row = {
            "task_id": task_id,
            "number": number,
            "text": step.text,
            "depends_on": step.after,
            "changed_at": now,
        }
        insert(db, "persistent_task_steps", row)
    return True


def begin_cycle(db: sqlite3.Connection, task: LongTask, now: datetime) -> int | None:
    """Claim a task for one cycle of work; return the cycle's row, None if not allowed."""
    if cycles_since(db, now - HOUR) >= long_tasks.CYCLES_AN_HOUR:
        return None
    cursor = db.execute(
        "UPDATE persistent_tasks SET state='in_progress', changed_at=? WHERE id=? "
        "AND state IN ('accepted', 'in_progress') AND expires_at>?",
        (stamp(now), task.id, stamp(now)),
    )
    if cursor.rowcount != 1:
        return None
    row = {"task_id": task.id, "coverage_before": task.coverage, "began_at": now}
    return insert(db, "persistent_task_cycles", row)


def breaks(db: sqlite3.Connection, task_id: int) -> int:
    """Return the number of consecutive cycles interrupted before any step ended."""
    query = (
        "SELECT count(*) - 1 FROM persistent_task_cycles WHERE task_id=:task AND id>"
        "coalesce((SELECT max(id) FROM persistent_task_cycles WHERE task_id=:task AND ended_at IS NOT NULL), 0)"
    )
    return max(
        int(find_value(db, query, {"task": task_id})),
        0,
    )


def begin_step(db: sqlite3.Connection, task_id: int, step: Step, now: datetime) -> Step | None:
    """Claim a step of a task in progress; an interrupted one continues in the same attempt. None if
    the task was paused or ended, or another process has the step."""
    changed = db.execute(
        "UPDATE persistent_task_steps SET state='running', attempts=attempts + (state='waiting'), changed_at=? "
        "WHERE task_id=? AND number=? AND state=? AND attempts=? "
        "AND EXISTS (SELECT 1 FROM persistent_tasks WHERE id=task_id AND state='in_progress')",
        (stamp(now), task_id, step.number, step.state, step.attempts),
    )
    if changed.rowcount != 1:
        return None
    return next(one for one in steps(db, task_id) if one.number == step.number)


def end_step(
    db: sqlite3.Connection,
    cycle: int,
    task_id: int,
    step: Step,
    state: StepState,
    result: str,
    cost_usd: float,
    now: datetime,
) -> LongTask | None:
    """Store a step's result with the task's coverage and its cycle; return the updated task. None
    if this attempt was ended already, or the task is deleted."""
    changed = db.execute(
        "UPDATE persistent_task_steps SET state=?, result=?, changed_at=? "
        "WHERE task_id=? AND number=? AND state='running' AND attempts=?",
        (state, clean(result), stamp(now), task_id, step.number, step.attempts),
    )
    if changed.rowcount != 1:
        return None
    share = plans.coverage([one.state for one in steps(db, task_id)])
    query = "UPDATE persistent_task_cycles SET coverage_after=?, cost_usd=cost_usd+?, ended_at=? WHERE id=?"
    db.execute(query, (share, cost_usd, stamp(now), cycle))
    db.execute(
        "UPDATE persistent_tasks SET coverage=?, changed_at=?, next_at=NULL, reason=NULL, cycles=(SELECT count(*) FROM "
        "persistent_task_cycles WHERE task_id=persistent_tasks.id AND coverage_after IS NOT NULL) WHERE id=?",
        (share, stamp(now), task_id),
    )
    return get(db, task_id)


def put_off(
    db: sqlite3.Connection, cycle: int | None, task_id: int, until: datetime, reason: str, now: datetime
) -> None:
    """Postpone a task; the cycle ends and does not count. `reason` says why."""
    db.execute("UPDATE persistent_tasks SET next_at=?, reason=? WHERE id=?", (stamp(until), reason, task_id))
    if cycle is not None:
        db.execute("UPDATE persistent_task_cycles SET ended_at=? WHERE id=?", (stamp(now), cycle))


def finish(db: sqlite3.Connection, task_id: int, state: State, result: str, reason: str | None, now: datetime) -> bool:
    """Complete or fail a task and keep its result; True for the caller that did."""
    return (
        change_rows(
            db,
            "UPDATE persistent_tasks SET state=?, result=?, reason=?, changed_at=? WHERE id=? "
            "AND state IN ('proposed', 'accepted', 'in_progress', 'paused')",
            state,
            clean(result) or None,
            clean_if_any(reason),
            stamp(now),
            task_id,
        )
        == 1
    )


def mark_surfaced(db: sqlite3.Connection, task: LongTask, now: datetime) -> None:
    """Record that its owner heard about the progress."""
    query = "UPDATE persistent_tasks SET surfaced_coverage=?, surfaced_at=? WHERE id=?"
    db.execute(query, (task.coverage, stamp(now), task.id))
