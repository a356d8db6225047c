"""The only module that changes weights of memories: through the safety ceilings, with a log entry.

Every change belongs to a cycle (a turn, a consolidation): ceilings bound the changes of one cycle,
and they can be undone. All of it happens in the caller's transaction.
"""

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from math import fsum
from typing import Any

from furoshiki.core import json_values
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

VITALS = "weights.vitals"  # the `kv` key of the last monitoring result: entropy, mean and coherence

# the age up to which outcomes count for the coherence of actions
OUTCOMES_COUNT_FOR = timedelta(days=30)

OUTCOMES_READ = 1_000

WATCHED_FOR = timedelta(days=30)  # the period for which the owner is shown events of the ceilings

_ASKED = "asked"  # the evidence key of the amount wanted before the ceilings
_ROWS_A_CYCLE = 4  # the usual maximum of gains of one memory by one operation in a cycle

# the user's own changes: not undone with a cycle, and not bounded
_APART = frozenset({"pin", "unpin"})


# Cycles that ceiling B bounds. Turns and the owner's corrections are not slowed down.
_CONSOLIDATIONS = frozenset({"deep", "light"})


@dataclass(frozen=True)
class Cycle:
    """A run that changes weights. `stages` are the ceilings that are enforced."""

    id: str
    now: datetime
    stages: frozenset[str]


@dataclass(frozen=True)
class WeightSummary:
    """A summary of all weights: entropy in [0, 1], mean centre, and coherence."""

    entropy: float
    mean: float
    coherence: Coherence


def cycle(world: World, name: str) -> Cycle:
    """Begin a new cycle with this name."""
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
    """Increase alpha of a memory by what the ceilings allow of `amount`.

    `in_full`: the evidence counts only once, so its returns do not diminish; the other ceilings
    hold. Returns the new weight, None if the memory is deleted. Immutable memories do not change.
    Raises ValueError for a negative amount.
    """
    memory = _read_weighed(db, memory_id, amount)
    if memory is None or memory.immutable or amount == 0:
        return None if memory is None else memory.weight
    vitals = kv.get(db, VITALS) or {}
    standing = MemoryStanding(
        weight=memory.weight,
        start=_at_start(db, cycle, memory),
        goals=_goals(db, memory),
        repeats=_repeats(db, cycle, memory_id, operation, evidence),
        entropy=float(vitals.get("entropy", 1.0)),
        mean=float(vitals.get("mean", 0.0)),
    )
    allowed, verdicts = ceilings.gain(standing, amount, cycle.stages, in_full)
    weight = replace(memory.weight, alpha=memory.weight.alpha + allowed)
    return _move(db, cycle, memory, weight, operation, {**evidence, _ASKED: amount}, verdicts)


def contradict(
    db: sqlite3.Connection, cycle: Cycle, memory_id: int, amount: float, operation: str, evidence: Mapping[str, Any]
) -> Weight | None:
    """Increase beta by what the ceilings allow of `amount`. Returns and raises as `reinforce`."""
    memory = _read_weighed(db, memory_id, amount)
    if memory is None or memory.immutable or amount == 0:
        return None if memory is None else memory.weight
    standing = MemoryStanding(memory.weight, _at_start(db, cycle, memory))
    allowed, verdicts = ceilings.loss(standing, amount, cycle.stages)
    weight = replace(memory.weight, beta=memory.weight.beta + allowed)
    return _move(db, cycle, memory, weight, operation, {**evidence, _ASKED: amount}, verdicts)


