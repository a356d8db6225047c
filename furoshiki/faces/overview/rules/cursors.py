"""Where the next page of a list begins: the values its last row was sorted by, as text that a link can carry."""

from collections.abc import Sequence

from furoshiki.core import numbers
from furoshiki.core.errors import FuroshikiError

_BETWEEN = "~"


class NoSuchPage(FuroshikiError):
    """A list has no page that begins there."""

    def __init__(self) -> None:
        super().__init__("No page of this list begins there: give the cursor that the page before it told, or none.")


def make(*values: str | int) -> str:
    """A cursor after a row with these values; none of them may hold a tilde."""
    return _BETWEEN.join(str(value) for value in values)


def read(cursor: str, kinds: Sequence[type[str] | type[int]]) -> tuple[str | int, ...] | None:
    """The values of a cursor; None for an empty one, with which a list begins. Raises NoSuchPage for one that no page
    of this kind has given out."""
    if not cursor:
        return None
    parts = cursor.split(_BETWEEN)
    if len(parts) != len(kinds):
        raise NoSuchPage
    return tuple(number(part) if kind is int else part for part, kind in zip(parts, kinds, strict=True))


def number(part: str) -> int:
    """A number of a cursor, in [0, 2**63). Raises NoSuchPage."""
    found = numbers.row(part)
    if found is None:
        raise NoSuchPage
    return found
