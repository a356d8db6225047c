"""When a mind is idle enough to wander, and when it has wandered enough. Times are aware; energies are sums."""

import random
import zlib
from collections.abc import Iterable
from datetime import datetime, timedelta

IDLE = timedelta(seconds=600)
"""How long nothing was said, and nothing came to mind, before something does …"""

JITTER = 0.3
"""… give or take this share of it …"""

LONG_CHANCE, LONG = 0.1, (1.8, 2.5)
"""… and now and then so many times as long."""

LEAST = 0.4
"""What brings along less than this is let go."""

BUDGET = 2.5
WINDOW = timedelta(minutes=30)
"""So much activation in so long, and it is tired."""


def gap(anchor: datetime) -> timedelta:
    """How long to wait after a moment: the same whenever it is asked, so that a restart does not roll again."""
    dice = random.Random(zlib.crc32(anchor.isoformat().encode()))
    share = dice.uniform(1 - JITTER, 1 + JITTER)
    return IDLE * (share * dice.uniform(*LONG) if dice.random() < LONG_CHANCE else share)


def is_tired(spent: Iterable[tuple[datetime, float]], now: datetime) -> bool:
    """Whether the activation of the last half hour is all that it may be."""
    return sum(energy for at, energy in spent if at > now - WINDOW) >= BUDGET
