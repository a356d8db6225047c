"""How often something to do that has no time of its own is brought up: the more urgent, the oftener."""

from datetime import datetime, timedelta

EVERY = {1: timedelta(days=1), 2: timedelta(days=3), 3: timedelta(days=7)}
"""By priority, 1 (urgent) to 5. What can wait (4 and 5) is never brought up: it is there when it is asked for."""

NEVER = frozenset({"reply_queue"})
"""Lists that have a way of their own of being brought up."""

LOOKED_AT = frozenset(
    ("shopping", "groceries", "packing", "books", "books_to_read", "films", "movies", "gifts", "wishes")
)
"""Lists that one looks at when one goes there: of these only what is urgent or important is brought up."""

ORDINARY = 3
"""The priority of what nobody said anything about."""


def wants_nudge(
    list_id: str, priority: int, created_at: datetime, last_nudged_at: datetime | None, now: datetime
) -> bool:
    """Whether it is time to bring up an open task that has no time (any more) at which it is said.

    That is so long after it was noted, or was spoken of last unasked: brought up, or said at its time. Times are UTC.
    """
    every = EVERY.get(priority)
    if every is None or list_id in NEVER or (list_id in LOOKED_AT and priority >= ORDINARY):
        return False
    return now - (last_nudged_at or created_at) >= every
