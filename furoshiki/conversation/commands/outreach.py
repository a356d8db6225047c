"""The buttons under what was said unasked: the same matter again later, and less of its kind."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from furoshiki.agenda.store import mind_queue
from furoshiki.feelings.store import history
from furoshiki.language.humanize import clock
from furoshiki.messages.values import Envelope, Words
from furoshiki.outreach import laws, outcomes
from furoshiki.outreach.store import decisions
from furoshiki.outreach.store.decisions import Decision
from furoshiki.perception import second_look
from furoshiki.user_model import user
from furoshiki.world import World

WANTS_ROOM = {"disengagement": 1.0}
"""What the button "Less of this" says, as the signal of a message would."""

PRESSED = "the button “Less of this”"
"""The cause that the history of needs names."""

OVER = "That is over: I will not come back to it."
SETTLED = "That is settled by now, so I will not bring it up again."
FEWER = "Fewer of these, then: I will leave you more room, and such things will have to wait longer."
KNOWN = "I have that already: there will be fewer of these."


async def press(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """`later` and `less`, with the number of the decision by which it was said."""
    if verb not in ("later", "less") or not (value.isascii() and value.isdigit()):
        return None
    with world.database.read() as db:
        one = decisions.get(db, int(value))
    if one is None:
        return Words(OVER)
    return Words(_later(world, one) if verb == "later" else _less(world, one))


def _later(world: World, one: Decision) -> str:
    """The same matter again, unless it is closed by now; pressed twice it is said again once."""
    now, later = world.now, laws.current(world).later
    with world.database.write() as db:
        zone = user.zone(world, db)
        item = None if one.item_id is None else mind_queue.get(db, one.item_id)
        if item is None:
            return OVER
        if not mind_queue.is_open(db, item.id):
            return SETTLED
        again: datetime | None = now + later
        if not mind_queue.say_again(db, item.id, now + later):
            again = _waits_until(db, item.id, now)
    return OVER if again is None else f"I will come back to it {clock(again, zone, now)}."


def _waits_until(db: sqlite3.Connection, item_id: int, now: datetime) -> datetime | None:
    """Until when something waits already; None when it does not."""
    waits = next((one for one in mind_queue.unsaid(db, now) if one.id == item_id), None)
    return None if waits is None else waits.not_before or now


def _less(world: World, one: Decision) -> str:
    """The kind weighs less, and whoever pressed seems to want more room: once for each message."""
    with world.database.write() as db:
        if not outcomes.learn(db, one, "disliked", laws.current(world), world.now):
            return KNOWN
    if one.turn_id is not None:
        needs = second_look.needed(world, one.turn_id, WANTS_ROOM)
        with world.database.write() as db:
            history.record_user_needs(db, needs, PRESSED, world.now)
    return FEWER
