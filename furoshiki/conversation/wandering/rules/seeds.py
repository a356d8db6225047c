"""What comes to an idle mind: mostly what it is about to forget, what was there lately, and what mattered."""

import random
from collections.abc import Mapping
from datetime import timedelta
from typing import cast

from furoshiki.conversation.wandering.values import SeedKind

RESTS = timedelta(minutes=60)
"""A concept that came to mind is left alone for so long."""

FAR: tuple[SeedKind, ...] = ("neglected", "distant", "tension", "self")
"""What shares the place `far` between them."""

FADING = 0.3
"""A concept weaker than this is about to be forgotten."""


def order(shares: Mapping[str, float], rng: random.Random) -> list[SeedKind]:
    """Where to look for something to think about, the first place first: each comes first as often as its share says,
    and the next one where there is nothing. Places of share 0 are left out."""
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
