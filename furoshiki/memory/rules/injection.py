"""Choose which retrieved items to inject into the prompt, and at which length.

The first half of the slots follows the ranking, so that randomness never costs an answer. The other
half goes to the highest products of weight (a draw from its Beta distribution) and relevance (a
blend of five parts with randomly drawn weights). Then the token budget is filled: one line for each
chosen item, and from the best down the whole text while there is room.
"""

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from furoshiki.core.similarity import cosine_of_counts
from furoshiki.feelings.rules.emotions import EmotionLaws, Emotions
from furoshiki.memory.rules.weights import NEW, Weight

SLOTS = 12  # the most items injected, without neighbouring turns

# ranks of near misses, whose memories lose weight for not having been injected
NEAR_MISSES = range(6, 21)

# the share of activation passed to a memory's partners, and to the partners of those
HOP_FACTORS = (0.3, 0.1)

PARTNERS_A_HOP = 3
# joint retrievals of two memories at which half of an activation passes between them
HALF_A_PARTNER = 1.0

# the weight of the companion's own feelings relative to the signals of the message
FELT_SHARE = 0.5


@dataclass(frozen=True)
class Candidate:
    """An item that may be injected. `rank` counts from 1; None if found by association.

    `voices` are the parts of its relevance by the names of `memory.rules.relevance.COMPONENTS`,
    each in [0, 1]. `full` and `short` are the tokens of its whole text and of its line. A turn has
    no weight of its own and counts as a new memory.
    """

    id: str
    rank: int | None
    voices: Mapping[str, float] = field(default_factory=dict)
    weight: Weight = NEW
    full: int = 0
    short: int = 0


@dataclass(frozen=True)
class Placed:
    """A chosen candidate, whether it is shown in full, and its score (None in the first half)."""

    candidate: Candidate
    in_full: bool
    score: float | None = None


def scale_scores(scores: Sequence[float]) -> list[float]:
    """Scale scores to semantic relevance: 1 for the best, 0 for the worst, 1 if all equal."""
    if not scores:
        return []
    low, high = min(scores), max(scores)
    return [1.0 if high == low else (score - low) / (high - low) for score in scores]


def present_feelings(signals: Mapping[str, float], emotions: Emotions, laws: EmotionLaws) -> dict[str, float]:
    """Return present feelings by signal: the message's, and half the companion's."""
    felt = {name: max(0.0, float(value)) for name, value in signals.items()}
    for emotion, look in laws.looks.items():
        if look.recalls:
            felt[look.recalls] = max(felt.get(look.recalls, 0.0), FELT_SHARE * getattr(emotions, emotion))
    return felt


def congruence(feelings: Mapping[str, float], present: Mapping[str, float]) -> float:
    """Return the cosine of a memory's feelings and the present ones, in [0, 1]; 0 if empty."""
    return max(0.0, cosine_of_counts(feelings, present))


def spread(
    activation: Mapping[int, float], partners: Callable[[int], Sequence[tuple[int, float]]], hops: int = 1
) -> dict[int, float]:
    """Spread activation over co-accessed memories; return the highest share of each, in [0, 1].

    `partners` returns a memory's strongest partners with the number of joint retrievals. One hop
    passes on ×0.3, two hops (for drifting talk) ×0.1.
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
    """Return the weighted sum of the parts, in [0, 1] if the weights sum to 1."""
    return math.fsum(weight * voices.get(name, 0.0) for name, weight in blend.items())


def choose(
    candidates: Iterable[Candidate], blend: Mapping[str, float], rng: random.Random | None, slots: int = SLOTS
) -> list[Placed]:
    """Choose the candidates for the slots, best first; without `rng` by their weight's centre."""
    ranked = sorted(
        (candidate for candidate in candidates if candidate.rank is not None), key=lambda one: one.rank or 0
    )
    associated = [candidate for candidate in candidates if candidate.rank is None]
    sure = ranked[: (slots + 1) // 2]
    rest = [*ranked[len(sure) :], *associated]
    drawn = [
        (
            (candidate.weight.observe(rng) if rng else candidate.weight.centre) * relevance(candidate.voices, blend),
            candidate,
        )
        for candidate in rest
    ]
    drawn.sort(key=lambda pair: (-pair[0], pair[1].rank is None, pair[1].rank or 0, pair[1].id))
    places = slots - len(sure)
    return [Placed(candidate, False) for candidate in sure] + [
        Placed(one, False, score) for score, one in drawn[:places]
    ]


def fill(chosen: Sequence[Placed], budget: int) -> list[Placed]:
    """Return what fits into `budget` tokens: each line, then whole texts from the best down."""
    places: list[Placed] = []
    left = budget
    for place in chosen:
        cost = min(place.candidate.short, place.candidate.full)
        if cost > left:
            continue
        left -= cost
        places.append(place)
    filled = []
    for place in places:
        more = max(0, place.candidate.full - place.candidate.short)
        in_full = more <= left
        if in_full:
            left -= more
        filled.append(Placed(place.candidate, in_full, place.score))
    return filled
