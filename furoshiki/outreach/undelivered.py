"""What could not be delivered in time is taken back: a question of the evening must not arrive at three in the morning.

It waits again, as if it had not been said. What has begun to be sent is left alone: it may have arrived.
"""

from __future__ import annotations

from furoshiki.agenda.store import mind_queue
from furoshiki.core.process.crash_points import point
from furoshiki.messages.store import outbox, turns
from furoshiki.outreach.addressee import Address
from furoshiki.outreach.rules.laws import OutreachLaws
from furoshiki.outreach.store import decisions
from furoshiki.world import World

REASON = "it could not be delivered in time"


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
            if decision.item_id is not None:
                mind_queue.say_again(db, decision.item_id, now + laws.retry)
        point("outreach.taken_back")
    return bool(late)
