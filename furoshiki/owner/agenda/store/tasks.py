"""Tasks, reminders and lists: one table with free list names (`user_reminders`, `shopping`, …)."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, cast

from furoshiki.core.database.rows import Table, change_rows, dump, find_value, from_row, insert, load, moment
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import parse, stamp

REMINDERS = "user_reminders"

# the internal list of the companion's unanswered questions, never shown as tasks
REPLY_QUEUE = "reply_queue"

# Two reminders of one turn with the same text are one if their times differ by as much as their
# times of creation, within this tolerance: "in ten minutes", computed twice. "In five and in ten"
# are two.
SAME_TIME = timedelta(minutes=2)


@dataclass(frozen=True)
class Task:
    """A task. `due_at` is UTC; `due_zone` is the zone meant; `recurrence` an RRULE text."""

    id: int
    list_id: str
    title: str
    notes: str | None
    priority: int
    due_at: datetime | None
    due_zone: str | None
    recurrence: str | None
    state: str
    channel: str | None
    chat_id: str | None
    created_at: datetime
    changed_at: datetime
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def first_due(self) -> datetime | None:
        """The start of a recurrence: the first time it was due."""
        found = self.metadata.get("first_due")
        return parse(found) if found else self.due_at

    @property
    def spoken_of_at(self) -> datetime | None:
        """When it was last mentioned unprompted: brought up, or reminded of at its time."""
        times = [self.metadata[name] for name in ("fired_at", "last_nudged_at") if self.metadata.get(name)]
        return max(map(parse, times), default=None)

    @property
    def nudges(self) -> int:
        """How often it was brought up unprompted."""
        return int(self.metadata.get("nudges", 0))


_TABLE = Table("tasks", partial(from_row, Task))
get = _TABLE.get


def add(
    db: sqlite3.Connection,
    list_id: str,
    title: str,
    now: datetime,
    *,
    notes: str | None = None,
    due_at: datetime | None = None,
    due_zone: str | None = None,
    recurrence: str | None = None,
    priority: int = 3,
    channel: str | None = None,
    chat_id: str | None = None,
    turn_key: str | None = None,
) -> int:
    """Store a task; return its id.

    A restarted turn (after a crash or more messages) adds the same task again: then the id is that
    of the first time.
    """
    title = clean(title)
    if turn_key is not None and (duplicate := _find_duplicate(db, turn_key, list_id, title, due_at, now)) is not None:
        return duplicate
    row = {
        "list_id": list_id,
        "title": title,
        "notes": notes,
        "priority": priority,
        "due_at": due_at,
        "due_zone": due_zone,
        "recurrence": recurrence,
        "channel": channel,
        "chat_id": chat_id,
        "created_at": now,
        "changed_at": now,
        "source_turn_key": turn_key,
        "metadata": {"first_due": stamp(due_at)} if recurrence and due_at else None,
    }
    return insert(db, "tasks", row)


def _find_duplicate(
    db: sqlite3.Connection, turn_key: str, list_id: str, title: str, due_at: datetime | None, now: datetime
) -> int | None:
    rows = db.execute(
        "SELECT id, due_at, created_at FROM tasks "
        "WHERE source_turn_key=? AND list_id=? AND title=? AND state!='cancelled'",
        (turn_key, list_id, title),
    )
    for row in rows:
        before = moment(row["due_at"])
        elapsed = now - parse(row["created_at"])
        if before == due_at or (before and due_at and abs(due_at - before - elapsed) < SAME_TIME):
            return int(row["id"])
    return None


def in_list(db: sqlite3.Connection, list_id: str) -> list[Task]:
    """Return the open tasks of a list, dated ones first."""
    return _TABLE.select(db, "list_id=? AND state='open' ORDER BY due_at IS NULL, due_at, id", list_id)


def list_every_open(db: sqlite3.Connection, limit: int) -> list[Task]:
    """Return open tasks of all lists, dated ones first."""
    every = "state='open' AND list_id!=? ORDER BY due_at IS NULL, due_at, id LIMIT ?"
    return _TABLE.select(db, every, REPLY_QUEUE, limit)


def list_completed(db: sqlite3.Connection, limit: int) -> list[Task]:
    """Return the tasks last done or reminded of, newest first."""
    query = "state='done' AND list_id!=? ORDER BY changed_at DESC, id DESC LIMIT ?"
    return _TABLE.select(db, query, REPLY_QUEUE, limit)


def list_recurring(db: sqlite3.Connection) -> list[Task]:
    """Return open recurring tasks, oldest first."""
    return _TABLE.select(db, "state='open' AND recurrence IS NOT NULL AND due_at IS NOT NULL ORDER BY id")


def move_zone(
    db: sqlite3.Connection, task_id: int, first_due: datetime, due_at: datetime, zone: str, now: datetime
) -> None:
    """Move a recurring task to another time zone, from its next occurrence on."""
    db.execute(
        "UPDATE tasks SET due_at=?, due_zone=?, changed_at=?, "
        "metadata=json_set(coalesce(metadata, '{}'), '$.first_due', ?) WHERE id=?",
        (stamp(due_at), zone, stamp(now), stamp(first_due), task_id),
    )


def to_bring_up(db: sqlite3.Connection) -> list[Task]:
    """Return open tasks without a (future) time that are not in the mind queue, oldest first."""
    return _TABLE.select(
        db,
        "state='open' AND (due_at IS NULL OR json_extract(coalesce(metadata, '{}'), '$.fired_at') IS NOT NULL) "
        "AND NOT EXISTS (SELECT 1 FROM mind_queue WHERE source='tasks:' || tasks.id "
        "AND mind_queue.state IN ('pending', 'drafted')) ORDER BY id",
    )


def record_nudge(db: sqlite3.Connection, task_id: int, now: datetime) -> None:
    """Count an unprompted mention of a task."""
    db.execute(
        "UPDATE tasks SET metadata=json_set(coalesce(metadata, '{}'), '$.last_nudged_at', ?, "
        "'$.nudges', coalesce(json_extract(metadata, '$.nudges'), 0) + 1) WHERE id=?",
        (stamp(now), task_id),
    )


def find_asking_turn(db: sqlite3.Connection, task_id: int) -> str | None:
    """Return the key of the turn that requested a task, or None."""
    found: str | None = find_value(db, "SELECT source_turn_key FROM tasks WHERE id=?", task_id)
    return found


def count_by(db: sqlite3.Connection, source: str, since: datetime) -> tuple[int, int]:
    """Count a source's ("plugins:weather") tasks: added since a time, and open."""
    query = "SELECT coalesce(sum(created_at>=?), 0), coalesce(sum(state='open'), 0) FROM tasks WHERE source_turn_key=?"
    row = db.execute(query, (stamp(since), source)).fetchone()
    return int(row[0]), int(row[1])


