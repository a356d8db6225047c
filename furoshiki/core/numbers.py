"""Parsing of numbers from outside: buttons, addresses, updates, commands, plugins, programs.

Only ASCII digits, no blanks, plus signs or underscores, at most SQLite's range; anything else
yields None instead of an exception. `int` and `isdigit` would accept more ("٣", "²").
"""

import re

MOST = 2**63 - 1  # the largest integer that SQLite stores, and so the largest row id

_WHOLE = re.compile(r"-?[0-9]{1,19}")
_DECIMAL = re.compile(r"-?[0-9]{1,19}(?:[.][0-9]{1,19})?")


def whole(value: object, least: int = -MOST, most: int = MOST) -> int | None:
    """Return a text or JSON value as an integer from `least` to `most`; else None."""
    if isinstance(value, str):
        value = int(value) if _WHOLE.fullmatch(value) else None
    elif isinstance(value, float) and value.is_integer():  # false for infinity and NaN
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if least <= value <= most else None


def row(value: object) -> int | None:
    """Return a value as a row id (0 or more), else None."""
    return whole(value, 0)


def require_int(value: object) -> int:
    """Return a value as an integer. Raises ValueError when it is none."""
    found = whole(value)
    if found is None:
        raise ValueError(f"no whole number of 64 bits: {str(value)[:40]!r}")
    return found


def decimal(value: object, least: float = -1e15, most: float = 1e15) -> float | None:
    """Return a text or JSON value as a number from `least` to `most`; else None."""
    if isinstance(value, str):
        value = float(value) if _DECIMAL.fullmatch(value) else None
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if least <= value <= most else None  # false for NaN
