"""Block a recurring topic for a day, so that wandering does not circle."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

RETURNS = 3
WITHIN = timedelta(days=1)
"""The number of visits within this time that blocks a topic."""

BLOCKED_FOR = timedelta(days=1)
"""How long a topic is blocked after the last of those visits."""


def find_blocked(visits: Iterable[tuple[int, datetime]], now: datetime) -> frozenset[int]:
    """Return the topics blocked now, given all visits."""
    times: dict[int, list[datetime]] = defaultdict(list)
    for topic, at in visits:
        times[topic].append(at)
    return frozenset(topic for topic, at in times.items() if _is_circling(sorted(at), now))


def _is_circling(times: list[datetime], now: datetime) -> bool:
    runs = zip(times, times[RETURNS - 1 :], strict=False)
    return any(last - first <= WITHIN and last <= now < last + BLOCKED_FOR for first, last in runs)
