"""The buttons under unprompted messages: the same matter later, and less of its kind."""

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from furoshiki.conversation.commands.registry import Button
from furoshiki.core import refs
from furoshiki.core.catalogue import later, say
from furoshiki.feelings.store import history
from furoshiki.language.humanize import clock
from furoshiki.memory.perception import signals
from furoshiki.messages.store import skill_runs
from furoshiki.messages.values import Envelope, Words
from furoshiki.mind.outreach import laws, outcomes
from furoshiki.mind.outreach.store import decisions, kinds
from furoshiki.mind.outreach.store.decisions import Decision
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model import user
from furoshiki.world import World

WANTS_ROOM = {"disengagement": 1.0}  # the button "Less of this" expressed as a message's signals
PRESSED = "the button “Less of this”"  # the cause stored in the history of needs
RUN = "outreach"  # the name under which a press is recorded

OVER = later("That is over: I won't come back to it.")
SETTLED = later("That is settled by now, so I will not bring it up again.")
FEWER = later("Fewer of these, then: I will give you more space, and such things will have to wait longer.")
KNOWN = later("I already noted that: there will be fewer of these.")


@Button("outreach", ("later", "less"), of_row=True)
async def press(world: World, verb: str, number: int, envelope: Envelope) -> Words | None:
    """Handle `later` and `less` with the decision's id."""
    with world.database.read() as db:
        decision = decisions.get(db, number)
    if decision is None:
        return Words(say(OVER))
    key = refs.name("inbox", envelope.id)
    return Words(_later(world, decision, key) if verb == "later" else _less(world, decision, key))


def _later(world: World, decision: Decision, key: str) -> str:
    """Schedule the same matter again, unless it is closed; a second press has no effect."""
    now, later = world.now, laws.current(world).later
    with world.database.write() as db:
        zone = user.zone(world, db)
        item = None if decision.item_id is None else mind_queue.get(db, decision.item_id)
        if item is None:
            return say(OVER)
        if not mind_queue.is_open(db, item.id):
            return say(SETTLED)
        again: datetime | None = now + later
        if mind_queue.say_again(db, item.id, now + later):
            _on_record(db, key, decision, {"later": item.id}, now)
        else:
            again = _waits_until(db, item.id, now)
    return say(OVER) if again is None else say("I will come back to it {when}.", when=clock(again, zone, now))


def _waits_until(db: sqlite3.Connection, item_id: int, now: datetime) -> datetime | None:
    """Return until when something waits; None when it does not."""
    waits = next((item for item in mind_queue.unsaid(db, now) if item.id == item_id), None)
    return None if waits is None else waits.not_before or now


def _less(world: World, decision: Decision, key: str) -> str:
    """Lower the weight of the kind and raise the need for space, once per message."""
    found = laws.current(world)
    with world.database.write() as db:
        weight = kinds.get(db, decision.kind).weight
        if not outcomes.learn(db, decision, "disliked", found, world.now):
            return say(KNOWN)
        before = {
            "less": decision.id,
            "kind": decision.kind,
            "weight": weight,
            "outcome": decision.outcome or "answered",
        }
        _on_record(db, key, decision, before, world.now)
    if decision.turn_id is not None:
        needs = signals.find_need_changes(world, decision.turn_id, WANTS_ROOM)
        with world.database.write() as db:
            history.record_user_needs(db, needs, PRESSED, world.now)
    return say(FEWER)


def _on_record(db: sqlite3.Connection, key: str, one: Decision, data: Mapping[str, Any], now: datetime) -> None:
    """Record a press like a skill run, for `/undo`."""
    result = {"ok": True, "text": "", "data": dict(data), "notes": []}
    skill_runs.add(db, key, f"{skill_runs.PRESSED}{one.id}", RUN, {}, result, True, 0.0, now)


def take_back(db: sqlite3.Connection, data: Mapping[str, Any], now: datetime) -> str | None:
    """Undo a press; None when there is nothing left to undo."""
    if "later" in data:
        if mind_queue.let_go(db, int(data["later"]), "dropped"):
            return say("Then I do not come back to it.")
        return None
    if not decisions.judge(db, int(data["less"]), str(data["outcome"]), now):
        return None
    kinds.take_back(db, str(data["kind"]), "disliked", float(data["weight"]), now)
    return say("Then I'll bring such things up as before.")
