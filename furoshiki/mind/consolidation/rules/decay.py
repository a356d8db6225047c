"""How what nobody needs loses weight, in closed form: what is due depends on when it was used and on nothing else.

However often a pass is made, and however late, the sum is the same: each answers for its own span of time.
"""

from datetime import UTC, datetime, timedelta

A_DAY = 0.01
"""What is added to beta for each whole or begun day without use, the day of the last use not counted."""

FORGOTTEN_AFTER = timedelta(days=90)
"""Each time a memory was untouched for so long …"""

FORGOTTEN = 1.0
"""… this is added to its beta, …"""

SELDOM = 3
"""… unless it has been accessed this often."""

DORMANT_BELOW = 0.07
"""A centre below this, and nobody has needed the memory for `FORGOTTEN_AFTER`: it sleeps, and only a strong cue
(cosine above 0.9) wakes it. Never used at all, a new memory comes there after some fifteen months."""

PAIR_HALF_LIFE = timedelta(days=90)
"""After so long apart, two memories that used to come to mind together are half as close."""


def due(last_used: datetime, since: datetime | None, until: datetime) -> float:
    """What is to be added to beta for the time from `since` (None: from the last use) to `until`; never below 0.

    It is additive: what is due over a span is the sum of what is due over its parts.
    """
    idle_from = _midnight_after(last_used)
    start = idle_from if since is None else max(idle_from, since)
    return A_DAY * max((until - start) / timedelta(days=1), 0.0)


def times_forgotten(last_used: datetime, now: datetime) -> int:
    """How many whole spans of `FORGOTTEN_AFTER` have passed since the last use."""
    return max(int((now - last_used) / FORGOTTEN_AFTER), 0)


def decay_count(count: float, last_met: datetime, since: datetime | None, until: datetime) -> float:
    """What is left of a pair's count after the time from `since` (None: from when they last met) to `until`."""
    start = last_met if since is None else max(last_met, since)
    return count * float(0.5 ** max((until - start) / PAIR_HALF_LIFE, 0.0))


def _midnight_after(moment: datetime) -> datetime:
    """The end of the day (UTC) of a moment: memories used on one day fade in step, and share a row in the log."""
    day = moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day + timedelta(days=1)