def bulk_decay(
    db: sqlite3.Connection,
    cycle: Cycle,
    ids: Collection[int],
    amount: float,
    operation: str,
    evidence: Mapping[str, Any],
) -> int:
    """Increase beta of many memories with one row in the log; return how many lost weight.

    For a decay over n cycles at once `amount` is n times the step. Immutable memories are left out;
    those that a ceiling bounds get less, with a row each. Pass a few thousand ids at a time, as it
    runs inside a transaction. Raises ValueError for a negative amount.
    """
    if amount < 0:
        raise ValueError(f"no weight changes by {amount}")
    movable = [memory for memory in weights.of_ids(db, sorted(set(ids))) if not memory.immutable]
    if amount == 0 or not movable:
        return 0
    moved = _movements(weights.of_cycle(db, cycle.id))
    whole: list[int] = []
    bounded: list[tuple[Weighed, float]] = []
    first: Verdict | None = None
    over = 0
    for memory in movable:
        standing = MemoryStanding(memory.weight, _back(memory.weight, moved.get(memory.id, (0.0, 0.0))))
        allowed, verdicts = ceilings.loss(standing, amount, cycle.stages)
        if verdicts:
            first, over = first or verdicts[0], over + 1
        if allowed < amount:
            bounded.append((memory, allowed))
        else:
            whole.append(memory.id)
    if first is not None:
        safety.record(db, cycle.now, first, None, {"cycle": cycle.id, "operation": operation, "memories": over})
    if whole:
        weights.add_to_betas(db, whole, amount)
        weights.log_many(db, cycle.id, cycle.now, operation, whole, amount, evidence)
    for memory, allowed in bounded:
        weight = replace(memory.weight, beta=memory.weight.beta + allowed)
        _move(db, cycle, memory, weight, operation, {**evidence, _ASKED: amount})
    return len(whole) + sum(allowed > 0 for _one, allowed in bounded)


def undo(
    db: sqlite3.Connection, cycle: Cycle, operation: str | None = None, memory_ids: Collection[int] | None = None
) -> int:
    """Undo a cycle's changes (of an operation, of some memories); return how many changed.

    Changes by others stay. The undo is logged; a second call changes nothing.
    """
    names = None if operation is None else {operation, f"undo {operation}"}
    rows = [row for row in weights.of_cycle(db, cycle.id) if names is None or row.operation in names]
    moved = _movements(rows, memory_ids)
    count = 0
    for memory in weights.of_ids(db, sorted(moved)):
        alpha, beta = moved[memory.id]
        if memory.immutable or abs(alpha) + abs(beta) < 1e-12:
            continue
        back = _back(memory.weight, (alpha, beta))
        if "A" in cycle.stages:
            back = ceilings.cap_weight(back)
        weights.put(db, memory.id, back)
        what = "undo" if operation is None else f"undo {operation}"
        weights.log(db, cycle.id, cycle.now, what, memory.id, memory.weight, back, {"cycle": cycle.id})
        count += 1
    return count


def pin(db: sqlite3.Connection, cycle: Cycle, memory_id: int) -> Weight | None:
    """Make a memory immutable with the weight Beta(50, 1); return it, None if deleted."""
    memory = weights.of(db, memory_id)
    if memory is None or memory.immutable:
        return None if memory is None else memory.weight
    weights.fix(db, memory_id, True)
    weights.put(db, memory_id, BOUNDARY)
    weights.log(db, cycle.id, cycle.now, "pin", memory_id, memory.weight, BOUNDARY, {})
    return BOUNDARY


