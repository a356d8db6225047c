"""Decay of unused memories in closed form: the amount depends only on the time of the last use.

The sum is the same however often and late passes run: each covers its own time span.
"""

from datetime import datetime, timedelta

from furoshiki.core.timestamps import day_start

# the gain in beta per day or part of a day without use, from the midnight after the last use
A_DAY = 0.01

# the time without use after which a memory loses additional weight
FORGOTTEN_AFTER = timedelta(days=90)

FORGOTTEN = 1.0  # the gain in beta after each period of `FORGOTTEN_AFTER` without use
SELDOM = 3  # memories accessed at least this often are exempt from the gain `FORGOTTEN`

# A memory with a centre below this, unused for `FORGOTTEN_AFTER`, becomes dormant; only a strong
# cue (cosine above 0.9) wakes it. A memory never used gets there after about fifteen months.
DORMANT_BELOW = 0.07

PAIR_HALF_LIFE = timedelta(days=90)  # the half-life of the count of a pair of memories


def due(last_used: datetime, since: datetime | None, until: datetime) -> float:
    """Return the beta due from `since` (None: the last use) to `until`; never below 0.

    It is additive: the amount over a span is the sum over its parts.
    """
    idle_from = _midnight_after(last_used)
    start = idle_from if since is None else max(idle_from, since)
    return A_DAY * max((until - start) / timedelta(days=1), 0.0)


def times_forgotten(last_used: datetime, now: datetime) -> int:
    """Return the number of whole `FORGOTTEN_AFTER` periods since the last use."""
    return max(int((now - last_used) / FORGOTTEN_AFTER), 0)


def decay_count(count: float, last_met: datetime, since: datetime | None, until: datetime) -> float:
    """Return a pair's count after decay from `since` (None: their last meeting) to `until`."""
    start = last_met if since is None else max(last_met, since)
    return count * float(0.5 ** max((until - start) / PAIR_HALF_LIFE, 0.0))


def _midnight_after(moment: datetime) -> datetime:
    """Return the end of the UTC day: memories used on one day decay equally and share log rows."""
    return day_start(moment) + timedelta(days=1)
