"""A thought that waited has been said: it is not brought up again, and a curiosity that came up presses less."""

from __future__ import annotations

import sqlite3

from furoshiki.agenda.rules import mind_queue
from furoshiki.agenda.store import mind_queue as queue_store
from furoshiki.conversation.values import Reply


def bring_up(db: sqlite3.Connection, reply: Reply) -> int:
    """Tick off what the companion's words brought up (`agenda.rules.mind_queue.raised` is the rule), in the transaction
    that puts them on record. Returns how many of them were curiosities."""
    said = "\n".join(part.text for part in reply.speech.parts)
    if not said.strip():
        return 0
    heard = reply.percept.own_text
    waiting = mind_queue.in_place(queue_store.pending(db, reply.percept.now), {}, ())
    raised = [one for one in waiting if mind_queue.raised(one, said, heard)]
    told = [one for one in raised if queue_store.said(db, one.id)]
    return sum(map(mind_queue.curious, told))
