"""Promote memories that stay useful over weeks; near-certain ones need the owner's consent.

A use is an answer based on the memory, or a repetition by the user; one per day counts, being shown
does not. Each threshold counts once per memory, in full: long-term evidence is not reduced like
frequent evidence (ADR 0019). It is paid over nights, a tenth of the weight each (ceiling B), while
the memory stays more useful than others (ADR 0056). Each payment passes two gates and is undone if
the overall coherence drops.
"""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import parse
from furoshiki.language.facts.retelling import address_user
from furoshiki.language.tokens import cut
from furoshiki.memory import correction, weighing
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.store import retrievals
from furoshiki.memory.store.retrievals import Usefulness
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.mind.consolidation.store.consolidation import CalledFor
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World

ASK_ABOVE = 0.85  # the highest centre that a memory may reach without the owner's consent
TRUSTED = 3  # the trust level (`FUROSHIKI_TRUST_LEVEL`) from which no consent is needed

APPROVED = "promotion.approved:"

MOST_AT_ONCE = 50  # promotion payments in one run: each measures the coherence of all memories

# the period over which the share of used retrievals of all memories is measured
COMPARED_OVER = timedelta(days=30)

OFTEN_ENOUGH = 0.5  # the upper bound of that share when a memory is compared with it
WORDS_ASKED = 60  # maximum tokens of a memory quoted in a question
KIND = "delegation"  # the kind of a question in the mind queue that needs the owner's decision
ASKED_APART = timedelta(days=1)  # minimum time between two questions about memories


@dataclass(frozen=True)
class Threshold:
    """A memory used on `times` days within `days` days gains `amount` alpha; `operation` is the log
    name."""

    operation: str
    times: int
    days: float
    amount: float


THRESHOLDS = (Threshold("promotion", 5, 14.0, 2.0), Threshold("second promotion", 10, 30.0, 5.0))

Outcome = Literal["promoted", "asked", "held_back", "rolled_back"]


@dataclass(frozen=True)
class _Ripe:
    """A memory due for promotion and its evidence. `said` counts the days of repetitions."""

    threshold: Threshold
    memory: CalledFor
    times: int
    use: Usefulness
    said: int

    def gains(self, centre_step: float, usual: float) -> list[float]:
        """Return the evidence of each use: positive if used more than usual, else negative."""
        used, unused = self.use.used + self.said, self.use.shown - self.use.used
        return [centre_step * (1 - usual)] * used + [-centre_step * usual] * unused


def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Pay due promotions. Returns how many were promoted, asked, held back, rolled back."""
    counts: dict[str, int] = {"promoted": 0, "asked": 0, "held_back": 0, "rolled_back": 0}
    with world.database.read() as db:
        ripe = _ripe(db, cycle)
        shown, used = retrievals.count_usage(db, cycle.now - COMPARED_OVER)
    usual = min(used / shown, OFTEN_ENOUGH) if shown else 0.0
    outcomes = max(shown, sum(one.use.shown + one.said for one in ripe))
    for candidate in ripe[:MOST_AT_ONCE]:
        with world.database.write() as db:
            counts[_promote(db, world, cycle, candidate, usual, (len(ripe), outcomes))] += 1
        point("promotion.done")
    return counts


def _ripe(db: sqlite3.Connection, cycle: Cycle) -> list[_Ripe]:
    """Return memories due for promotion, by id; for two thresholds, the first."""
    ripe_of: dict[int, _Ripe] = {}
    for threshold in THRESHOLDS:
        since = cycle.now - timedelta(days=threshold.days)
        for candidate in consolidation.read_called_for(
            db, cycle.id, threshold.times, since, threshold.operation, threshold.amount
        ):
            use = retrievals.usefulness(db, refs.name("memory", candidate.id))
            days_said = consolidation.days_said_again(db, candidate.id)
            days = sorted({*use.days, *days_said})
            over = timedelta() if not days else parse(f"{days[-1]}T23:59:59+00:00") - candidate.created_at
            if len(days) >= threshold.times and over >= timedelta(days=threshold.days):
                ripe_of.setdefault(candidate.id, _Ripe(threshold, candidate, len(days), use, len(days_said)))
    return [ripe_of[memory_id] for memory_id in sorted(ripe_of)]


def approve(world: World, memory_id: int) -> Memory:
    """Record the owner's consent to exceed `ASK_ABOVE`; the next consolidation promotes the memory.

    Raises NoSuchMemory.
    """
    with world.database.write() as db:
        memory = correction.current(db, memory_id)
        kv.put(db, f"{APPROVED}{memory_id}", True, world.now)
        mind_queue.mark_answered(db, _question(memory_id))
    return memory


def decline(db: sqlite3.Connection, memory_id: int) -> None:
    """Record the owner's refusal: the memory stays below `ASK_ABOVE` without more questions."""
    mind_queue.mark_answered(db, _question(memory_id))


def _promote(
    db: sqlite3.Connection, world: World, cycle: Cycle, ripe: _Ripe, usual: float, capacity: tuple[int, int]
) -> Outcome:
    memory, operation = ripe.memory, ripe.threshold.operation
    trusted = world.settings.furoshiki_trust_level >= TRUSTED
    weight = Weight(memory.alpha, memory.beta)
    then = Weight(memory.alpha + memory.owed, memory.beta)
    if then.centre > ASK_ABOVE and not (trusted or _is_approved(db, memory.id)):
        _ask(db, world, memory, cycle.now)
        return "asked"
    whole = Weight(memory.alpha + ripe.threshold.amount, memory.beta)  # the last payment is judged like the whole
    gains = ripe.gains(whole.centre - weight.centre, usual)
    name = f"{operation}:{memory.id}"
    if not weighing.guard_parameter(db, cycle, name, weight.centre, then.centre, gains, *capacity):
        return "held_back"
    before = weighing.coherence(db, cycle.now)
    evidence = {"days": ripe.times, "used": ripe.use.used, "shown": ripe.use.shown, "said again": ripe.said}
    now = weighing.reinforce(db, cycle, memory.id, memory.owed, operation, evidence, in_full=True)
    if weighing.undo_if_worse(db, cycle, before, operation, [memory.id]):
        return "rolled_back"
    return "held_back" if now is None or now.alpha <= memory.alpha else "promoted"


def _ask(db: sqlite3.Connection, world: World, candidate: CalledFor, now: datetime) -> None:
    """Queue the question once; if too many wait already, leave it to another night."""
    laws = world.laws.queue
    if mind_queue.count_by_kind(db).get(KIND, 0) >= laws.most[KIND]:
        return
    what = cut(" ".join(candidate.content.split()), WORDS_ASKED)
    mind_queue.add(
        db,
        KIND,
        f"May I count on this for good: “{what}”?",
        _question(candidate.id),
        now,
        priority=laws.priority[KIND],
        detail=address_user(what).rstrip("."),
        source=refs.name("memories", candidate.id),
        not_before=mind_queue.apart(db, mind_queue.PROMOTION, ASKED_APART, now),
        by_key_alone=True,
    )


def _question(memory_id: int) -> str:
    return f"{mind_queue.PROMOTION}{memory_id}"


def _is_approved(db: sqlite3.Connection, memory_id: int) -> bool:
    return bool(kv.get(db, f"{APPROVED}{memory_id}", False))
