"""What a memory's weight may do at most, whatever asks for it: the safety ceilings, as pure judgements.

A: no centre over 0.95, no goal over its share of all goal weight, and gains that diminish with what is known already.
B: no weight moves by more than a tenth in one cycle; no parameter changes without passing two gates. C: nothing is
strengthened while the weights collapse onto few memories, or again and again on the same grounds; and how coherent
the whole is.

A ceiling whose stage is not enabled is still judged: its verdict says what it would have allowed, and nothing is held
back. Memories that are immutable never come here: they do not move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from furoshiki.memory.rules.weights import Weight

Stage = Literal["A", "B", "C"]

_Ceiling = Callable[[float], float]

MOST_CENTRE = 0.95
"""No weight is held more firmly than this."""

MOST_GOAL_SHARE = 0.40
"""What one goal may have of the weight of all goals."""

GOAL_SLACK = 1.2
"""Among one or two goals somebody must have over 40 %: there a goal may have this many times an equal share."""

MOST_CHANGE = 0.10
"""By how much of itself a weight's centre may move in one cycle."""

LEAST_ENTROPY = 0.6
"""Below this share of the highest possible entropy the weights have collapsed onto a few memories."""

LEAST_MEMORIES = 10
"""Fewer weights than this have no telling entropy."""

SAME_PATTERN_CYCLES = 3
"""So many cycles may strengthen a memory in the same way on the same evidence; the next one may not."""

VALIDATION_MARGIN = 0.01
"""By how much a new parameter must do better than the old on what it was not tuned on (scores in [0, 1])."""

OUTCOMES_A_PARAMETER = 10
"""Held-out outcomes needed for each parameter that is free to move."""

COHERENCE_MARGIN = 0.01
"""A smaller fall of coherence is noise."""

_GOOD = ("praise", "warmth", "relief", "excitement")
_BAD = ("anger", "disengagement", "frustration")
"""By which signals in somebody's words what was done turned out well, and badly."""

_NO_OUTCOMES_YET = 5.0
"""Outcomes that count as good before there are any, so that one bad day does not make the companion incoherent."""


@dataclass(frozen=True)
class MemoryStanding:
    """How a memory stands when somebody wants to move it.

    `start` is its weight when this cycle began. `goals` is None unless it is a goal: then how many goals there are
    (with it) and the sum of the others' centres. `repeats` counts the latest cycles that strengthened it in this way
    on this very evidence. `entropy` is that of all weights in [0, 1], and `mean` their mean centre.
    """

    weight: Weight
    start: Weight
    goals: tuple[int, float] | None = None
    repeats: int = 0
    entropy: float = 1.0
    mean: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """What one ceiling made of what it was asked; only those that would hold something back are reported."""

    stage: Stage
    ceiling: str
    asked: float
    allowed: float
    enforced: bool


def gain(
    standing: MemoryStanding, asked: float, stages: frozenset[str], in_full: bool = False
) -> tuple[float, tuple[Verdict, ...]]:
    """How much alpha may grow when `asked` (>= 0) is wanted, and what the ceilings said about it.

    Returns of what counts only once (`in_full`) do not diminish.
    """
    weight = standing.weight
    return _through(
        (
            ("A", "diminishing_returns", lambda wanted: wanted if in_full else diminish(wanted, weight.evidence)),
            ("B", "change_per_cycle", lambda wanted: min(wanted, _room_up(weight, standing.start))),
            ("A", "goal_share", lambda wanted: min(wanted, _room_as_goal(weight, standing.goals))),
            ("C", "entropy", lambda wanted: 0.0 if _is_collapsing(standing) else wanted),
            ("C", "circuit_breaker", lambda wanted: 0.0 if standing.repeats >= SAME_PATTERN_CYCLES else wanted),
            ("A", "centre", lambda wanted: min(wanted, alpha_at(MOST_CENTRE, weight.beta) - weight.alpha)),
        ),
        asked,
        stages,
    )


def loss(standing: MemoryStanding, asked: float, stages: frozenset[str]) -> tuple[float, tuple[Verdict, ...]]:
    """How much beta may grow when `asked` (>= 0) is wanted, and what the ceilings said about it.

    Only gains diminish: what is firmly held may be contradicted as easily as what is not.
    """
    weight = standing.weight
    return _through(
        (("B", "change_per_cycle", lambda wanted: min(wanted, room_down(weight, standing.start))),), asked, stages
    )


def diminish(wanted: float, evidence: float) -> float:
    """gain / log2(evidence + 1), and never more than the gain."""
    return wanted / max(1.0, math.log2(evidence + 1.0))


def alpha_at(centre: float, beta: float) -> float:
    """The alpha at which a weight with this beta has its centre there; infinite from 1 on."""
    return math.inf if centre >= 1.0 else centre * beta / (1.0 - centre)


def room_down(weight: Weight, start: Weight) -> float:
    """How much beta may grow before the centre has lost a tenth of what it was when the cycle began."""
    lowest = (1.0 - MOST_CHANGE) * start.centre
    return max(0.0, weight.alpha * (1.0 - lowest) / lowest - weight.beta)


