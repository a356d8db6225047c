"""Mark queued thoughts as said once an answer has raised them."""

import sqlite3
from datetime import datetime

from furoshiki.owner.agenda import doubts
from furoshiki.owner.agenda.rules import mind_queue
from furoshiki.owner.agenda.store import mind_queue as queue_store


def bring_up(db: sqlite3.Connection, said: str, heard: str, now: datetime) -> int:
    """Mark thoughts that the companion's words raised (`agenda.rules.mind_queue.was_raised`), in
    the turn's transaction. Return how many were curiosities. `heard` may settle an earlier question
    about a doubt."""
    doubts.settle_by_answer(db, heard, now)
    if not said.strip():
        return 0
    waiting = mind_queue.in_place(queue_store.list_due(db, now), {}, ())
    told = [one for one in waiting if mind_queue.was_raised(one, said, heard) and queue_store.mark_said(db, one.id)]
    doubts.note_question(db, told, now)
    return sum(map(mind_queue.curious, told))
