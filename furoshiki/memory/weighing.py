"""The one door to the weight of a memory: through the safety ceilings, and written down with what it rests on.

Everything that makes a memory heavier or lighter belongs to a cycle (a turn, a consolidation): ceilings bound what one
cycle may do, and what a cycle did can be taken back. All of it happens in the caller's transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from math import fsum
from typing import Any

from furoshiki.core import stored
from furoshiki.core.database import kv
from furoshiki.core.database.rows import dump, load
from furoshiki.core.timestamps import stamp
from furoshiki.memory.rules import ceilings
from furoshiki.memory.rules.ceilings import Coherence, MemoryStanding, Verdict
from furoshiki.memory.rules.weights import BOUNDARY, NEW, Weight
from furoshiki.memory.store import safety, weights
from furoshiki.memory.store.weights import Change, Weighed
from furoshiki.messages.store import turns
from furoshiki.world import World

VITALS = "weights.vitals"
"""Where the last look at all weights is kept: their entropy, mean and coherence."""

OUTCOMES_COUNT_FOR = timedelta(days=30)
"""What happened longer ago says nothing about how coherent acting is now."""

OUTCOMES_READ = 1_000

WATCHED_FOR = timedelta(days=30)
"""What the owner is shown of the ceilings reaches back this far."""

_ASKED = "asked"
"""Beside the evidence in the log: how much was wanted before the ceilings."""

_ROWS_A_CYCLE = 4
"""One cycle seldom strengthens a memory in one way more often than this."""

_APART = frozenset({"pin", "unpin"})
"""Changes that are the user's own: no cycle takes them back, and they are no movement to be bounded."""


_CONSOLIDATIONS = frozenset({"deep", "light"})
"""What ceiling B bounds. What is said in a turn, or put right by the owner, it does not slow down."""


@dataclass(frozen=True)
class Cycle:
    """One run of whatever moves weights. `stages` are the ceilings that are enforced."""

    id: str
    now: datetime
    stages: frozenset[str]


@dataclass(frozen=True)
class WeightSummary:
    """All weights at one look: entropy in [0, 1], mean centre, and how coherent the whole is."""

    entropy: float
    mean: float
    coherence: Coherence


def cycle(world: World, name: str) -> Cycle:
    """A new cycle of this name, beginning now."""
    stages = world.settings.safety_stages - (set() if name in _CONSOLIDATIONS else {"B"})
    return Cycle(f"{name}:{stamp(world.now)}", world.now, stages)


def reinforce(
    db: sqlite3.Connection,
    cycle: Cycle,
    memory_id: int,
    amount: float,
    operation: str,
    evidence: Mapping[str, Any],
    *,
    in_full: bool = False,
) -> Weight | None:
    """Something speaks for a memory: alpha grows by what the ceilings leave of `amount`.

    `in_full` when it counts once for a memory, so that its returns do not diminish; the other ceilings hold.
    Returns the weight it has now, None when it is gone. Immutable memories stay as they are. ValueError for an amount
    below 0.
    """
    held = _read_weighed(db, memory_id, amount)
    if held is None or held.immutable or amount == 0:
        return None if held is None else held.weight
    vitals = kv.get(db, VITALS) or {}
    standing = MemoryStanding(
        weight=held.weight,
        start=_at_start(db, cycle, held),
        goals=_goals(db, held),
        repeats=_repeats(db, cycle, memory_id, operation, evidence),
        entropy=float(vitals.get("entropy", 1.0)),
        mean=float(vitals.get("mean", 0.0)),
    )
    allowed, verdicts = ceilings.gain(standing, amount, cycle.stages, in_full)
    weight = replace(held.weight, alpha=held.weight.alpha + allowed)
    return _move(db, cycle, held, weight, operation, {**evidence, _ASKED: amount}, verdicts)


