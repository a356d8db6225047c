"""What comes to an idle mind: mostly what it is about to forget, what was there lately, and what mattered."""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
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


RETURNS = 3
WITHIN = timedelta(days=1)
"""So often in so long …"""

BLOCKED_FOR = timedelta(days=1)
"""… and it is left alone for so long, from the last of those times on."""


def find_blocked(visits: Iterable[tuple[int, datetime]], now: datetime) -> frozenset[int]:
    """The topics that are left alone now, by when they came to mind."""
    times: dict[int, list[datetime]] = defaultdict(list)
    for topic, at in visits:
        times[topic].append(at)
    return frozenset(topic for topic, at in times.items() if _is_circling(sorted(at), now))


def _is_circling(times: list[datetime], now: datetime) -> bool:
    runs = zip(times, times[RETURNS - 1 :], strict=False)
    return any(last - first <= WITHIN and last <= now < last + BLOCKED_FOR for first, last in runs)
