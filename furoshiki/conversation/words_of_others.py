"""Detect text of others in a prompt: in the conversation, memories, skill results, plugin texts.

`Percept.foreign` covers the message itself.
"""

from collections.abc import Sequence

from furoshiki.conversation.values import Context
from furoshiki.language import testimony
from furoshiki.messages.store import words_of_others
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World


def in_view(world: World, context: Context, evidence: Sequence[str] = ()) -> bool:
    """Return whether this turn's prompt contains text of others, or derived text, besides the
    message."""
    quoted = (said.reply_to for said in context.percept.said)
    spoken = [*context.talk.history, *(one for one in quoted if one is not None)]
    if context.plugins or any(testimony.outside(turn.foreign) for turn in spoken):
        return True
    with world.database.read() as db:
        if words_of_others.lately(db) or mind_queue.has_plugin_words(db, world.now):
            return True
        return words_of_others.among(db, [*(one.id for one in context.woken.shown), *evidence])
