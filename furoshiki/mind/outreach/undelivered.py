"""What could not be delivered in time is taken back: a question of the evening must not arrive at three in the morning.

It waits again with its words, for so many tries and no more; nobody is asked for words a second time. What has begun to
be sent is left alone: it may have arrived.
"""

import re
import sqlite3
from datetime import datetime

from furoshiki.core.process.crash_points import point
from furoshiki.messages.store import outbox, turns
from furoshiki.messages.values import Outgoing
from furoshiki.mind.outreach import voice
from furoshiki.mind.outreach.addressee import Address
from furoshiki.mind.outreach.rules import explaining
from furoshiki.mind.outreach.rules.laws import OutreachLaws
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.decisions import Decision
from furoshiki.mind.outreach.voice import Worded
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World

REASON = "it could not be delivered in time"

MOST_TRIES = 3
"""What did not arrive so often is let go."""


def take_back(world: World, to: Address, laws: OutreachLaws) -> bool:
    """Take back what was said unasked and has not gone out; True when anything at all waits so long for this chat, so
    that more would wait behind it. A terminal is no such chat: what waits there is read when it is opened."""
    if to.channel == "console":
        return False
    now = world.now
    with world.database.read() as db:
        late = outbox.overdue(db, to.channel, to.chat_id, now - laws.delivery)
        ours = {one.turn_id: one for one in late if one.policy == "unprompted" and one.turn_id is not None}
    for turn_id, one in ours.items():
        with world.database.write() as db:
            decision = decisions.of_turn(db, turn_id)
            if decision is None or one.turn_key is None or not outbox.withdraw(db, one.turn_key, now, REASON):
                continue
            turns.set_aside(db, one.turn_key, turn_id)
            decisions.undone(db, decision.id, REASON, now)
            _again(db, decision, one, laws, now)
        point("outreach.taken_back")
    return bool(late)


def _again(db: sqlite3.Connection, decision: Decision, gone: Outgoing, laws: OutreachLaws, now: datetime) -> None:
    """Later once more, each time twice as late; after so many tries it is let go."""
    item = None if decision.item_id is None else mind_queue.get(db, decision.item_id)
    if item is None:
        return
    later = now + laws.retry * 2**item.attempts
    if mind_queue.retry_later(db, item.id, later, draft_of(db, decision, gone), counts=True) >= MOST_TRIES:
        mind_queue.let_go(db, item.id, "dropped")


def draft_of(db: sqlite3.Connection, decision: Decision, gone: Outgoing) -> str:
    """What was to be said, as it was worded and as a draft is kept."""
    turn = None if gone.turn_id is None else turns.get(db, gone.turn_id)
    said = re.match(r"(?P<provider>[^:]*):?(?P<model>.*)", explaining.mind(decision.reason) or "")
    assert said is not None
    words = Worded(gone.text if turn is None else turn.text, said["provider"], said["model"])
    return voice.pack_words(words, finished=True)
