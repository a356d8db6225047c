"""Learn the weights of the parts of relevance from which injected memories proved useful."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.timestamps import stamp
from furoshiki.memory import weighing
from furoshiki.memory.rules import relevance
from furoshiki.memory.rules.ceilings import OUTCOMES_A_PARAMETER
from furoshiki.memory.rules.relevance import Outcome, Relevance
from furoshiki.memory.store import memories
from furoshiki.memory.weighing import Cycle

TILTS = "relevance.tilts"
"""The `kv` key of the learned tilt of each part (a logarithm)."""

ENOUGH = 2 * OUTCOMES_A_PARAMETER * (len(relevance.COMPONENTS) - 1)
"""Outcomes needed to learn: half are held out, and the random part learns nothing."""


def relevance_of(db: sqlite3.Connection) -> Relevance:
    """Return the current weights, from the number of memories and the learned tilts."""
    return relevance.relevance(memories.count_to(db, relevance.MATURE_AT), kv.get(db, TILTS))


def learn(db: sqlite3.Connection, now: datetime, outcomes: Sequence[Outcome], cycle: Cycle | None = None) -> bool:
    """Learn from a batch of outcomes; return whether anything changed.

    Even-numbered outcomes train, the others validate: a change must pass both gates of the safety
    ceilings (`weighing.guard_parameter`, in `cycle`'s stages; without a cycle they only report).
    """
    before = dict(kv.get(db, TILTS) or {})
    after = relevance.learnt(before, outcomes[::2])
    if all(abs(after[name] - before.get(name, 0.0)) < 1e-6 for name in after):
        return False
    count = memories.count(db)
    old, new = (relevance.relevance(count, tilts).mean for tilts in (before, after))
    held_out = outcomes[1::2]
    gains = relevance.improvements(old, new, held_out)
    here = cycle or Cycle(f"relevance:{stamp(now)}", now, frozenset())
    if not weighing.guard_parameter(db, here, TILTS, before, after, gains, len(after), len(held_out)):
        return False
    kv.put(db, TILTS, after, now)
    return True
