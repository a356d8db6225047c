"""Tasks without a time come to mind, each as often as its priority says, and once each time."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from furoshiki.core.timestamps import stamp
from furoshiki.owner.agenda import due, task_nudges
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.world import World
from tests.support.laws import NOON
from tests.support.world import FrozenClock

DB = sqlite3.Connection
LISBON = ZoneInfo("Europe/Lisbon")
DAY = timedelta(days=1)


def queued(db: DB) -> list[tuple[str, int, str, str]]:
    rows = db.execute("SELECT dedupe_key, priority, source, kind FROM mind_queue ORDER BY id")
    return [tuple(row) for row in rows]


def say(db: DB, now: datetime) -> int:
    """Bring up everything that may be said; returns how much that was."""
    found = mind_queue.list_due(db, now)
    return sum(mind_queue.mark_said(db, one.id) for one in found)


def test_a_task_is_queued_with_its_priority_and_marked_in_one_go(db: DB) -> None:
    bank = tasks.add(db, "user_work", "call the bank", NOON, priority=1)
    assert task_nudges.enqueue(db, NOON + timedelta(hours=23), LISBON) == []
    [row] = task_nudges.enqueue(db, NOON + DAY, LISBON)
    assert queued(db) == [(f"task_nudge:{bank}:1", 1, f"tasks:{bank}", "reminder")]
    [thought] = mind_queue.list_due(db, NOON + DAY)
    assert thought.id == row
    since = NOON.astimezone(LISBON).strftime("%-d %B")
    assert thought.summary == f"Still to be done, on the work list since {since}: call the bank"
    task = tasks.get(db, bank)
    assert task is not None and (task.spoken_of_at, task.nudges) == (NOON + DAY, 1)


def test_each_comes_as_often_as_its_priority_says(db: DB) -> None:
    for priority in range(1, 6):
        tasks.add(db, "todo", f"task of priority {priority}", NOON, priority=priority)
    said = 0
    for day in range(1, 22):
        task_nudges.enqueue(db, NOON + day * DAY, LISBON)
        said += say(db, NOON + day * DAY)
    by_priority = [sum(one[1] == priority for one in queued(db)) for priority in range(1, 6)]
    assert by_priority == [21, 7, 3, 0, 0]
    assert said == 31


def test_one_that_waits_to_be_said_is_not_queued_again(db: DB) -> None:
    tasks.add(db, "todo", "call the bank", NOON, priority=1)
    for day in range(1, 5):
        task_nudges.enqueue(db, NOON + day * DAY, LISBON)
    assert len(queued(db)) == 1


def test_what_is_done_is_not_brought_up_and_leaves_the_queue(db: DB) -> None:
    bank = tasks.add(db, "todo", "call the bank", NOON, priority=1)
    task_nudges.enqueue(db, NOON + DAY, LISBON)
    tasks.set_state(db, bank, "done", NOON + DAY)
    assert mind_queue.list_due(db, NOON + DAY) == []
    assert task_nudges.enqueue(db, NOON + 9 * DAY, LISBON) == []


def test_what_has_a_time_of_its_own_comes_at_that_time_and_afterwards_by_its_priority(db: DB) -> None:
    report = tasks.add(db, "user_work", "send the report", NOON, due_at=NOON + 2 * DAY, priority=1)
    assert task_nudges.enqueue(db, NOON + 2 * DAY, LISBON) == []
    task = tasks.get(db, report)
    assert task is not None and tasks.fire(db, task, NOON + 2 * DAY, None)
    assert task_nudges.enqueue(db, NOON + 2 * DAY, LISBON) == []
    assert len(task_nudges.enqueue(db, NOON + 3 * DAY, LISBON)) == 1
    after = tasks.get(db, report)
    assert after is not None and after.state == "open" and after.metadata["fired_at"] == stamp(NOON + 2 * DAY)


def test_the_job_has_a_reason_only_while_one_wants_a_nudge(world: World, clock: FrozenClock) -> None:
    with world.database.write() as db:
        tasks.add(db, "todo", "call the bank", world.now, priority=1)
        assert due.task_nudges(db, world.now) is None
    clock.pass_(days=1)
    with world.database.read() as db:
        assert due.task_nudges(db, world.now) == "1 tasks want to be brought up"
    assert task_nudges.bring_up(world).summary == "1 task came to mind"
    with world.database.read() as db:
        assert due.task_nudges(db, world.now) is None
    assert not task_nudges.bring_up(world).did
