"""Whether words that are not the owner's stand before the model: in the conversation, in memory, in what a skill found.

What came with the message itself is `Percept.foreign`; this is about the rest of the prompt.
"""

from __future__ import annotations

from collections.abc import Sequence

from furoshiki.domain import testimony
from furoshiki.mind.act.skill import Result
from furoshiki.mind.turn.values import Context
from furoshiki.storage import others
from furoshiki.world import World


def in_view(world: World, context: Context, evidence: Sequence[str] = ()) -> bool:
    """Whether the prompt of this turn holds words of others, or what may be made of such, besides the message."""
    quoted = (said.reply_to for said in context.percept.said)
    spoken = [*context.history, *(one for one in quoted if one is not None)]
    if any(testimony.outside(turn.foreign) for turn in spoken):
        return True
    with world.store.read() as db:
        return others.lately(db) or others.among(db, [*(one.id for one in context.memories), *evidence])


def brought(world: World, result: Result) -> bool:
    """Whether a skill has found words of others."""
    names = [str(row["id"]) for row in result.data.get("results", ()) if "id" in row]
    if not names:
        return False
    with world.store.read() as db:
        return others.among(db, names)
