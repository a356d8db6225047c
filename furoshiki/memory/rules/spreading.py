"""What one thing brings along: activation that spreads over the links of concepts and loses itself soon."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

DEPTH = 2
A_HOP = 0.7
"""What is left of the activation after a hop, times the strength of the link."""

WEAK = 0.5
WEAK_CHANCE = 0.15
"""A link weaker than `WEAK` is followed that often."""

LEAST = 0.3
"""Less activation is none."""

HALF = 0.6
"""The weight at which a link is half as strong as one can be: one met once is weak after six weeks."""

MOST = 5

MOST_FOLLOWED = 12
"""Links of one concept that are followed, the strongest."""


@dataclass(frozen=True)
class Link:
    """The way to another concept; `strength` lies in [0, 1)."""

    to: int
    strength: float
    type: str = "together"


def strength(weight: float) -> float:
    """How strong a link is by its weight, which counts how often two concepts met: 0.63 for once, 0.83 for thrice."""
    return weight / (weight + HALF) if weight > 0 else 0.0


def spread(
    seed: int, links: Callable[[int], Sequence[Link]], rng: random.Random, without: Collection[int] = ()
) -> list[tuple[int, float]]:
    """The concepts a seed brings along with their activation, most strongly first, the seed itself left out.

    Of several ways the strongest counts. Nothing spreads to or over those in `without`.
    """
    found: dict[int, float] = {seed: 1.0}
    front = {seed: 1.0}
    for _ in range(DEPTH):
        reached: dict[int, float] = {}
        for concept, energy in front.items():
            for link in sorted(links(concept), key=lambda one: (-one.strength, one.to))[:MOST_FOLLOWED]:
                carried = energy * A_HOP * link.strength
                if carried < LEAST or link.to in without or carried <= found.get(link.to, 0.0):
                    continue
                if link.strength < WEAK and rng.random() >= WEAK_CHANCE:
                    continue
                found[link.to] = reached[link.to] = carried
        front = reached
    del found[seed]
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST]