def contradict(
    db: sqlite3.Connection, cycle: Cycle, memory_id: int, amount: float, operation: str, evidence: Mapping[str, Any]
) -> Weight | None:
    """Something speaks against a memory: beta grows by what the ceilings leave of `amount`. Answers as `reinforce`."""
    held = _read_weighed(db, memory_id, amount)
    if held is None or held.immutable or amount == 0:
        return None if held is None else held.weight
    standing = MemoryStanding(held.weight, _at_start(db, cycle, held))
    allowed, verdicts = ceilings.loss(standing, amount, cycle.stages)
    weight = replace(held.weight, beta=held.weight.beta + allowed)
    return _move(db, cycle, held, weight, operation, {**evidence, _ASKED: amount}, verdicts)


def bulk_decay(
    db: sqlite3.Connection,
    cycle: Cycle,
    ids: Collection[int],
    amount: float,
    operation: str,
    evidence: Mapping[str, Any],
) -> int:
    """The same speaks against many memories: one row in the log for all of them. Returns how many lost weight.

    A decay over n cycles at once is `amount` = n times the step (nothing else depends on the order). Immutable
    memories are left out; those that a ceiling bounds get less, with a row each. Give it a few thousand ids at a time:
    it runs inside a transaction. ValueError for an amount below 0.
    """
    if amount < 0:
        raise ValueError(f"no weight changes by {amount}")
    movable = [one for one in weights.of_ids(db, sorted(set(ids))) if not one.immutable]
    if amount == 0 or not movable:
        return 0
    moved = _movements(weights.of_cycle(db, cycle.id))
    whole: list[int] = []
    bounded: list[tuple[Weighed, float]] = []
    first: Verdict | None = None
    over = 0
    for one in movable:
        standing = MemoryStanding(one.weight, _back(one.weight, moved.get(one.id, (0.0, 0.0))))
        allowed, verdicts = ceilings.loss(standing, amount, cycle.stages)
        if verdicts:
            first, over = first or verdicts[0], over + 1
        if allowed < amount:
            bounded.append((one, allowed))
        else:
            whole.append(one.id)
    if first is not None:
        safety.record(db, cycle.now, first, None, {"cycle": cycle.id, "operation": operation, "memories": over})
    if whole:
        weights.add_to_betas(db, whole, amount)
        weights.log_many(db, cycle.id, cycle.now, operation, whole, amount, evidence)
    for one, allowed in bounded:
        weight = replace(one.weight, beta=one.weight.beta + allowed)
        _move(db, cycle, one, weight, operation, {**evidence, _ASKED: amount})
    return len(whole) + sum(allowed > 0 for _one, allowed in bounded)


def undo(
    db: sqlite3.Connection, cycle: Cycle, operation: str | None = None, memory_ids: Collection[int] | None = None
) -> int:
    """Take back what a cycle did (in one operation, to some memories); returns how many memories moved.

    What others changed meanwhile stays. Done twice it changes nothing more, and it is in the log itself.
    """
    names = None if operation is None else {operation, f"undo {operation}"}
    rows = [row for row in weights.of_cycle(db, cycle.id) if names is None or row.operation in names]
    moved = _movements(rows, memory_ids)
    count = 0
    for held in weights.of_ids(db, sorted(moved)):
        alpha, beta = moved[held.id]
        if held.immutable or abs(alpha) + abs(beta) < 1e-12:
            continue
        back = _back(held.weight, (alpha, beta))
        if "A" in cycle.stages:
            back = ceilings.cap_weight(back)
        weights.put(db, held.id, back)
        what = "undo" if operation is None else f"undo {operation}"
        weights.log(db, cycle.id, cycle.now, what, held.id, held.weight, back, {"cycle": cycle.id})
        count += 1
    return count


def pin(db: sqlite3.Connection, cycle: Cycle, memory_id: int) -> Weight | None:
    """Make a memory an immutable boundary, Beta(50, 1); None when it is gone."""
    held = weights.of(db, memory_id)
    if held is None or held.immutable:
        return None if held is None else held.weight
    weights.fix(db, memory_id, True)
    weights.put(db, memory_id, BOUNDARY)
    weights.log(db, cycle.id, cycle.now, "pin", memory_id, held.weight, BOUNDARY, {})
    return BOUNDARY


