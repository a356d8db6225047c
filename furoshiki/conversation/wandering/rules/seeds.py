"""Kinds of seeds: mostly fading, recent and important concepts."""

import random
from collections.abc import Mapping
from datetime import timedelta
from typing import cast

from furoshiki.conversation.wandering.values import SeedKind

RESTS = timedelta(minutes=60)
"""Minimum time between two uses of a concept as a seed."""

FAR: tuple[SeedKind, ...] = ("neglected", "distant", "tension", "self")
"""The kinds that share the place `far`."""

FADING = 0.3
"""A concept with a lower strength is nearly forgotten."""


def order(shares: Mapping[str, float], rng: random.Random) -> list[SeedKind]:
    """Return the kinds in random order: each is first with the probability of its share, the next
    ones are fallbacks. Kinds with share 0 are left out."""
    left = {name: share for name, share in shares.items() if share > 0}
    found: list[SeedKind] = []
    while left:
        [name] = rng.choices(list(left), list(left.values()))
        del left[name]
        if name == "far":
            found += rng.sample(FAR, len(FAR))
        else:
            found.append(cast(SeedKind, name))
    return found