def of_turn(db: sqlite3.Connection, turn_key: str) -> list[Task]:
    """Return the open tasks of one turn, oldest first."""
    return _TABLE.select(db, "source_turn_key=? AND state='open' ORDER BY id", turn_key)


def history(db: sqlite3.Connection, list_id: str, limit: int = 50) -> list[Task]:
    """Return all tasks of a list, the latest change first."""
    return _TABLE.select(db, "list_id=? ORDER BY changed_at DESC, id DESC LIMIT ?", list_id, limit)


def lists(db: sqlite3.Connection) -> dict[str, int]:
    """Return the lists with open tasks, and their number."""
    query = "SELECT list_id, count(*) FROM tasks WHERE state='open' AND list_id!=? GROUP BY list_id ORDER BY list_id"
    rows = db.execute(query, (REPLY_QUEUE,))
    return {row[0]: row[1] for row in rows}


def due(db: sqlite3.Connection, now: datetime) -> list[Task]:
    """Return open tasks that are due, earliest first."""
    return _TABLE.select(
        db,
        "state='open' AND due_at IS NOT NULL AND due_at<=? AND list_id!=? "
        "AND json_extract(coalesce(metadata, '{}'), '$.fired_at') IS NULL ORDER BY due_at, id",
        stamp(now),
        REPLY_QUEUE,
    )


def next_due(db: sqlite3.Connection) -> datetime | None:
    """Return when the next open task that was not reminded of is due, or None."""
    query = (
        "SELECT min(due_at) FROM tasks WHERE state='open' AND due_at IS NOT NULL "
        "AND json_extract(coalesce(metadata, '{}'), '$.fired_at') IS NULL"
    )
    return moment(find_value(db, query))


def fire(db: sqlite3.Connection, task: Task, now: datetime, next_at: datetime | None) -> bool:
    """Claim a due task: it recurs at `next_at` (None: never). Return False if already claimed.

    A reminder is then done; a task of another list stays open until it is ticked off.
    """
    if next_at is None:
        changed = change_rows(
            db,
            "UPDATE tasks SET metadata=json_set(coalesce(metadata, '{}'), '$.fired_at', :now), changed_at=:now, "
            "state=:state WHERE id=:id AND state='open' AND due_at=:due "
            "AND json_extract(coalesce(metadata, '{}'), '$.fired_at') IS NULL",
            {
                "now": stamp(now),
                "id": task.id,
                "due": stamp(cast(datetime, task.due_at)),
                "state": "done" if task.list_id == REMINDERS else "open",
            },
        )
    else:
        changed = change_rows(
            db,
            "UPDATE tasks SET due_at=:next, changed_at=:now WHERE id=:id AND state='open' AND due_at=:due",
            {"next": stamp(next_at), "now": stamp(now), "id": task.id, "due": stamp(cast(datetime, task.due_at))},
        )
    return changed == 1


def set_state(db: sqlite3.Connection, task_id: int, state: str, now: datetime) -> bool:
    """Set the state (open, done or cancelled); return True if that is a change."""
    query = "UPDATE tasks SET state=?, changed_at=? WHERE id=? AND state!=?"
    return change_rows(db, query, state, stamp(now), task_id, state) == 1


