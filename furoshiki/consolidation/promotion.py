"""What was needed again and again over weeks is held more firmly; what would be all but certain, the owner decides.

Each threshold counts once for a memory, and in full: what was earned over weeks is not thinned out like what comes with
every use (ADR 0019). A promotion passes the two gates of the safety ceilings, and is taken back when the whole has
become less coherent by it.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from furoshiki.agenda.store import mind_queue
from furoshiki.consolidation.store import consolidation
from furoshiki.consolidation.store.consolidation import OftenNeeded
from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.language.facts.retelling import addressed
from furoshiki.language.tokens import cut
from furoshiki.memory import correction, weighing
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.store import retrievals
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.world import World

ASK_ABOVE = 0.85
"""No memory comes to a centre above this without the owner's yes …"""

TRUSTED = 3
"""… unless the owner trusts the companion this far (`FUROSHIKI_TRUST_LEVEL`)."""

APPROVED = "promotion.approved:"

MOST_AT_ONCE = 50
"""Promotions of one threshold in one run: each looks at the coherence of everything."""

WORDS_ASKED = 60
"""Tokens of a memory that a question about it repeats."""

KIND = "delegation"
"""Of what waits for the owner's yes in the mind queue."""

ASKED_APART = timedelta(days=1)
"""The owner is asked about one memory in so long."""


@dataclass(frozen=True)
class Threshold:
    """Needed `times` times over `days` days: alpha grows by `amount`. `operation` is its name in the log."""

    operation: str
    times: int
    days: float
    amount: float


THRESHOLDS = (Threshold("promotion", 5, 14.0, 2.0), Threshold("second promotion", 10, 30.0, 5.0))

Outcome = Literal["promoted", "asked", "held_back", "rolled_back"]


def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Promote what is ripe. Returns how many were promoted, wait for a yes, were held back and were rolled back."""
    counts: dict[str, int] = {"promoted": 0, "asked": 0, "held_back": 0, "rolled_back": 0}
    for threshold in THRESHOLDS:
        after = 0
        for _ in range(MOST_AT_ONCE):
            with world.database.write() as db:
                found = consolidation.ripe(db, threshold.times, threshold.days, threshold.operation, after, 1)
                for one in found:
                    counts[_promote(db, world, cycle, threshold, one)] += 1
            if not found:
                break
            after = found[-1].id
            point("promotion.done")
    return counts


def approve(world: World, memory_id: int) -> Memory:
    """The owner says that this memory may be held above `ASK_ABOVE`; the next consolidation does it.

    Raises NoSuchMemory.
    """
    with world.database.write() as db:
        held = correction.current(db, memory_id)
        kv.put(db, f"{APPROVED}{memory_id}", True, world.now)
        mind_queue.answered(db, _question(memory_id))
    return held


def decline(db: sqlite3.Connection, memory_id: int) -> None:
    """The owner says no: it stays below `ASK_ABOVE`, and is not asked again."""
    mind_queue.answered(db, _question(memory_id))


def _promote(db: sqlite3.Connection, world: World, cycle: Cycle, threshold: Threshold, one: OftenNeeded) -> Outcome:
    trusted = world.settings.furoshiki_trust_level >= TRUSTED
    weight = Weight(one.alpha, one.beta)
    then = Weight(one.alpha + threshold.amount, one.beta)
    if then.centre > ASK_ABOVE and not (trusted or _approved(db, one.id)):
        _ask(db, world, one, cycle.now)
        return "asked"
    injected, used = retrievals.use_of(db, refs.name("memory", one.id))
    step = then.centre - weight.centre
    gains = [step] * used + [-step] * (injected - used)
    name = f"{threshold.operation}:{one.id}"
    if not weighing.guard_parameter(db, cycle, name, weight.centre, then.centre, gains):
        return "held_back"
    before = weighing.coherence(db, cycle.now)
    evidence = {"times": one.times, "days": round(one.days, 1), "used": used, "injected": injected}
    weighing.reinforce(db, cycle, one.id, threshold.amount, threshold.operation, evidence, in_full=True)
    if weighing.rolled_back(db, cycle, before, threshold.operation, [one.id]):
        return "rolled_back"
    return "promoted"


def _ask(db: sqlite3.Connection, world: World, one: OftenNeeded, now: datetime) -> None:
    """Put the question where it waits for the owner, once; when too much waits for them already, another night will."""
    laws = world.laws.queue
    if mind_queue.pending_by_kind(db).get(KIND, 0) >= laws.most[KIND]:
        return
    what = cut(" ".join(one.content.split()), WORDS_ASKED)
    mind_queue.add(
        db,
        KIND,
        f"May I count on this for good: “{what}”?",
        _question(one.id),
        now,
        priority=laws.priority[KIND],
        detail=addressed(what).rstrip("."),
        source=refs.name("memories", one.id),
        not_before=mind_queue.apart(db, mind_queue.PROMOTION, ASKED_APART, now),
        by_key_alone=True,
    )


def _question(memory_id: int) -> str:
    return f"{mind_queue.PROMOTION}{memory_id}"


def _approved(db: sqlite3.Connection, memory_id: int) -> bool:
    return bool(kv.get(db, f"{APPROVED}{memory_id}", False))
