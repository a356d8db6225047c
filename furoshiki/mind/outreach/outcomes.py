"""Judge how unprompted messages were received, and weight their kinds: ignored kinds get rarer.

The owner is not asked. A reply within two hours is an answer; a reaction shows approval or dislike;
the button "Less of this" shows dislike. Later evidence corrects the first judgement.
"""

import sqlite3
from collections.abc import Mapping
from datetime import datetime

from furoshiki.core.process.crash_points import point
from furoshiki.messages.store import inbox, outbox, turns
from furoshiki.mind.outreach.rules.laws import OutreachLaws, WeightLaws
from furoshiki.mind.outreach.store import decisions, kinds
from furoshiki.mind.outreach.store.decisions import Decision
from furoshiki.world import World


def judge(world: World, laws: OutreachLaws) -> int:
    """Judge all messages that can be judged now; return their number."""
    now = world.now
    with world.database.read() as db:
        found = [(decision, _outcome(db, decision, now, laws)) for decision in decisions.list_unjudged(db)]
    judged = [(one, outcome) for one, outcome in found if outcome is not None]
    if not judged:
        return 0
    with world.database.write() as db:
        for decision, outcome in judged:
            learn(db, decision, outcome, laws, now)
    point("outreach.judged")
    return len(judged)


def learn(db: sqlite3.Connection, decision: Decision, outcome: str, laws: OutreachLaws, now: datetime) -> bool:
    """Store an outcome and adjust its kind's weight; return False when already stored."""
    if not decisions.judge(db, decision.id, outcome, now):
        return False
    weight = weight_after(kinds.get(db, decision.kind).weight, outcome, laws.weights)
    kinds.learn(db, decision.kind, outcome, weight, now)
    return True


def _outcome(db: sqlite3.Connection, decision: Decision, now: datetime, laws: OutreachLaws) -> str | None:
    """Return the outcome of a message; None while it is too early."""
    shown = turns.reaction_to(db, decision.turn_id) if decision.turn_id is not None else None
    if shown is not None:
        return outcome_of_reaction(shown)
    arrived = _find_arrival(db, decision)
    if arrived is None:
        return None
    answers = (turns.first_heard(db, decision.at), _find_press(db, decision))
    if any(at is not None and at - arrived <= laws.answered_within for at in answers):
        return "answered"
    return "ignored" if now - arrived > laws.answered_within else None


def _find_arrival(db: sqlite3.Connection, decision: Decision) -> datetime | None:
    """Return when the last part of a message was delivered; None if not: it cannot be ignored."""
    turn = turns.get(db, decision.turn_id)
    if turn is None or turn.turn_key is None:
        return decision.at
    return outbox.find_delivery_time(db, turn.turn_key, decision.at)


def _find_press(db: sqlite3.Connection, decision: Decision) -> datetime | None:
    """Return when a button was pressed after the message."""
    turn = turns.get(db, decision.turn_id)
    at = None if turn is None else inbox.find_last_press(db, turn.channel, turn.chat_id)
    return at if at is not None and at > decision.at else None


# -- how welcome each kind is, within bounds --


# the signals that mark a reaction as disliked or welcomed, if they are the strongest
DISLIKED, WELCOMED = ("anger", "frustration", "disengagement"), ("praise", "warmth", "excitement", "relief")


def outcome_of_reaction(strengths: Mapping[str, float]) -> str:
    """Return the outcome of a reaction; "answered" when it shows neither approval nor dislike."""
    strongest = max(strengths, key=strengths.__getitem__, default="")
    if strongest in DISLIKED:
        return "disliked"
    return "welcomed" if strongest in WELCOMED else "answered"


def weight_after(weight: float, outcome: str, laws: WeightLaws) -> float:
    """Return a kind's weight (initially 1) after an outcome. Raises KeyError if unknown."""
    return min(laws.most, max(laws.least, weight * laws.factors[outcome]))
