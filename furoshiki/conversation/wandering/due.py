"""Check whether to wander. Imports only the standard library and stores; queries are indexed."""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.conversation.wandering.rules import energy
from furoshiki.conversation.wandering.store import wanderings
from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse
from furoshiki.messages.store import inbox, turns
from furoshiki.mind.inner_life import due as inner_life
from furoshiki.mind.inner_life.store import wandered
from furoshiki.models.llm.store import costs, waits
from furoshiki.owner.agenda.store import focus_sessions, operations

PURPOSE = "inner_monologue.wandering"  # the purpose of the model call

# the `kv` key of the time until which no check is made (switched off, no model, no seeds)
RESTS_UNTIL = "wandering.rests_until"

A_DAY = timedelta(hours=24)
RECENT = timedelta(days=7)  # without a message for this long, there is nothing to wander from
THOUGHTS = 6  # thoughts per 24 hours
AFTER_A_WORD = 3  # maximum number of thoughts after one conversation
IN_SILENCE = 1  # thoughts per 24 hours after a silent day, together with contemplation's

# model calls within 24 hours after which a silent day allows no wandering: six are the total
CALLS_IN_SILENCE = 5

LOOKS = 12  # attempts per 24 hours, including those without a thought


def wander(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report idleness: nothing waits, no recent message, and limits and energy are not used up."""
    rests = kv.get(db, RESTS_UNTIL)
    if rests is not None and now < parse(rests):
        return None
    heard = turns.newest_heard(db)
    if heard is None or now - heard[1] > RECENT or now - heard[1] < energy.gap(heard[1]):
        return None
    lately = wanderings.since(db, now - A_DAY)
    if lately and now - lately[-1].at < energy.gap(lately[-1].at):
        return None
    if len(lately) >= LOOKS or energy.is_tired(((wandering.at, wandering.energy) for wandering in lately), now):
        return None
    if not _thoughts_left(db, heard[1], now) or waits.of(db, PURPOSE, now) is not None:
        return None
    if inbox.waits(db) or operations.active(db) or focus_sessions.current(db, now) is not None:
        return None
    return "nothing is to be done, and nobody speaks"


def _thoughts_left(db: sqlite3.Connection, heard: datetime, now: datetime) -> bool:
    asked = wandered.count_since(db, now - A_DAY)
    if turns.silent(db, now):
        if costs.calls_since(db, now - A_DAY) >= CALLS_IN_SILENCE:
            return False
        return asked < IN_SILENCE and inner_life.thoughts_left(db, now) > 0
    return asked < THOUGHTS and wandered.count_since(db, heard) < AFTER_A_WORD
