"""Which of the things that came to mind are put before it, and in how many words.

The first half of the places goes to the ranking as it is, so that chance never costs an answer. The other half is
drawn: what a thing weighs (its Beta weight, observed) times how relevant it is (a blend of five voices, whose weights
are drawn as well). Then the budget of tokens is filled: everything chosen gets its one line, and from the best down
the whole text while there is room.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from furoshiki.core.similarity import cosine_of_counts
from furoshiki.feelings.rules.emotions import EmotionLaws, Emotions
from furoshiki.memory.rules.weights import NEW, Weight

SLOTS = 12
"""Things put before the mind at most, neighbours aside."""

NEAR_MISSES = range(6, 21)
"""Ranks whose memories were nearly of use: they pay for not having been injected."""

HOP_FACTORS = (0.3, 0.1)
"""How much of an activation reaches the partners of a memory, and the partners of those."""

PARTNERS_A_HOP = 3
HALF_A_PARTNER = 1.0
"""Times two memories were called together at which half of an activation passes between them."""

FELT_SHARE = 0.5
"""How much the companion's own feelings count beside the signals of the words just said."""


@dataclass(frozen=True)
class Candidate:
    """Something that may be injected. `rank` is its place in the ranking from 1; None when it came by association.

    `voices` are the parts of its relevance by the names of `memory.rules.relevance.COMPONENTS`, each in [0, 1]. `full`
    and `short` are what its whole text and its one line cost in tokens. What was said has no weight of its own and
    weighs what a new memory does.
    """

    id: str
    rank: int | None
    voices: Mapping[str, float] = field(default_factory=dict)
    weight: Weight = NEW
    full: int = 0
    short: int = 0


@dataclass(frozen=True)
class Placed:
    """A candidate that was chosen, whether it is shown in full, and its injection score (None in the first half)."""

    candidate: Candidate
    in_full: bool
    score: float | None = None


def scale_scores(scores: Sequence[float]) -> list[float]:
    """Scores of any ranking as semantic relevance: 1 for the best, 0 for the worst; all 1 when they are equal."""
    if not scores:
        return []
    low, high = min(scores), max(scores)
    return [1.0 if high == low else (score - low) / (high - low) for score in scores]


def present_feelings(signals: Mapping[str, float], emotions: Emotions, laws: EmotionLaws) -> dict[str, float]:
    """How this moment feels, by signal: the words just said, and half as strongly the companion itself."""
    felt = {name: max(0.0, float(value)) for name, value in signals.items()}
    for emotion, look in laws.looks.items():
        if look.recalls:
            felt[look.recalls] = max(felt.get(look.recalls, 0.0), FELT_SHARE * getattr(emotions, emotion))
    return felt


def congruence(feelings: Mapping[str, float], present: Mapping[str, float]) -> float:
    """How alike a memory feels to this moment: the cosine of both, in [0, 1]; 0 when either feels like nothing."""
    return max(0.0, cosine_of_counts(feelings, present))


def spread(
    activation: Mapping[int, float], partners: Callable[[int], Sequence[tuple[int, float]]], hops: int = 1
) -> dict[int, float]:
    """What reaches other memories over co-access, each its strongest share, in [0, 1].

    `partners` answers the strongest partners of a memory with how often both were called together. One hop passes
    ×0.3 on, two hops (for drifting) ×0.1.
    """
    reached: dict[int, float] = {}
    edge = {memory: min(1.0, max(0.0, level)) for memory, level in activation.items()}
    for factor in HOP_FACTORS[:hops]:
        beyond: dict[int, float] = {}
        for memory, level in edge.items():
            for partner, times in partners(memory)[:PARTNERS_A_HOP]:
                if times > 0:
                    beyond[partner] = max(beyond.get(partner, 0.0), level * times / (times + HALF_A_PARTNER))
        for partner, level in beyond.items():
            reached[partner] = max(reached.get(partner, 0.0), factor * level)
        edge = {partner: level for partner, level in beyond.items() if partner not in activation}
    return reached


def relevance(voices: Mapping[str, float], blend: Mapping[str, float]) -> float:
    """The blend of the voices, in [0, 1] when the weights sum to 1."""
    return math.fsum(weight * voices.get(name, 0.0) for name, weight in blend.items())


def choose(
    candidates: Iterable[Candidate], blend: Mapping[str, float], rng: random.Random | None, slots: int = SLOTS
) -> list[Placed]:
    """Choose the candidates that get a slot, best first. Without `rng` nothing is left to chance: a
    weight counts with its centre."""
    ranked = sorted((one for one in candidates if one.rank is not None), key=lambda one: one.rank or 0)
    associated = [one for one in candidates if one.rank is None]
    sure = ranked[: (slots + 1) // 2]
    rest = [*ranked[len(sure) :], *associated]
    drawn = [
        ((one.weight.observe(rng) if rng else one.weight.centre) * relevance(one.voices, blend), one) for one in rest
    ]
    drawn.sort(key=lambda pair: (-pair[0], pair[1].rank is None, pair[1].rank or 0, pair[1].id))
    places = slots - len(sure)
    return [Placed(one, False) for one in sure] + [Placed(one, False, score) for score, one in drawn[:places]]


def fill(chosen: Sequence[Placed], budget: int) -> list[Placed]:
    """What fits into `budget` tokens, in order: each its one line, then the whole text from the best down."""
    kept: list[Placed] = []
    left = budget
    for place in chosen:
        cost = min(place.candidate.short, place.candidate.full)
        if cost > left:
            continue
        left -= cost
        kept.append(place)
    filled = []
    for place in kept:
        more = max(0, place.candidate.full - place.candidate.short)
        in_full = more <= left
        if in_full:
            left -= more
        filled.append(Placed(place.candidate, in_full, place.score))
    return filled
