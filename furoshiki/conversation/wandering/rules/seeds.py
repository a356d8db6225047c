"""Kinds of seeds: mostly fading, recent and important concepts. A recurring topic is blocked for a
day, so that wandering does not circle."""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import cast

from furoshiki.conversation.wandering.values import SeedKind

RESTS = timedelta(minutes=60)  # minimum time between two uses of a concept as a seed

# the kinds that share the place `far`
FAR: tuple[SeedKind, ...] = ("neglected", "distant", "tension", "self")

FADING = 0.3  # a concept with a lower strength is nearly forgotten

RETURNS = 3
WITHIN = timedelta(days=1)  # the number of visits within this time that blocks a topic
BLOCKED_FOR = timedelta(days=1)  # how long a topic is blocked after the last of those visits


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


def find_blocked(visits: Iterable[tuple[int, datetime]], now: datetime) -> frozenset[int]:
    """Return the topics blocked now, given all visits."""
    times: dict[int, list[datetime]] = defaultdict(list)
    for topic, at in visits:
        times[topic].append(at)
    return frozenset(topic for topic, at in times.items() if _is_circling(sorted(at), now))


def _is_circling(times: list[datetime], now: datetime) -> bool:
    runs = zip(times, times[RETURNS - 1 :], strict=False)
    return any(last - first <= WITHIN and last <= now < last + BLOCKED_FOR for first, last in runs)