def unpin(db: sqlite3.Connection, cycle: Cycle, memory_id: int) -> Weight | None:
    """Make an immutable memory mutable, with its weight before pinning (or a new memory's)."""
    memory = weights.of(db, memory_id)
    if memory is None or not memory.immutable:
        return None if memory is None else memory.weight
    pinned = weights.latest(db, memory_id, "pin")
    weight = NEW if pinned is None or pinned.before is None else pinned.before
    weights.fix(db, memory_id, False)
    weights.put(db, memory_id, weight)
    weights.log(db, cycle.id, cycle.now, "unpin", memory_id, memory.weight, weight, {})
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
    """Check the two gates of ceiling B before a change of parameters; return whether it is allowed.

    `gains` are the differences (new minus old) in score of held-out outcomes, in [-1, 1];
    `parameters` is the number of values that change together, on so many `outcomes` (None: the
    `gains`). `before` and `after` (any JSON values) are only logged. An allowed change is logged; a
    failed gate is a safety event, and blocks the change only if stage B is enforced.
    """
    checked = ceilings.gates(gains, parameters, outcomes)
    count = len(gains) if outcomes is None else outcomes
    evidence = {"parameter": name, "before": before, "after": after, "better": checked.better, "outcomes": count}
    enforced = "B" in cycle.stages
    if not checked.validated:
        verdict = Verdict("B", "validation_margin", ceilings.VALIDATION_MARGIN, checked.better, enforced)
        safety.record(db, cycle.now, verdict, None, {"cycle": cycle.id, **evidence})
    if not checked.within_capacity:
        most = float(count // ceilings.OUTCOMES_A_PARAMETER)
        verdict = Verdict("B", "capacity_cap", float(parameters), most, enforced)
        safety.record(db, cycle.now, verdict, None, {"cycle": cycle.id, **evidence})
    if enforced and not checked.passed:
        return False
    weights.log(db, cycle.id, cycle.now, "parameter", None, None, None, evidence)
    return True


def coherence(db: sqlite3.Connection, now: datetime) -> Coherence:
    """Compute the present coherence from the database (see `memory.rules.ceilings.coherence`)."""
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
    """Undo this cycle's changes if coherence fell since `before`; return whether it did."""
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
    """Summarise all weights at the end of a cycle, and store it for the ceilings of the next.

    A collapse onto few memories and a fall of coherence since the last time are safety events.
    """
    centres = weights.centres(db)
    mean = fsum(centres) / len(centres) if centres else 0.0
    spread = ceilings.entropy(centres) if len(centres) >= ceilings.LEAST_MEMORIES else 1.0
    vitals = WeightSummary(spread, mean, coherence(db, cycle.now))
    enforced = "C" in cycle.stages
    if spread < ceilings.LEAST_ENTROPY:
        verdict = Verdict("C", "entropy", spread, ceilings.LEAST_ENTROPY, enforced)
        safety.record(db, cycle.now, verdict, None, {"cycle": cycle.id, "memories": len(centres), "mean": mean})
    last = kv.get(db, VITALS)
    if last is not None and vitals.coherence.worse_than(json_values.build(Coherence, last["coherence"])):
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
    """Count how often each ceiling limited a change in the last 30 days, or would have."""
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
    memory: Weighed,
    weight: Weight,
    operation: str,
    evidence: Mapping[str, Any],
    verdicts: Sequence[Verdict] = (),
) -> Weight:
    for verdict in verdicts:
        if verdict.ceiling == "diminishing_returns" and verdict.enforced:
            continue  # it bounds every gain, and the log has the amounts before and after
        safety.record(db, cycle.now, verdict, memory.id, {"cycle": cycle.id, "operation": operation})
    if weight == memory.weight:
        return weight
    weights.put(db, memory.id, weight)
    weights.log(db, cycle.id, cycle.now, operation, memory.id, memory.weight, weight, evidence)
    return weight


def _at_start(db: sqlite3.Connection, cycle: Cycle, memory: Weighed) -> Weight:
    """Return a memory's weight at the beginning of the cycle."""
    moved = _movements(weights.of_cycle_and_memory(db, cycle.id, memory.id), [memory.id])
    return _back(memory.weight, moved.get(memory.id, (0.0, 0.0)))


def _back(weight: Weight, moved: tuple[float, float]) -> Weight:
    """Subtract a movement from a weight, not below a new memory's values."""
    return Weight(
        max(weight.alpha - moved[0], min(weight.alpha, NEW.alpha)),
        max(weight.beta - moved[1], min(weight.beta, NEW.beta)),
    )


def _movements(rows: Sequence[Change], memory_ids: Collection[int] | None = None) -> dict[int, tuple[float, float]]:
    """Return the amounts these changes added to alpha and beta, by memory."""
    moved_by: dict[int, tuple[float, float]] = {}
    for row in rows:
        if row.operation in _APART:
            continue
        for memory_id in memory_ids if memory_ids is not None else row.ids():
            alpha, beta = row.moved(memory_id)
            if alpha or beta:
                before = moved_by.get(memory_id, (0.0, 0.0))
                moved_by[memory_id] = before[0] + alpha, before[1] + beta
    return moved_by


def _goals(db: sqlite3.Connection, memory: Weighed) -> tuple[int, float] | None:
    if not memory.goal:
        return None
    others, weight = weights.other_goals(db, memory.id)
    return others + 1, weight


def _repeats(db: sqlite3.Connection, cycle: Cycle, memory_id: int, operation: str, evidence: Mapping[str, Any]) -> int:
    """Count the latest cycles that strengthened a memory in this way on the same evidence."""
    wanted = ceilings.SAME_PATTERN_CYCLES
    normalised = load(dump(dict(evidence)))
    same: set[str] = set()
    for change in weights.gains(db, memory_id, operation, cycle.id, wanted * _ROWS_A_CYCLE):
        if {name: value for name, value in change.evidence.items() if name != _ASKED} != normalised:
            break
        same.add(change.cycle)
    return min(len(same), wanted)
