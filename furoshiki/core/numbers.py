"""Numbers that come from outside: in buttons, addresses, updates, commands, what a plugin or another program sends.

Figures of ASCII alone, no blanks, no plus, no underscores, no more than SQLite keeps; anything else is no number, and
never an exception in the middle of a turn. "²" is a digit to Python and no number, "٣" is one to `int` and to nobody
who wrote our buttons.
"""

import re

MOST = 2**63 - 1
"""The largest whole number that SQLite keeps, and so the largest of a row."""

_WHOLE = re.compile(r"-?[0-9]{1,19}")
_DECIMAL = re.compile(r"-?[0-9]{1,19}(?:[.][0-9]{1,19})?")


def whole(value: object, least: int = -MOST, most: int = MOST) -> int | None:
    """The whole number that a text or a value of JSON is, from `least` to `most`; None when it is none of those."""
    if isinstance(value, str):
        value = int(value) if _WHOLE.fullmatch(value) else None
    elif isinstance(value, float) and value.is_integer():  # infinity and NaN are not
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if least <= value <= most else None


def row(value: object) -> int | None:
    """The number of a row; None for what can be no row."""
    return whole(value, 0)


def require_int(value: object) -> int:
    """A whole number without which nothing can be done. Raises ValueError when it is none."""
    found = whole(value)
    if found is None:
        raise ValueError(f"no whole number of 64 bits: {str(value)[:40]!r}")
    return found


def decimal(value: object, least: float = -1e15, most: float = 1e15) -> float | None:
    """The number that a text or a value of JSON is, from `least` to `most`; None when it is none of those."""
    if isinstance(value, str):
        value = float(value) if _DECIMAL.fullmatch(value) else None
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if least <= value <= most else None  # not so of NaN, which is compared with nothing
