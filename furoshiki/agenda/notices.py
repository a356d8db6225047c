"""What the owner should know or decide is said to them once, unasked: at most one message a day, never at night.

First what failed in the background, then what only they can allow. Both stand in `/status` and `/memory` as well; what
was seen there is not told again.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime, time, timedelta

from furoshiki.agenda.store import failures, mind_queue, quiet
from furoshiki.core import failure_words
from furoshiki.core.timestamps import between, local, parse, stamp
from furoshiki.messages.store import accounts, outbox, turns
from furoshiki.messages.values import COMPANION, NewOutgoing, NewTurn, session_for
from furoshiki.user_model import user
from furoshiki.world import World

CHANNEL = "telegram"
EVERY = timedelta(days=1)
USUAL_HOURS = time(23), time(8)
"""In between nobody is written to unasked, unless they set hours of their own."""

LOOKED_BACK = timedelta(days=7)
"""What failed longer ago and was never told is no news any more."""

CLOSING = "I go on trying by myself; /status shows how things stand."


def count_buttons(memory_id: int) -> list[dict[str, str]]:
    """Yes and no under "May I count on this for good?"; `conversation/commands/count_on.py` hears them."""
    return [{"text": "Yes", "data": f"count.yes:{memory_id}"}, {"text": "No", "data": f"count.no:{memory_id}"}]


def tell(world: World) -> bool:
    """Say what there is to say, if now is a good time; True when something was said."""
    now = world.now
    if world.who.place is not None:
        return False
    with world.database.read() as db:
        owner = accounts.owner(db, CHANNEL)
        last = failures.told(db)
        if owner is None or ("at" in last and now - parse(last["at"]) < EVERY):
            return False
        found = failures.of(db, failure_words.KINDS, now - LOOKED_BACK, last["event"])
        asked = (
            None if found else next((one for one in mind_queue.of_memories(db) if one[0] != last.get("memory")), None)
        )
    if (not found and asked is None) or not _welcome(world):
        return False
    chat = owner.chat_id
    with world.database.write() as db:
        if failures.told(db) != last:
            return False  # another run was quicker
        if found:
            said = failure_words.lines((one.kind, one.payload) for one in found)
            text = "\n".join(
                ["Something did not work behind the scenes:", *(f"- {line}" for line in said), "", CLOSING]
            )
            failures.tell(db, now, event=found[-1].id, at=stamp(now), memory=None)
            _put(db, NewOutgoing(CHANNEL, chat, text, policy="unprompted"), now)
        else:
            assert asked is not None
            memory_id, question = asked
            text = f"{question}\n\nPress a button, or answer yes or no."
            extra = {"buttons": [count_buttons(memory_id)]}
            failures.tell(db, now, at=stamp(now), memory=memory_id, channel=CHANNEL, chat_id=chat)
            _put(db, NewOutgoing(CHANNEL, chat, text, extra=extra, policy="unprompted"), now)
    return True


def _welcome(world: World) -> bool:
    """Whether they may be written to now."""
    from furoshiki.agenda import channel_modes

    with world.database.read() as db:
        zone, until, hours = user.zone(world, db), quiet.until(db, world.now), quiet.hours(db)
    late = between(local(world.now, zone).time(), *(hours or USUAL_HOURS))
    return until is None and not late and channel_modes.mode(world, CHANNEL) == "live"


def _put(db: sqlite3.Connection, words: NewOutgoing, now: datetime) -> None:
    """On record like the answer to a command: nothing is learned from it, and it is never recalled."""
    key = f"told:{stamp(now)}"
    session = session_for(now, turns.last_session(db))
    turn = NewTurn(session, words.channel, words.chat_id, COMPANION, words.text, now, kind="command", turn_key=key)
    outbox.put(db, [words], now, turns.add(db, turn), key)
