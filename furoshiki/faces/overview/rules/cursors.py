"""Cursors of lists: the sort values of a page's last row, as text for a link."""

from collections.abc import Sequence

from furoshiki.core import numbers
from furoshiki.core.errors import FuroshikiError

_BETWEEN = "~"


class NoSuchPage(FuroshikiError):
    """A list has no page that begins there."""

    def __init__(self) -> None:
        super().__init__("No page of this list begins there: give the cursor that the page before it told, or none.")


def make(*values: str | int) -> str:
    """Return the cursor after a row with these values; none may contain a tilde."""
    return _BETWEEN.join(str(value) for value in values)


def read(cursor: str, kinds: Sequence[type[str] | type[int]]) -> tuple[str | int, ...] | None:
    """Return a cursor's values; None for the first page. Raises NoSuchPage."""
    if not cursor:
        return None
    parts = cursor.split(_BETWEEN)
    if len(parts) != len(kinds):
        raise NoSuchPage
    return tuple(number(part) if kind is int else part for part, kind in zip(parts, kinds, strict=True))


def number(part: str) -> int:
    """Parse a number of a cursor, in [0, 2**63). Raises NoSuchPage."""
    found = numbers.row(part)
    if found is None:
        raise NoSuchPage
    return found
