"""Withdraw messages not delivered in time: an evening question must not arrive at 3 a.m.

The item waits again with its words, for a maximum of tries; no model is asked again. A message
whose delivery has begun is left alone, as it may have arrived.
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

MOST_TRIES = 3  # after this many failed deliveries an item is dropped


def take_back(world: World, to: Address, laws: OutreachLaws) -> bool:
    """Withdraw late unprompted messages. Returns True when any message to this chat is late, so
    that more would queue up. A terminal is never late: it shows its messages when opened."""
    if to.channel == "console":
        return False
    now = world.now
    with world.database.read() as db:
        late = outbox.overdue(db, to.channel, to.chat_id, now - laws.delivery)
        ours = {
            message.turn_id: message
            for message in late
            if message.policy == "unprompted" and message.turn_id is not None
        }
    for turn_id, message in ours.items():
        with world.database.write() as db:
            decision = decisions.of_turn(db, turn_id)
            if decision is None or message.turn_key is None or not outbox.withdraw(db, message.turn_key, now, REASON):
                continue
            turns.set_aside(db, message.turn_key, turn_id)
            decisions.undone(db, decision.id, REASON, now)
            _again(db, decision, message, laws, now)
        point("outreach.taken_back")
    return bool(late)


def _again(db: sqlite3.Connection, decision: Decision, message: Outgoing, laws: OutreachLaws, now: datetime) -> None:
    """Retry with a doubled delay; drop the item after the maximum of tries."""
    item = None if decision.item_id is None else mind_queue.get(db, decision.item_id)
    if item is None:
        return
    later = now + laws.retry * 2**item.attempts
    if mind_queue.retry_later(db, item.id, later, draft_of(db, decision, message), counts=True) >= MOST_TRIES:
        mind_queue.let_go(db, item.id, "dropped")


def draft_of(db: sqlite3.Connection, decision: Decision, message: Outgoing) -> str:
    """Return the undelivered words in the form of a stored draft."""
    turn = turns.get(db, message.turn_id)
    match = re.match(r"(?P<provider>[^:]*):?(?P<model>.*)", explaining.mind(decision.reason) or "")
    assert match is not None
    words = Worded(message.text if turn is None else turn.text, match["provider"], match["model"])
    return voice.pack_words(words, finished=True)
