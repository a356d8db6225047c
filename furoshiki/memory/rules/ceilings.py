"""Safety ceilings on the weights of memories, as pure functions.

A: no centre over 0.95, no goal over its share of all goal weight, gains that diminish with existing
evidence. B: no weight moves by more than a tenth in one cycle; no parameter changes without passing
two gates. C: no gains while the weights collapse onto few memories, or repeatedly on the same
evidence; also the coherence of the whole.

A ceiling whose stage is not enabled is still evaluated: its verdict says what it would have
allowed, and nothing is limited. Immutable memories do not move and are never passed to it.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from furoshiki.memory.rules.weights import Weight

Stage = Literal["A", "B", "C"]

_Ceiling = Callable[[float], float]

MOST_CENTRE = 0.95  # the highest centre of a weight
MOST_GOAL_SHARE = 0.40  # the highest share of one goal in the weight of all goals

# one of one or two goals must exceed 40 %; a goal may have this many times an equal share
GOAL_SLACK = 1.2

MOST_CHANGE = 0.10  # the greatest relative change of a centre in one cycle

# the share of the highest entropy below which weights have collapsed onto few memories
LEAST_ENTROPY = 0.6

LEAST_MEMORIES = 10  # the entropy of fewer weights than this is meaningless

# consecutive cycles that may strengthen a memory in the same way on the same evidence
SAME_PATTERN_CYCLES = 3

# by how much a new parameter must improve on held-out outcomes (scores in [0, 1])
VALIDATION_MARGIN = 0.01

OUTCOMES_A_PARAMETER = 10  # held-out outcomes needed for each free parameter
COHERENCE_MARGIN = 0.01  # a smaller fall of coherence is noise

_GOOD = ("praise", "warmth", "relief", "excitement")
# signals in a person's message by which an action turned out well or badly
_BAD = ("anger", "disengagement", "frustration")

# good outcomes assumed at first, so that one bad day does not make the companion incoherent
_NO_OUTCOMES_YET = 5.0


@dataclass(frozen=True)
class MemoryStanding:
    """The state of a memory before a change.

    `start` is its weight at the beginning of this cycle. `goals` is None unless it is a goal: then
    the number of goals (with it) and the sum of the others' centres. `repeats` counts the latest
    cycles that strengthened it in this way on the same evidence. `entropy` is that of all weights
    in [0, 1], and `mean` their mean centre.
    """

    weight: Weight
    start: Weight
    goals: tuple[int, float] | None = None
    repeats: int = 0
    entropy: float = 1.0
    mean: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """The result of one ceiling; only those that would limit the change are reported."""

    stage: Stage
    ceiling: str
    asked: float
    allowed: float
    enforced: bool


def gain(
    standing: MemoryStanding, asked: float, stages: frozenset[str], in_full: bool = False
) -> tuple[float, tuple[Verdict, ...]]:
    """Return how much alpha may grow of `asked` (>= 0), and the ceilings' verdicts.

    With `in_full` (evidence that counts only once) returns do not diminish.
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
    """Return how much beta may grow of `asked` (>= 0), and the ceilings' verdicts.

    Only gains diminish: firmly held memories may be contradicted as easily as others.
    """
    weight = standing.weight
    return _through(
        (("B", "change_per_cycle", lambda wanted: min(wanted, room_down(weight, standing.start))),), asked, stages
    )


def diminish(wanted: float, evidence: float) -> float:
    """Return gain / log2(evidence + 1), at most the gain itself."""
    return wanted / max(1.0, math.log2(evidence + 1.0))


def alpha_at(centre: float, beta: float) -> float:
    """Return the alpha that gives this centre with this beta; infinite from 1 on."""
    return math.inf if centre >= 1.0 else centre * beta / (1.0 - centre)


def room_down(weight: Weight, start: Weight) -> float:
    """Return how much beta may grow before the centre has fallen by a tenth in the cycle."""
    lowest = (1.0 - MOST_CHANGE) * start.centre
    return max(0.0, weight.alpha * (1.0 - lowest) / lowest - weight.beta)


def cap_weight(weight: Weight) -> Weight:
    """Return the weight with alpha reduced so that its centre is at most the ceiling."""
    most = alpha_at(MOST_CENTRE, weight.beta)
    return weight if weight.alpha <= most else Weight(most, weight.beta)


def most_goal_share(goals: int) -> float:
    """Return the highest share of weight for one of so many goals."""
    return max(MOST_GOAL_SHARE, GOAL_SLACK / goals)


def entropy(centres: Sequence[float]) -> float:
    """Return the weights' Shannon entropy divided by its maximum log2(n): in [0, 1].

    1 means that all weigh the same (also for fewer than two), 0 that one has everything.
    """
    total = math.fsum(centres)
    if len(centres) < 2 or total <= 0:
        return 1.0
    shares = (centre / total for centre in centres if centre > 0)
    share_of_most = -math.fsum(share * math.log2(share) for share in shares) / math.log2(len(centres))
    return min(1.0, max(0.0, share_of_most))


@dataclass(frozen=True)
class Gates:
    """Whether a parameter may change. `better` is the mean gain less its standard error."""

    better: float
    validated: bool
    within_capacity: bool

    @property
    def passed(self) -> bool:
        """Whether both gates are open."""
        return self.validated and self.within_capacity


def gates(gains: Sequence[float], parameters: int, outcomes: int | None = None) -> Gates:
    """Check the two gates for a change of parameters.

    `gains` are differences (new minus old) of each held-out outcome's score, in [-1, 1];
    `parameters` is the number of parameters that change together, `outcomes` the total that these
    are part of (None: all of them). Validation: the mean gain less its standard error is at least
    the margin. Capacity: ten outcomes for each parameter, so that noise is not learned.
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
    """The companion's coherence, each axis in [0, 1].

    `epistemic`: whether held memories agree. `action`: whether its actions turned out well.
    `value`: whether its values outweigh the tensions with them.
    """

    epistemic: float
    action: float
    value: float

    @property
    def score(self) -> float:
        """The geometric mean, so that no axis can compensate for the others."""
        return float((self.epistemic * self.action * self.value) ** (1 / 3))

    def worse_than(self, before: "Coherence") -> bool:
        """Whether coherence fell by more than noise."""
        return self.score < before.score - COHERENCE_MARGIN


def outcomes(felt: Iterable[Mapping[str, float]]) -> tuple[float, float]:
    """Return the sums of good and of bad outcomes, both >= 0, by the messages' signals.

    Worry and sadness are the speaker's own and do not count.
    """
    went = [max(one.get(name, 0.0) for name in _GOOD) - max(one.get(name, 0.0) for name in _BAD) for one in felt]
    return math.fsum(max(one, 0.0) for one in went), math.fsum(max(-one, 0.0) for one in went)


def coherence(held: float, disputed: float, good: float, bad: float, values: float, tensions: float) -> Coherence:
    """Compute the three axes from figures of the database, all >= 0.

    `held` is the sum of the centres of all held memories, `disputed` that of contradicted ones.
    `good` and `bad` are sums of recent `outcomes`. `values` and `tensions` are the sums of the
    centres of values and of unresolved tensions with them.
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
