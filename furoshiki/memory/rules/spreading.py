"""Spreading activation over the links of concepts, with fast decay."""

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

DEPTH = 2
A_HOP = 0.7  # the share of the activation left after a hop, times the strength of the link

WEAK = 0.5
WEAK_CHANCE = 0.15  # the probability of following a link weaker than `WEAK`
LEAST = 0.3  # lower activations are dropped
HALF = 0.6  # the weight of a link of strength 0.5; a link met once is weak after six weeks

MOST = 5

MOST_FOLLOWED = 12  # the strongest links of one concept that are followed


@dataclass(frozen=True)
class Link:
    """A link to another concept; `strength` is in [0, 1)."""

    to: int
    strength: float
    type: str = "together"


def strength(weight: float) -> float:
    """Return a link's strength from its weight (number of meetings): 0.63 for 1, 0.83 for 3."""
    return weight / (weight + HALF) if weight > 0 else 0.0


def spread(
    seed: int, links: Callable[[int], Sequence[Link]], rng: random.Random, without: Collection[int] = ()
) -> list[tuple[int, float]]:
    """Return the concepts a seed activates, most strongly first, without the seed.

    Of several paths the strongest counts. Nothing spreads to or through those in `without`.
    """
    activation: dict[int, float] = {seed: 1.0}
    front = {seed: 1.0}
    for _ in range(DEPTH):
        reached: dict[int, float] = {}
        for concept, energy in front.items():
            for link in sorted(links(concept), key=lambda one: (-one.strength, one.to))[:MOST_FOLLOWED]:
                carried = energy * A_HOP * link.strength
                if carried < LEAST or link.to in without or carried <= activation.get(link.to, 0.0):
                    continue
                if link.strength < WEAK and rng.random() >= WEAK_CHANCE:
                    continue
                activation[link.to] = reached[link.to] = carried
        front = reached
    del activation[seed]
    return sorted(activation.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST]
