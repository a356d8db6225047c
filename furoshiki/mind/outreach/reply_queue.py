"""Unanswered questions of the companion: kept on a list of their own and asked again.

After a maximum number of times a question is dropped. Any message of the owner closes it: then they
are present, and open topics come up by themselves.
"""

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

ALWAYS_ASK = ASKING | {"delegation"}  # kinds whose message always expects an answer

Standing = Literal["answered", "closed", "due", "over", "waits"]


@dataclass(frozen=True)
class Expected:
    """An expected answer: its question's queue item, key, and last turn."""

    item: int
    key: str
    turn: int

    @classmethod
    def of(cls, task: Task) -> "Expected":
        held: Mapping[str, object] = task.metadata
        return cls(int(str(held["item"])), str(held["key"]), int(str(held["turn"])))


def expect(
    db: sqlite3.Connection, item: Waiting, decision_id: int, turn_id: int, now: datetime, laws: OutreachLaws
) -> int | None:
    """Register an expected answer if a sent message asks a question. Returns the task id, or None.
    Runs in the sending transaction."""
    due = now + laws.nudge_after
    if item.kind == NUDGE:
        task = tasks.get(db, refs.row(item.source))
        if task is not None:
            tasks.expect(db, task.id, due, now, turn=turn_id, nudges=nudges(db, item) + 1)
        return None if task is None else task.id
    turn = turns.get(db, turn_id)
    question = thoughts.find_question("" if turn is None else turn.text)
    if item.kind not in ALWAYS_ASK and (item.kind != "follow_up" or question is None):
        return None
    key = refs.name("outreach", decision_id)
    exactly = item.detail if item.kind == "delegation" else None
    made = tasks.add(db, tasks.REPLY_QUEUE, question or item.summary, now, notes=exactly, due_at=due, turn_key=key)
    tasks.expect(db, made, due, now, turn=turn_id, item=item.id, key=item.key, decision=decision_id)
    return made


def nudges(db: sqlite3.Connection, item: Waiting) -> int:
    """Return how often the question behind a waiting thought was brought up again."""
    task = tasks.get(db, refs.row(item.source)) if item.kind == NUDGE else None
    return 0 if task is None else int(task.metadata.get("nudges", 0))


def check_answer(db: sqlite3.Connection, task: Task, now: datetime, most: int) -> Standing:
    """Return the state of an expected answer; `most` is how often its question may be repeated."""
    expected = Expected.of(task)
    heard = turns.last_said(db, USER)
    if heard is not None and heard.id > expected.turn:
        return "answered"
    decision = decisions.get(db, int(task.metadata["decision"]))
    disliked = decision is not None and decision.outcome == "disliked"
    if disliked or not mind_queue.is_said_and_open(db, expected.item):
        return "closed"
    if task.due_at is None or task.due_at > now:
        return "waits"
    return "over" if int(task.metadata.get("nudges", 0)) >= most else "due"


def has_work(db: sqlite3.Connection, now: datetime) -> bool:
    """Return whether any expected answer needs action."""
    return any(check_answer(db, task, now, 1) != "waits" for task in tasks.in_list(db, tasks.REPLY_QUEUE))


def gather(db: sqlite3.Connection, now: datetime, laws: OutreachLaws, priority: int) -> int:
    """Close answered and exhausted questions, queue due ones again; return how many were queued."""
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
    """Queue the question again; if an earlier repetition was never said, cancel it."""
    expected, before = Expected.of(task), int(task.metadata.get("nudges", 0))
    thought = thoughts.of_open_question(task.id, task.title, before, expected.key)
    is_new = mind_queue.add_thought(db, thought, priority, now, task.notes)
    if is_new or thought.key in mind_queue.list_keys(db, thought.key):
        tasks.expect(db, task.id, now + laws.nudge_after, now)  # checked again then, in case it was not sent
    else:
        tasks.set_state(db, task.id, "cancelled", now)
    return is_new
