"""Unconfirmed memories: ask about them, confirm or deny them by a yes or no, and drop old ones; and
mark queued thoughts as said once an answer has raised them.

The question waits in the mind queue (`unconfirmed`) and comes up only in conversation: it is never
a reason to write.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.language.grounding.words import content_of, is_denied
from furoshiki.language.requests.consent import consent
from furoshiki.memory.grounding.rules.judging import CONTRADICTED
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.messages.store import turns
from furoshiki.owner.agenda.rules import mind_queue as queue_rules
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.owner.agenda.store import mind_queue

FADES_AFTER = timedelta(weeks=6)  # how long a memory waits for confirmation

# the least time between two questions about doubts; only one is open at a time
ASKED_APART = timedelta(days=3)

# how long after the time of an event a doubt about it is asked
ASKED_AFTER_EVENT = timedelta(days=1)

LOOKED_THROUGH = 100  # number of the newest doubts that are looked through
HEARD_FOR = timedelta(hours=1)  # how long a plain yes or no counts as the answer to a question
ASKED = "doubt.asked"  # the `kv` key of the last question asked: the memory, and when

DENIED = "they said that it is not so"
FADED = "nobody said again that it is so"
KNOWN = "it is known from the same words"

# the share of a doubted memory's words that others of the same message must hold for it to be known
MOSTLY = 0.75

_KIND = "curiosity"


def settle(db: sqlite3.Connection, memory_id: int, yes: bool, now: datetime) -> bool:
    """Confirm or deny a memory by the user's answer; return False if it was not in doubt."""
    mind_queue.mark_answered(db, f"{mind_queue.DOUBT}{memory_id}")
    if yes:
        return memories.confirm(db, memory_id, now)
    return memories.retire(db, memory_id, DENIED, denied=True)


def list_questions(db: sqlite3.Connection, limit: int) -> list[Memory]:
    """Return the newest doubts that may be asked about.

    What a reader finds contradicted is no question ("do you have Alzheimer's?" to a carer), nor what
    rests on a message in distress: "is it so that you are good for nothing?"
    """
    return list(filter(partial(_may_be_asked, db), memories.in_doubt(db, LOOKED_THROUGH)))[:limit]


def _may_be_asked(db: sqlite3.Connection, memory: Memory) -> bool:
    distressed = any(map(queue_rules.heavy, turns.read_felt(db, memory.turn_ids)))
    return memory.unconfirmed != CONTRADICTED and not distressed


def ask(db: sqlite3.Connection, now: datetime) -> bool:
    """Queue a question about the newest doubt never asked about; return True if one was queued.

    What was to happen is asked about until the day after: "is Friday your last day?" is no question
    on Monday.
    """
    if mind_queue.list_keys(db, mind_queue.DOUBT) or mind_queue.apart(db, mind_queue.DOUBT, ASKED_APART, now):
        return False
    for memory in list_questions(db, LOOKED_THROUGH):
        key = f"{mind_queue.DOUBT}{memory.id}"
        until = now + timedelta(days=mind_queue.LIVES_DAYS)
        if memory.event_time is not None:
            until = min(until, memory.event_time + ASKED_AFTER_EVENT)
        if until > now and not mind_queue.is_known(db, key):
            words = f"Ask, where it fits, whether this is so, for it may not be: {memory.content}"
            source = refs.name("memories", memory.id)
            row = mind_queue.add(db, _KIND, words, key, now, priority=5, source=source, until=until, unconfirmed=True)
            return row is not None
    return False


def fade(db: sqlite3.Connection, now: datetime) -> int:
    """Drop doubts that have waited too long, and what is known by now; return their number."""
    dropped = 0
    for memory in memories.in_doubt(db, limit=1000):
        reason = None
        if memory.created_at <= now - FADES_AFTER:
            reason = FADED
        elif _is_known(db, memory):
            reason = KNOWN
        dropped += reason is not None and memories.retire(db, memory.id, reason, denied=False)
    return dropped


def _is_known(db: sqlite3.Connection, memory: Memory) -> bool:
    """Whether facts of the same message say it: "Nell has a hip operation on the 15th" is no question
    beside "Their hip operation is on the 15th". A fact about somebody else says nothing of it, and
    a moment only quotes the message."""
    facts = memories.of_ids(db, memories.list_by_turns(db, memory.turn_ids))
    denied, whose = is_denied(memory.content), memory.subject
    alike = [
        one.content
        for one in facts
        if one.category != "moment" and is_denied(one.content) == denied and whose in (None, one.subject)
    ]
    own = content_of(memory.content)
    return bool(own) and len(own & content_of("; ".join(alike))) >= MOSTLY * len(own)


def note_question(db: sqlite3.Connection, raised: Sequence[Waiting], now: datetime) -> None:
    """Record the doubt among the thoughts raised in an answer, if it is exactly one."""
    items = [item for item in raised if item.key.startswith(mind_queue.DOUBT)]
    if len(items) == 1:
        kv.put(db, ASKED, {"memory": refs.row(items[0].source), "at": stamp(now)}, now)


def settle_by_answer(db: sqlite3.Connection, words: str, now: datetime) -> None:
    """Settle the last question by the next message if that is a plain yes or no, or drop it."""
    last = kv.get(db, ASKED)
    if last is None:
        return
    kv.drop(db, ASKED)
    answer = consent(words)
    if answer is not None and now - parse(last["at"]) <= HEARD_FOR:
        settle(db, last["memory"], answer, now)


def mark_raised(db: sqlite3.Connection, reply: str, heard: str, now: datetime) -> int:
    """Mark thoughts that the companion's words raised (`agenda.rules.mind_queue.was_raised`), in
    the turn's transaction. Return how many were curiosities. `heard` may settle an earlier question
    about a doubt."""
    settle_by_answer(db, heard, now)
    if not reply.strip():
        return 0
    waiting = queue_rules.in_place(mind_queue.list_due(db, now), {}, ())
    items = [
        item for item in waiting if queue_rules.was_raised(item, reply, heard) and mind_queue.mark_said(db, item.id)
    ]
    note_question(db, items, now)
    return sum(map(queue_rules.curious, items))
