"""What was told and may not be so: asked about when it fits, settled by a yes or a no, let go when nobody settles it.

It waits as a thought that comes up in talk alone (`mind_queue`, `unconfirmed`): it is never a reason to write.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.language.requests.consent import consent
from furoshiki.memory.store import memories
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.owner.agenda.store import mind_queue

FADES_AFTER = timedelta(weeks=6)
"""So long something waits for a word that it is so: a matter that never came up again is no loss."""

ASKED_APART = timedelta(days=3)
"""The person is asked about one doubt in so long, and about one at a time."""

HEARD_FOR = timedelta(hours=1)
"""So long a plain yes or no answers a question that came up in talk."""

ASKED = "doubt.asked"
"""Under this name `kv` keeps what was asked in the last answer: the memory, and when."""

DENIED = "they said that it is not so"
FADED = "nobody said again that it is so"

_KIND = "curiosity"


def settle(db: sqlite3.Connection, memory_id: int, yes: bool, now: datetime) -> bool:
    """The person's word: it is known from now on, or was never so. False when it was not in doubt any more."""
    mind_queue.mark_answered(db, f"{mind_queue.DOUBT}{memory_id}")
    if yes:
        return memories.confirm(db, memory_id, now)
    return memories.retire(db, memory_id, DENIED, denied=True)


def ask(db: sqlite3.Connection, now: datetime) -> bool:
    """Put one question on the companion's mind, about the newest doubt that was never asked about; True when it did."""
    if mind_queue.list_keys(db, mind_queue.DOUBT) or mind_queue.apart(db, mind_queue.DOUBT, ASKED_APART, now):
        return False
    for one in memories.in_doubt(db):
        key = f"{mind_queue.DOUBT}{one.id}"
        if not mind_queue.is_known(db, key):
            words = f"Ask, where it fits, whether this is so, for it may not be: {one.content}"
            source = refs.name("memories", one.id)
            return mind_queue.add(db, _KIND, words, key, now, priority=5, source=source, unconfirmed=True) is not None
    return False


def fade(db: sqlite3.Connection, now: datetime) -> int:
    """Let go of what has waited too long; returns how many."""
    old = [one for one in memories.in_doubt(db, limit=1000) if one.created_at <= now - FADES_AFTER]
    return sum(memories.retire(db, one.id, FADED, denied=False) for one in old)


def note_question(db: sqlite3.Connection, raised: Sequence[Waiting], now: datetime) -> None:
    """An answer is going out that raised these: a yes or no to it settles the one doubt among them."""
    found = [one for one in raised if one.key.startswith(mind_queue.DOUBT)]
    if len(found) == 1:
        kv.put(db, ASKED, {"memory": refs.row(found[0].source), "at": stamp(now)}, now)


def settle_by_answer(db: sqlite3.Connection, words: str, now: datetime) -> None:
    """What was said to the last answer: a plain yes or no settles what was asked there, and anything else leaves it."""
    last = kv.get(db, ASKED)
    if last is None:
        return
    kv.drop(db, ASKED)
    said = consent(words)
    if said is not None and now - parse(last["at"]) <= HEARD_FOR:
        settle(db, last["memory"], said, now)
