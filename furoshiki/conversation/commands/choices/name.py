"""The buttons under "Shall I call you Lena?": what was said in small letters is a name, or none."""

from furoshiki.conversation.commands.registry import Button
from furoshiki.core.catalogue import say
from furoshiki.language.facts import names
from furoshiki.memory import facts
from furoshiki.messages.store import turns
from furoshiki.messages.values import Envelope, Words
from furoshiki.owner.user_model import user
from furoshiki.world import World

SAID_AT_MOST = 12
"""Turns back that the message with the name may be."""


@Button("name", ("take", "leave"), by_word=True, who="paired")
async def press(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """Take the name, with the message that gave it as its source, or leave it."""
    if verb == "leave":
        return Words(say("All right. Say “call me …”, and I will."))
    with world.database.write() as db:
        for turn in reversed(turns.recent(db, envelope.channel, envelope.chat_id, SAID_AT_MOST)):
            if turn.own and names.find_small_name(turn.own) == value:
                facts.learn(db, user.note_name(value), [turn.id], world.now, zone=user.zone(world, db))
                return Words(say("Nice to meet you, {given}. I'll remember that.", given=value))
    return None
