"""The buttons under "May I count on this for good?": what is needed again and again may be held nearly for certain."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.agenda.store import failures, mind_queue
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.timestamps import parse
from furoshiki.messages.store import turns
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World

HEARD_FOR = timedelta(days=1)
"""So long a plain "yes" or "no" answers the question."""

YES = "Good, I count on it."
NO = "Then I hold it as I did, and do not ask again."


async def press(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """`yes` and `no`, with the id of the memory."""
    if verb not in ("yes", "no") or not (value.isascii() and value.isdigit()):
        return None
    return Words(_settled(world, int(value), verb == "yes"))


async def typed(world: World, yes: bool, envelope: Envelope) -> Words | None:
    """A plain "yes" or "no" to the question asked last; None when none was, or more was said since."""
    if world.who.place is not None:
        return None
    with world.database.read() as db:
        last = failures.told(db)
        here = (last.get("channel"), last.get("chat_id")) == (envelope.channel, envelope.chat_id)
        if (
            not here
            or last.get("memory") is None
            or last["memory"] not in [one for one, _ in mind_queue.of_memories(db)]
        ):
            return None
        asked = parse(last["at"])
        since = turns.recent(db, envelope.channel, envelope.chat_id, 1)
        if world.now - asked > HEARD_FOR or (since and since[-1].at > asked):
            return None
    return Words(_settled(world, int(last["memory"]), yes))


def _settled(world: World, memory_id: int, yes: bool) -> str:
    from furoshiki.consolidation import promotion

    try:
        if yes:
            promotion.approve(world, memory_id)
        else:
            with world.database.write() as db:
                promotion.decline(db, memory_id)
    except FuroshikiError as error:
        return str(error)
    return YES if yes else NO
