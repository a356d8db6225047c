"""What tests of unasked messages need: an owner in Telegram, thoughts that wait, one that is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from furoshiki.core.setting_rows import SecretStr
from furoshiki.messages.store import accounts
from furoshiki.mind.outreach import addressee, gate_inputs, laws, pulse, sending
from furoshiki.mind.outreach.voice import Worded
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World


def in_telegram(world: World) -> World:
    """The same world, with its owner in a chat of Telegram."""
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Ines")
    return replace(world, settings=world.settings.model_copy(update={"telegram_bot_token": SecretStr("1:t")}))


def thinks(world: World, summary: str, kind: str = "question", priority: int = 3, **more: Any) -> int:
    """A thought that waiting to be said; returns its id."""
    with world.database.write() as db:
        found = mind_queue.add(db, kind, summary, f"k:{summary}", world.now, priority=priority, **more)
    assert found is not None
    return found


def writes_first(world: World, summary: str, words: str, kind: str = "question", **more: Any) -> int:
    """Something is said unasked, whatever the gates say of it; returns the number of its decision."""
    item_id, beat, found_laws = thinks(world, summary, kind, **more), world.state.heartbeat(), laws.current(world)
    with world.database.read() as db:
        to = addressee.of_owner(world, db)
        assert to is not None
        here = gate_inputs.moment(world, db, beat, to, found_laws)
        [judged] = [one for one in pulse.judge_waiting(db, here, found_laws) if one.item.id == item_id]
        heard = gate_inputs.find_last_sign(db)
    worded = Worded(words, "anthropic", "claude-deep")
    number = sending.send(world, judged.item, judged.one.priority, judged.seen, worded, to, heard)
    assert number is not None
    return number
