"""How what was said unasked was received, and what its kind is worth by that: ignored kinds get rarer.

Nobody is asked. An answer within two hours is one to the message; a reaction says whether it was welcome; the button
"Less of this" says the contrary. What comes to light later puts a first judgement right.
"""

import sqlite3
from datetime import datetime

from furoshiki.core.process.crash_points import point
from furoshiki.messages.store import inbox, outbox, turns
from furoshiki.mind.outreach.rules import weights
from furoshiki.mind.outreach.rules.laws import OutreachLaws
from furoshiki.mind.outreach.store import decisions, kinds
from furoshiki.mind.outreach.store.decisions import Decision
from furoshiki.world import World


def judge(world: World, laws: OutreachLaws) -> int:
    """Judge what can be judged by now; returns how many messages that was."""
    now = world.now
    with world.database.read() as db:
        found = [(one, _outcome(db, one, now, laws)) for one in decisions.list_unjudged(db)]
    judged = [(one, outcome) for one, outcome in found if outcome is not None]
    if not judged:
        return 0
    with world.database.write() as db:
        for one, outcome in judged:
            learn(db, one, outcome, laws, now)
    point("outreach.judged")
    return len(judged)


def learn(db: sqlite3.Connection, one: Decision, outcome: str, laws: OutreachLaws, now: datetime) -> bool:
    """Keep how a message was received and let its kind weigh more or less; False when that was known."""
    if not decisions.judge(db, one.id, outcome, now):
        return False
    weight = weights.after(kinds.get(db, one.kind).weight, outcome, laws.weights)
    kinds.learn(db, one.kind, outcome, weight, now)
    return True


def _outcome(db: sqlite3.Connection, one: Decision, now: datetime, laws: OutreachLaws) -> str | None:
    """What became of a message; None while it is too early to tell."""
    shown = turns.reaction_to(db, one.turn_id) if one.turn_id is not None else None
    if shown is not None:
        return weights.of_reaction(shown)
    arrived = _find_arrival(db, one)
    if arrived is None:
        return None
    answers = (turns.first_heard(db, one.at), _find_press(db, one))
    if any(at is not None and at - arrived <= laws.answered_within for at in answers):
        return "answered"
    return "ignored" if now - arrived > laws.answered_within else None


def _find_arrival(db: sqlite3.Connection, one: Decision) -> datetime | None:
    """When the last part of a message reached its chat; None for one that did not: nobody ignores what never came."""
    turn = None if one.turn_id is None else turns.get(db, one.turn_id)
    if turn is None or turn.turn_key is None:
        return one.at
    return outbox.find_delivery_time(db, turn.turn_key, one.at)


def _find_press(db: sqlite3.Connection, one: Decision) -> datetime | None:
    """When a button was pressed after it was said."""
    turn = None if one.turn_id is None else turns.get(db, one.turn_id)
    at = None if turn is None else inbox.find_last_press(db, turn.channel, turn.chat_id)
    return at if at is not None and at > one.at else None
