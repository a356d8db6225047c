"""A plain "yes" or "no" in words: it answers the question that was asked last in its chat, while nothing else was said.

It presses the button that the question came with, so that words and buttons do the same and ask for the same role.
"""

from __future__ import annotations

import sqlite3
from datetime import timedelta

from furoshiki.conversation.commands import proposals, registry
from furoshiki.language.requests.consent import consent
from furoshiki.messages.store import outbox, turns
from furoshiki.messages.values import Envelope, Outgoing, Words
from furoshiki.world import World

HEARD_FOR = timedelta(days=1)
"""So long a question that sets no time of its own is answered by a word."""

_BUTTONS = {
    "forget": ("forget.yes", "forget.no"),
    "zone": ("zone.set", "zone.keep"),
    "self": ("self.accept", "self.decline"),
}
"""What the buttons of a question begin with that mean yes and no, by what stands before the dot."""

_ASKED_APART = ("do", "count")
"""Questions that `asked` answers: several may wait at once, and only whom they were put to may answer."""


async def answered(world: World, yes: bool, envelope: Envelope) -> Words | None:
    """What comes of it; None when nothing waits for an answer here, or more was said since."""
    with world.database.read() as db:
        question = _last(db, envelope)
        fresh = question is not None and world.now - question.created_at <= HEARD_FOR and not _passed(db, question)
    data = None if question is None else _data(question)
    if data is None:
        return await proposals.typed(world, yes, envelope)
    return await registry.press(world, data[0 if yes else 1], envelope) if fresh else None


def _last(db: sqlite3.Connection, envelope: Envelope) -> Outgoing | None:
    """The newest message of this chat that asks for a yes or no."""
    offered = outbox.with_buttons(db, envelope.channel, envelope.chat_id)
    return next((one for one in offered if _subjects(one) & {*_BUTTONS, *_ASKED_APART}), None)


def _passed(db: sqlite3.Connection, question: Outgoing) -> bool:
    """Whether the person has answered it, or said something else since it was asked."""
    beside = turns.of_key(db, question.turn_key) if question.turn_key else []
    for said in turns.newest_said(db, question.channel, question.chat_id):
        if said.kind == "command" and consent(said.own) is None:
            continue
        return said.id > beside[-1].id if beside else said.at > question.created_at
    return False


def _data(question: Outgoing) -> tuple[str, str] | None:
    """What its buttons for yes and no send; None for one that is answered elsewhere."""
    sent = _sent(question)
    for yes, no in _BUTTONS.values():
        found = [next((data for data in sent if data.partition(":")[0] == one), None) for one in (yes, no)]
        if found[0] is not None and found[1] is not None:
            return found[0], found[1]
    return None


def _subjects(message: Outgoing) -> set[str]:
    return {data.partition(".")[0] for data in _sent(message)}


def _sent(message: Outgoing) -> list[str]:
    return [str(button["data"]) for row in message.extra.get("buttons", ()) for button in row]