def move(db: sqlite3.Connection, task_id: int, list_id: str, now: datetime) -> None:
    """Move a task to another list."""
    db.execute("UPDATE tasks SET list_id=?, changed_at=? WHERE id=?", (list_id, stamp(now), task_id))


def set_due(db: sqlite3.Connection, task_id: int, due_at: datetime, now: datetime) -> None:
    """Set a task's time and reopen it, even after its reminder."""
    db.execute(
        "UPDATE tasks SET due_at=?, state='open', changed_at=?, "
        "metadata=json_remove(coalesce(metadata, '{}'), '$.fired_at') WHERE id=?",
        (stamp(due_at), stamp(now), task_id),
    )


def expect(db: sqlite3.Connection, task_id: int, due_at: datetime, now: datetime, **about: int | str) -> None:
    """Set when an answer is expected; `about` is added to the question's metadata."""
    query = "UPDATE tasks SET due_at=?, changed_at=?, metadata=json_patch(coalesce(metadata, '{}'), ?) WHERE id=?"
    db.execute(query, (stamp(due_at), stamp(now), dump(about), task_id))


def list_finished(db: sqlite3.Connection, since: datetime, until: datetime, least: int) -> list[tuple[str, int]]:
    """Return lists without open tasks whose last task was ticked off between two times: name, and
    that task's id. At least `least` were ticked off since the day before."""
    rows = db.execute(
        "WITH RECURSIVE names (name) AS (SELECT min(list_id) FROM tasks UNION ALL "
        "SELECT (SELECT min(list_id) FROM tasks WHERE list_id>name) FROM names WHERE name IS NOT NULL) "
        "SELECT name, count(*) AS many, max(changed_at) AS last, id FROM names JOIN tasks ON list_id=name "
        "WHERE state='done' AND changed_at>? AND name NOT IN (?, ?) "
        "AND NOT EXISTS (SELECT 1 FROM tasks AS beside WHERE beside.list_id=name AND beside.state='open') "
        "GROUP BY name HAVING many>=? AND last>? AND last<=? ORDER BY name",
        (stamp(since - timedelta(days=1)), REMINDERS, REPLY_QUEUE, least, stamp(since), stamp(until)),
    )
    return [(row["name"], row["id"]) for row in rows]


def change(
    db: sqlite3.Connection,
    task: Task,
    now: datetime,
    key: str,
    *,
    title: str | None = None,
    due_at: datetime | None = None,
    recurrence: str | None = None,
) -> Mapping[str, Any]:
    """Change a task's text, time or recurrence; return the previous values, for `restore`.

    A new time restarts the task: its recurrence begins there, and its reminder comes again. A
    second call with the same turn `key` changes nothing and returns the same.
    """
    values: dict[str, Any] = {"title": clean(title or task.title), "state": "open"}
    marks: dict[str, Any] = {}
    if due_at is not None:
        values |= {"due_at": stamp(due_at), "recurrence": recurrence}
        marks = {"fired_at": None} | ({"first_due": stamp(due_at)} if recurrence else {})
    return _change_once(db, task, now, key, values, marks)


def tick_off(
    db: sqlite3.Connection, task: Task, now: datetime, key: str, next_at: datetime | None, rule: str | None = None
) -> Mapping[str, Any]:
    """Mark a task as done, or recurring at `next_at`, by a changed `rule` if any; return the old
    values, for `restore`.

    A second call with the same turn `key` changes nothing.
    """
    values = {"state": "done"} if next_at is None else {"state": "open", "due_at": stamp(next_at)}
    if rule is not None:
        values["recurrence"] = rule
    return _change_once(db, task, now, key, values, {})


def restore(db: sqlite3.Connection, task_id: int, before: Mapping[str, Any], now: datetime) -> bool:
    """Set a task's values, as to those before `change`; return False if it is deleted."""
    return (
        change_rows(
            db,
            "UPDATE tasks SET title=:title, due_at=:due_at, recurrence=:recurrence, state=:state, metadata=:metadata, "
            "changed_at=:now WHERE id=:id",
            {**before, "metadata": dump(before["metadata"]), "now": stamp(now), "id": task_id},
        )
        == 1
    )


def _change_once(
    db: sqlite3.Connection, task: Task, now: datetime, key: str, values: Mapping[str, Any], marks: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Change values and metadata (None removes) once a turn; return those before."""
    if task.metadata.get("changed_by") == key:
        return cast(Mapping[str, Any], task.metadata["before"])
    row = db.execute("SELECT title, due_at, recurrence, state, metadata FROM tasks WHERE id=?", (task.id,)).fetchone()
    metadata = {name: value for name, value in (load(row["metadata"]) or {}).items() if name != "before"}
    before = {**dict(row), "metadata": metadata}
    after = {**metadata, **marks, "changed_by": key, "before": before}
    metadata_after = {name: value for name, value in after.items() if value is not None}
    restore(db, task.id, {**before, **values, "metadata": metadata_after}, now)
    return before
