"""What the companion asked unasked and has no answer to: it waits on a list of its own, and is brought up again.

Not for long: after so many times it is let go. Whatever the owner says closes it, for then they are there, and what is
still open comes up by itself.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from furoshiki.core import refs
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER
from furoshiki.mind.outreach.rules import thoughts
from furoshiki.mind.outreach.rules.gates import NUDGE
from furoshiki.mind.outreach.rules.laws import OutreachLaws
from furoshiki.mind.outreach.store import decisions
from furoshiki.owner.agenda.rules.mind_queue import ASKING, Waiting
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.owner.agenda.store.tasks import Task

ALWAYS_ASK = ASKING | {"delegation"}
"""Kinds whose message wants an answer in whatever words it goes out."""

Standing = Literal["answered", "closed", "due", "over", "waits"]


@dataclass(frozen=True)
class Expected:
    """An answer that is waited for: in which row of the queue its question waited, under which key, and by which turn
    it was said last."""

    item: int
    key: str
    turn: int

    @classmethod
    def of(cls, task: Task) -> Expected:
        """Read it from a task."""
        held: Mapping[str, object] = task.metadata
        return cls(int(str(held["item"])), str(held["key"]), int(str(held["turn"])))


def expect(
    db: sqlite3.Connection, item: Waiting, decision_id: int, turn_id: int, now: datetime, laws: OutreachLaws
) -> int | None:
    """Something went out unasked: when it asks, an answer is expected from now on. Returns the task that stands for it.

    In the transaction that sends it.
    """
    due = now + laws.nudge_after
    if item.kind == NUDGE:
        task = tasks.get(db, refs.row(item.source))
        if task is not None:
            tasks.expect(db, task.id, due, now, turn=turn_id, nudges=nudges(db, item) + 1)
        return None if task is None else task.id
    said = turns.get(db, turn_id)
    question = thoughts.find_question("" if said is None else said.text)
    if item.kind not in ALWAYS_ASK and (item.kind != "follow_up" or question is None):
        return None
    key = refs.name("outreach", decision_id)
    exactly = item.detail if item.kind == "delegation" else None
    made = tasks.add(db, tasks.REPLY_QUEUE, question or item.summary, now, notes=exactly, due_at=due, turn_key=key)
    tasks.expect(db, made, due, now, turn=turn_id, item=item.id, key=item.key, decision=decision_id)
    return made


def nudges(db: sqlite3.Connection, item: Waiting) -> int:
    """How often the question that a waiting thought brings up again was brought up before."""
    task = tasks.get(db, refs.row(item.source)) if item.kind == NUDGE else None
    return 0 if task is None else int(task.metadata.get("nudges", 0))


def check_answer(db: sqlite3.Connection, task: Task, now: datetime, most: int) -> Standing:
    """How it stands with an expected answer; `most` is how often its question may be brought up."""
    expected = Expected.of(task)
    heard = turns.last_said(db, USER)
    if heard is not None and heard.id > expected.turn:
        return "answered"
    asked = decisions.get(db, int(task.metadata["decision"]))
    disliked = asked is not None and asked.outcome == "disliked"
    if disliked or not mind_queue.is_said_and_open(db, expected.item):
        return "closed"
    if task.due_at is None or task.due_at > now:
        return "waits"
    return "over" if int(task.metadata.get("nudges", 0)) >= most else "due"


def has_work(db: sqlite3.Connection, now: datetime) -> bool:
    """Whether anything is to be done about expected answers."""
    return any(check_answer(db, task, now, 1) != "waits" for task in tasks.in_list(db, tasks.REPLY_QUEUE))


def gather(db: sqlite3.Connection, now: datetime, laws: OutreachLaws, priority: int) -> int:
    """Close what is answered or over, and bring up again what is due; returns how many that is."""
    made = 0
    for task in tasks.in_list(db, tasks.REPLY_QUEUE):
        match check_answer(db, task, now, laws.nudges):
            case "answered":
                tasks.set_state(db, task.id, "done", now)
            case "closed" | "over":
                tasks.set_state(db, task.id, "cancelled", now)
            case "due":
                made += _nudge(db, task, now, laws, priority)
    return made


def _nudge(db: sqlite3.Connection, task: Task, now: datetime, laws: OutreachLaws, priority: int) -> bool:
    """Bring it up again; when that waited in vain already, it is let go."""
    expected, before = Expected.of(task), int(task.metadata.get("nudges", 0))
    one = thoughts.of_open_question(task.id, task.title, before, expected.key)
    put = mind_queue.add(
        db,
        one.kind,
        one.summary,
        one.key,
        now,
        priority=priority,
        detail=task.notes,
        source=one.source,
        by_key_alone=True,
    )
    if put is not None or one.key in mind_queue.list_keys(db, one.key):
        tasks.expect(db, task.id, now + laws.nudge_after, now)  # looked at again then, should it not have gone out
    else:
        tasks.set_state(db, task.id, "cancelled", now)
    return put is not None
