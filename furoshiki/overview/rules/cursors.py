"""Where the next page of a list begins: the values its last row was sorted by, as text that a link can carry."""

from __future__ import annotations

from collections.abc import Sequence

_BETWEEN = "~"


def written(*values: str | int) -> str:
    """A cursor after a row with these values; none of them may hold a tilde."""
    return _BETWEEN.join(str(value) for value in values)


def read(cursor: str, kinds: Sequence[type[str] | type[int]]) -> tuple[str | int, ...] | None:
    """The values of a cursor; None for an empty one, and for one that no page of this kind has given out: then the
    list begins anew."""
    parts = cursor.split(_BETWEEN)
    if not cursor or len(parts) != len(kinds):
        return None
    if not all(part.isascii() and part.isdigit() for part, kind in zip(parts, kinds, strict=True) if kind is int):
        return None
    return tuple(kind(part) for part, kind in zip(parts, kinds, strict=True))
