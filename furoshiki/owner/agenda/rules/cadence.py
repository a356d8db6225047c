"""How often a task without a time is brought up, by priority."""

from datetime import datetime, timedelta

# The interval by priority, 1 (urgent) to 5. Priorities 4 and 5 are never brought up unasked.
EVERY = {1: timedelta(days=1), 2: timedelta(days=3), 3: timedelta(days=7)}

NEVER = frozenset({"reply_queue"})  # lists that are brought up in another way

# lists consulted on occasion: only their urgent or important tasks are brought up
LOOKED_AT = frozenset(
    ("shopping", "groceries", "packing", "books", "books_to_read", "films", "movies", "gifts", "wishes")
)

ORDINARY = 3  # the default priority


def wants_nudge(
    list_id: str, priority: int, created_at: datetime, last_nudged_at: datetime | None, now: datetime
) -> bool:
    """Whether it is time to bring up an open task that has no (future) time.

    The interval runs from its creation or from when it was last brought up unasked. Times are UTC.
    """
    every = EVERY.get(priority)
    if every is None or list_id in NEVER or (list_id in LOOKED_AT and priority >= ORDINARY):
        return False
    return now - (last_nudged_at or created_at) >= every
