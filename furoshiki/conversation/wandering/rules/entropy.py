"""A topic that keeps coming back is left alone for a day, so that a mind does not go round in a circle."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

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
