"""Which of the numbered places a model call may take; some are reserved for conversations."""

KEPT_SHARE = 4
"""One place in this many is reserved for conversations (at least one of two or more)."""


def order(most: int, *, reply: bool) -> range:
    """Return the places that a call may take, in order of preference: replies to a user begin with
    the reserved ones."""
    if reply:
        return range(most - 1, -1, -1)
    kept = max(1, most // KEPT_SHARE) if most > 1 else 0
    return range(most - kept)
