"""When to start and stop wandering. Times are aware; energies are summed activations."""

import random
import zlib
from collections.abc import Iterable
from datetime import datetime, timedelta

IDLE = timedelta(seconds=600)  # idle time since the last message or thought before wandering
JITTER = 0.3  # the relative random variation of the idle time

LONG_CHANCE, LONG = 0.1, (1.8, 2.5)  # the probability of a longer wait, and the range of its factor

LEAST = 0.4  # minimum activation of a seed's associations

BUDGET = 2.5
WINDOW = timedelta(minutes=30)  # maximum activation within the window


def gap(anchor: datetime) -> timedelta:
    """Return the wait after a time: deterministic, so that a restart does not change it."""
    dice = random.Random(zlib.crc32(anchor.isoformat().encode()))
    share = dice.uniform(1 - JITTER, 1 + JITTER)
    return IDLE * (share * dice.uniform(*LONG) if dice.random() < LONG_CHANCE else share)


def is_tired(spent: Iterable[tuple[datetime, float]], now: datetime) -> bool:
    """Return whether the activation of the last 30 minutes reaches the budget."""
    return sum(energy for at, energy in spent if at > now - WINDOW) >= BUDGET
