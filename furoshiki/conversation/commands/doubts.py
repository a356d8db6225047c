"""The buttons under what is in doubt: yes, it is so, or no, it never was."""

from __future__ import annotations

from furoshiki.agenda import doubts
from furoshiki.core import numbers
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World

ANSWERS = {"yes": "Good, then I know it.", "no": "Then I take it back, and do not read it out of those words again."}


async def press(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """`yes` and `no`, with the id of the memory."""
    memory_id = numbers.row(value)
    if verb not in ANSWERS or memory_id is None:
        return None
    with world.database.write() as db:
        settled = doubts.settle(db, memory_id, verb == "yes", world.now)
    return Words(ANSWERS[verb] if settled else "There is no doubt of that.")