def unpin(db: sqlite3.Connection, cycle: Cycle, memory_id: int) -> Weight | None:
    """Let an immutable memory move again, with the weight it had before it was pinned (or a new memory's)."""
    held = weights.of(db, memory_id)
    if held is None or not held.immutable:
        return None if held is None else held.weight
    pinned = weights.latest(db, memory_id, "pin")
    weight = NEW if pinned is None or pinned.before is None else pinned.before
    weights.fix(db, memory_id, False)
    weights.put(db, memory_id, weight)
    weights.log(db, cycle.id, cycle.now, "unpin", memory_id, held.weight, weight, {})
    return weight


def guard_parameter(
    db: sqlite3.Connection,
    cycle: Cycle,
    name: str,
    before: object,
    after: object,
    gains: Sequence[float],
    parameters: int = 1,
    outcomes: int | None = None,
) -> bool:
    """Whether a parameter may change: the two gates of ceiling B, before any change.

    `gains` are the differences (new minus old) in score of held-out outcomes, in [-1, 1]; `parameters` is how many
    numbers are free to move together, on so many `outcomes` (the `gains`, when None). `before` and `after` (anything
    JSON can hold) are only written down. A change that may be made is logged; one that a gate is against is a safety
    event, and may still be made while stage B is not enforced.
    """
    found = ceilings.gates(gains, parameters, outcomes)
    count = len(gains) if outcomes is None else outcomes
    told = {"parameter": name, "before": before, "after": after, "better": found.better, "outcomes": count}
    enforced = "B" in cycle.stages
    if not found.validated:
        verdict = Verdict("B", "validation_margin", ceilings.VALIDATION_MARGIN, found.better, enforced)
        safety.record(db, cycle.now, verdict, None, {"cycle": cycle.id, **told})
    if not found.within_capacity:
        most = float(count // ceilings.OUTCOMES_A_PARAMETER)
        verdict = Verdict("B", "capacity_cap", float(parameters), most, enforced)
        safety.record(db, cycle.now, verdict, None, {"cycle": cycle.id, **told})
    if enforced and not found.passed:
        return False
    weights.log(db, cycle.id, cycle.now, "parameter", None, None, None, told)
    return True


def coherence(db: sqlite3.Connection, now: datetime) -> Coherence:
    """How coherent the whole is, from the database as it is (see `memory.rules.ceilings.coherence`)."""
    felt = turns.read_felt_since(db, now - OUTCOMES_COUNT_FOR, OUTCOMES_READ)
    good, bad = ceilings.outcomes(signals for _, signals in felt)
    values, tensions = safety.values_and_tensions(db)
    return ceilings.coherence(*safety.sum_centres(db), good, bad, values, tensions)


def undo_if_worse(
    db: sqlite3.Connection,
    cycle: Cycle,
    before: Coherence,
    operation: str | None = None,
    memory_ids: Collection[int] | None = None,
) -> bool:
    """Whether coherence fell since `before`; then what this cycle did (as in `undo`) has been taken back."""
    after = coherence(db, cycle.now)
    if not after.worse_than(before):
        return False
    undo(db, cycle, operation, memory_ids)
    verdict = Verdict("C", "coherence", before.score, after.score, True)
    only = next(iter(memory_ids)) if memory_ids is not None and len(memory_ids) == 1 else None
    axes = {"cycle": cycle.id, "operation": operation, "before": asdict(before), "after": asdict(after)}
    safety.record(db, cycle.now, verdict, only, axes)
    return True


def monitor(db: sqlite3.Connection, cycle: Cycle) -> WeightSummary:
    """Look at all weights, once at the end of a cycle, and keep what was seen for the ceilings of the next.

    Weights that have collapsed onto few memories, and a coherence that fell since the last look, are safety events.
    """
    found = weights.centres(db)
    mean = fsum(found) / len(found) if found else 0.0
    spread = ceilings.entropy(found) if len(found) >= ceilings.LEAST_MEMORIES else 1.0
    vitals = WeightSummary(spread, mean, coherence(db, cycle.now))
    enforced = "C" in cycle.stages
    if spread < ceilings.LEAST_ENTROPY:
        verdict = Verdict("C", "entropy", spread, ceilings.LEAST_ENTROPY, enforced)
        safety.record(db, cycle.now, verdict, None, {"cycle": cycle.id, "memories": len(found), "mean": mean})
    last = kv.get(db, VITALS)
    if last is not None and vitals.coherence.worse_than(stored.build(Coherence, last["coherence"])):
        verdict = Verdict("C", "coherence", float(last["score"]), vitals.coherence.score, enforced)
        axes = {"before": last["coherence"], "after": asdict(vitals.coherence)}
        safety.record(db, cycle.now, verdict, None, {"cycle": cycle.id, **axes})
    seen = {
        "entropy": spread,
        "mean": mean,
        "coherence": asdict(vitals.coherence),
        "score": vitals.coherence.score,
        "cycle": cycle.id,
    }
    kv.put(db, VITALS, seen, cycle.now)
    return vitals


def count_held_back(db: sqlite3.Connection, now: datetime) -> dict[str, int]:
    """Count how often each ceiling held something back recently, or would have."""
    return {
        f"{stage} {ceiling}, {'held back' if enforced else 'would have'}": times
        for (stage, ceiling, enforced), times in sorted(safety.counts(db, now - WATCHED_FOR).items())
    }


def _read_weighed(db: sqlite3.Connection, memory_id: int, amount: float) -> Weighed | None:
    if amount < 0:
        raise ValueError(f"no weight changes by {amount}")
    return weights.of(db, memory_id)


def _move(
    db: sqlite3.Connection,
    cycle: Cycle,
    held: Weighed,
    weight: Weight,
    operation: str,
    evidence: Mapping[str, Any],
    verdicts: Sequence[Verdict] = (),
) -> Weight:
    for verdict in verdicts:
        if verdict.ceiling == "diminishing_returns" and verdict.enforced:
            continue  # it bounds every gain, and the log has both what was asked and what came of it
        safety.record(db, cycle.now, verdict, held.id, {"cycle": cycle.id, "operation": operation})
    if weight == held.weight:
        return weight
    weights.put(db, held.id, weight)
    weights.log(db, cycle.id, cycle.now, operation, held.id, held.weight, weight, evidence)
    return weight


def _at_start(db: sqlite3.Connection, cycle: Cycle, held: Weighed) -> Weight:
    """The weight a memory had when the cycle began."""
    moved = _movements(weights.of_cycle_and_memory(db, cycle.id, held.id), [held.id])
    return _back(held.weight, moved.get(held.id, (0.0, 0.0)))


def _back(weight: Weight, moved: tuple[float, float]) -> Weight:
    """The weight without a movement; never below what a new memory has, as far as it has that."""
    return Weight(
        max(weight.alpha - moved[0], min(weight.alpha, NEW.alpha)),
        max(weight.beta - moved[1], min(weight.beta, NEW.beta)),
    )


def _movements(rows: Sequence[Change], memory_ids: Collection[int] | None = None) -> dict[int, tuple[float, float]]:
    """What these changes added to alpha and beta, by memory."""
    found: dict[int, tuple[float, float]] = {}
    for row in rows:
        if row.operation in _APART:
            continue
        for memory_id in memory_ids if memory_ids is not None else row.ids():
            alpha, beta = row.moved(memory_id)
            if alpha or beta:
                before = found.get(memory_id, (0.0, 0.0))
                found[memory_id] = before[0] + alpha, before[1] + beta
    return found


def _goals(db: sqlite3.Connection, held: Weighed) -> tuple[int, float] | None:
    if not held.goal:
        return None
    others, weight = weights.other_goals(db, held.id)
    return others + 1, weight


def _repeats(db: sqlite3.Connection, cycle: Cycle, memory_id: int, operation: str, evidence: Mapping[str, Any]) -> int:
    """How many of the latest cycles strengthened a memory in this way on exactly this evidence."""
    wanted = ceilings.SAME_PATTERN_CYCLES
    told = load(dump(dict(evidence)))
    same: set[str] = set()
    for change in weights.gains(db, memory_id, operation, cycle.id, wanted * _ROWS_A_CYCLE):
        if {name: value for name, value in change.evidence.items() if name != _ASKED} != told:
            break
        same.add(change.cycle)
    return min(len(same), wanted)
