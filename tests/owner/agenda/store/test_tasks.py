"""Tasks: due once, again when they recur, and on their lists in order."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from typing import Any

import pytest

from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import REMINDERS, Task
from tests.support.laws import NOON

DB = sqlite3.Connection
HOUR = timedelta(hours=1)


def add(db: DB, title: str, due_at: datetime | None = None, list_id: str = REMINDERS, **more: Any) -> Task:
    task = tasks.get(db, tasks.add(db, list_id, title, NOON, due_at=due_at, **more))
    assert task is not None
    return task


def titles(found: list[Task]) -> list[str]:
    return [task.title for task in found]


def test_a_list_has_dated_things_first(db: DB) -> None:
    add(db, "whenever")
    add(db, "later", NOON + 2 * HOUR)
    add(db, "soon", NOON + HOUR)
    add(db, "milk", list_id="shopping")
    assert titles(tasks.in_list(db, REMINDERS)) == ["soon", "later", "whenever"]
    assert tasks.lists(db) == {"shopping": 1, REMINDERS: 3}


def test_odd_text_is_kept_as_far_as_it_can_be(db: DB) -> None:
    task = add(db, "call \ud800", notes="no\x00w")
    assert (task.title, task.notes, task.metadata) == ("call ?", "now", {})


def test_only_what_is_open_and_past_its_time_is_due(db: DB) -> None:
    add(db, "now", NOON)
    add(db, "before", NOON - HOUR)
    add(db, "later", NOON + HOUR)
    add(db, "whenever")
    done = add(db, "done", NOON)
    assert tasks.set_state(db, done.id, "done", NOON) is True
    assert tasks.set_state(db, done.id, "done", NOON) is False
    assert titles(tasks.due(db, NOON)) == ["before", "now"]


def test_nothing_is_ever_due_on_an_empty_list(db: DB) -> None:
    assert (tasks.due(db, NOON), tasks.get(db, 1)) == ([], None)


def test_what_comes_once_is_said_once(db: DB) -> None:
    task = add(db, "call", NOON)
    assert tasks.fire(db, task, NOON, None) is True
    assert tasks.fire(db, task, NOON, None) is False
    assert tasks.due(db, NOON + HOUR) == []
    assert [(one.title, one.state) for one in tasks.history(db, REMINDERS)][0] == ("call", "done")


def test_opened_again_it_is_not_said_again(db: DB) -> None:
    task = add(db, "call", NOON)
    tasks.fire(db, task, NOON, None)
    tasks.set_state(db, task.id, "open", NOON)
    assert tasks.due(db, NOON + HOUR) == []


def test_put_off_it_is_said_again_then(db: DB) -> None:
    task = add(db, "call", NOON)
    tasks.fire(db, task, NOON, None)
    tasks.set_due(db, task.id, NOON + HOUR, NOON)
    assert tasks.due(db, NOON) == []
    assert titles(tasks.due(db, NOON + HOUR)) == ["call"]


def test_what_recurs_moves_on_and_counts_from_its_first_time(db: DB) -> None:
    task = add(db, "water the plants", NOON, recurrence="FREQ=DAILY")
    assert tasks.fire(db, task, NOON, NOON + 24 * HOUR) is True
    assert tasks.fire(db, task, NOON, NOON + 24 * HOUR) is False
    moved = tasks.get(db, task.id)
    assert moved is not None
    assert (moved.due_at, moved.first_due, moved.state) == (NOON + 24 * HOUR, NOON, "open")


def test_what_does_not_recur_was_first_due_when_it_is_due(db: DB) -> None:
    assert add(db, "call", NOON).first_due == NOON
    assert add(db, "whenever").first_due is None


def test_a_list_remembers_what_stood_on_it(db: DB) -> None:
    first, second = add(db, "milk", list_id="shopping"), add(db, "bread", list_id="shopping")
    tasks.set_state(db, first.id, "done", NOON + HOUR)
    assert titles(tasks.history(db, "shopping")) == ["milk", "bread"]
    assert titles(tasks.history(db, "shopping", 1)) == ["milk"]
    assert titles(tasks.in_list(db, "shopping")) == [second.title]


def test_a_state_nobody_knows_is_refused(db: DB) -> None:
    task = add(db, "milk")
    with pytest.raises(sqlite3.IntegrityError):
        tasks.set_state(db, task.id, "half done", NOON)
