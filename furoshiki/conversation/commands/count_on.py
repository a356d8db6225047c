"""The buttons under "May I count on this for good?": what is needed again and again may be held nearly for certain."""

from __future__ import annotations

from furoshiki.core import numbers
from furoshiki.core.errors import FuroshikiError
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World

YES = "Good, I count on it."
NO = "Then I hold it as I did, and do not ask again."


async def press(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """`yes` and `no`, with the id of the memory."""
    from furoshiki.mind.consolidation import promotion

    memory_id = numbers.row(value)
    if verb not in ("yes", "no") or memory_id is None:
        return None
    try:
        if verb == "yes":
            promotion.approve(world, memory_id)
        else:
            with world.database.write() as db:
                promotion.decline(db, memory_id)
    except FuroshikiError as error:
        return Words(str(error))
    return Words(YES if verb == "yes" else NO)