def cap_weight(weight: Weight) -> Weight:
    """The weight, with less alpha where its centre would lie above the ceiling."""
    most = alpha_at(MOST_CENTRE, weight.beta)
    return weight if weight.alpha <= most else Weight(most, weight.beta)


def most_goal_share(goals: int) -> float:
    """What one of so many goals may have of their weight."""
    return max(MOST_GOAL_SHARE, GOAL_SLACK / goals)


def entropy(centres: Sequence[float]) -> float:
    """Shannon entropy of the weights as shares of their sum, over its highest value log2(n): in [0, 1].

    1 for fewer than two weights. 1 means all weigh the same, 0 that one has everything.
    """
    total = math.fsum(centres)
    if len(centres) < 2 or total <= 0:
        return 1.0
    shares = (centre / total for centre in centres if centre > 0)
    found = -math.fsum(share * math.log2(share) for share in shares) / math.log2(len(centres))
    return min(1.0, max(0.0, found))


@dataclass(frozen=True)
class Gates:
    """Whether a parameter may change. `better` is the mean gain less its standard error."""

    better: float
    validated: bool
    within_capacity: bool

    @property
    def passed(self) -> bool:
        """Say whether both gates are open."""
        return self.validated and self.within_capacity


def gates(gains: Sequence[float], parameters: int, outcomes: int | None = None) -> Gates:
    """The two gates before any parameter changes.

    `gains` are differences (new minus old) of the score of each held-out outcome, in [-1, 1]; `parameters` is how many
    are free to move together, on `outcomes` of which these are a part (all of them when None). Validation: the mean
    gain, less its standard error, is at least the margin. Capacity: there are ten held-out outcomes for each parameter,
    so that noise cannot be learnt.
    """
    count = len(gains)
    if count < 2:
        return Gates(0.0, False, False)
    mean = math.fsum(gains) / count
    variance = math.fsum((one - mean) ** 2 for one in gains) / (count - 1)
    better = mean - math.sqrt(variance / count)
    enough = parameters * OUTCOMES_A_PARAMETER <= (count if outcomes is None else outcomes)
    return Gates(better, better >= VALIDATION_MARGIN, enough)


@dataclass(frozen=True)
class Coherence:
    """How well the companion hangs together, each axis in [0, 1].

    `epistemic`: whether what is held agrees with itself. `action`: whether what was done turned out well. `value`:
    whether what it stands for outweighs the tensions with it.
    """

    epistemic: float
    action: float
    value: float

    @property
    def score(self) -> float:
        """The geometric mean: no axis can hide behind the others."""
        return float((self.epistemic * self.action * self.value) ** (1 / 3))

    def worse_than(self, before: Coherence) -> bool:
        """Whether coherence fell by more than noise."""
        return self.score < before.score - COHERENCE_MARGIN


def outcomes(felt: Iterable[Mapping[str, float]]) -> tuple[float, float]:
    """The sums of good and of bad outcomes, both >= 0, by the signals of what was said: joys less displeasures.

    Worry and sadness are the speaker's own and say nothing about what was done.
    """
    went = [max(one.get(name, 0.0) for name in _GOOD) - max(one.get(name, 0.0) for name in _BAD) for one in felt]
    return math.fsum(max(one, 0.0) for one in went), math.fsum(max(-one, 0.0) for one in went)


def coherence(held: float, disputed: float, good: float, bad: float, values: float, tensions: float) -> Coherence:
    """The three axes from what the database says; everything is 0 or more.

    `held` is the sum of the centres of everything held and `disputed` what of it is contradicted:
    epistemic is the share that is not. `good` and `bad` are sums of recent `outcomes`. `values` and
    `tensions` are the sums of the centres of values and of unresolved tensions with them.
    """
    return Coherence(
        epistemic=1.0 if held <= 0 else max(0.0, 1.0 - disputed / held),
        action=(good + _NO_OUTCOMES_YET) / (good + bad + _NO_OUTCOMES_YET),
        value=1.0 if tensions <= 0 else (values + 1.0) / (values + 1.0 + tensions),
    )


def _through(
    ceilings: Iterable[tuple[Stage, str, _Ceiling]], asked: float, stages: frozenset[str]
) -> tuple[float, tuple[Verdict, ...]]:
    left = asked
    verdicts = []
    for stage, name, limit in ceilings:
        allowed = max(0.0, limit(left))
        if allowed < left:
            enforced = stage in stages
            verdicts.append(Verdict(stage, name, left, allowed, enforced))
            left = allowed if enforced else left
    return left, tuple(verdicts)


def _room_up(weight: Weight, start: Weight) -> float:
    return alpha_at((1.0 + MOST_CHANGE) * start.centre, weight.beta) - weight.alpha


def _room_as_goal(weight: Weight, goals: tuple[int, float] | None) -> float:
    if goals is None:
        return math.inf
    share = most_goal_share(goals[0])
    return math.inf if share >= 1.0 else alpha_at(share / (1.0 - share) * goals[1], weight.beta) - weight.alpha


def _is_collapsing(standing: MemoryStanding) -> bool:
    return standing.entropy < LEAST_ENTROPY and standing.weight.centre > standing.mean
