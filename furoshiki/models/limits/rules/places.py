"""Which of the numbered places for model calls a call may take. Some are kept for conversations."""

KEPT_SHARE = 4
"""One in so many is kept for conversations, one at least where there are two."""


def order(most: int, *, reply: bool) -> range:
    """The places that a call may take of `most`, the one to be tried first in front: an answer somebody waits for
    begins with those that are kept for it."""
    if reply:
        return range(most - 1, -1, -1)
    kept = max(1, most // KEPT_SHARE) if most > 1 else 0
    return range(most - kept)
