"""Parsing and formatting of limits: 0.50, 200, 2G, 10m; "none" removes a limit."""

import re
from collections.abc import Mapping
from dataclasses import fields, replace

from furoshiki.models.limits.values import Limits

NONE = "none"

_UNITS = {
    "disk": {"M": 1024**2, "G": 1024**3, "T": 1024**4},
    "cpu": {"s": 1, "m": 60, "h": 3600},
}
_HOW = {
    "money": "dollars a day, as in 0.50",
    "calls": "a whole number of calls a day, as in 200",
    "at_once": "a whole number from 1 on, as in 2",
    "disk": "a size with its unit, as in 500M or 2G",
    "cpu": "a time with its unit, up to 60m, as in 90s or 10m: CPU of an hour",
}
LEAST = {"money": 0.0, "calls": 0, "at_once": 1, "disk": 1024**2, "cpu": 1}
MOST = {"money": 100_000.0, "calls": 10_000_000, "at_once": 256, "disk": 1024**5, "cpu": 3600}

_AMOUNT = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)([A-Za-z]?)")


def names() -> tuple[str, ...]:
    """Return the names of all limits."""
    return tuple(field.name for field in fields(Limits))


def option(name: str) -> str:
    """Return the command line option of a limit."""
    return f"--{name.replace('_', '-')}"


def how(name: str) -> str:
    """Return how an amount of a limit is written."""
    return _HOW[name]


def parse_amount(name: str, text: str) -> float | int | None:
    """Parse an amount, None for "none". Raises ValueError with a sentence on the format."""
    if text.strip().lower() == NONE:
        return None
    match = _AMOUNT.fullmatch(text.strip().removeprefix("$" if name == "money" else ""))
    units = _UNITS.get(name)
    factor = None
    if match is not None:
        given = match[2].lower() if name == "cpu" else match[2].upper()
        factor = (units or {"": 1}).get(given)
    if match is None or factor is None or (not units and name != "money" and "." in match[1]):
        raise ValueError(f"{option(name)} {text!r}: write {_HOW[name]}, or {NONE}")
    amount = float(match[1]) * factor
    if not LEAST[name] <= amount <= MOST[name]:
        least, most = format_amount(name, LEAST[name]), format_amount(name, MOST[name])
        raise ValueError(f"{option(name)} {text!r} is out of range: from {least} to {most}, or {NONE}")
    return amount if name == "money" else round(amount)


def format_amount(name: str, amount: float | None) -> str:
    if amount is None:
        return "no limit"
    if name == "money":
        return f"${amount:,.2f}"
    for unit, factor in reversed(_UNITS.get(name, {}).items()):
        if amount >= factor:
            value = amount / factor
            return f"{value:.0f}{unit}" if value >= 10 or value == int(value) else f"{value:.1f}{unit}"
    return f"{amount:.0f}{_SMALLEST.get(name, '')}"


_SMALLEST = {"disk": "M", "cpu": "s"}  # the units of amounts below the others


def laid_over(every: Limits, own: Mapping[str, float | int | None]) -> Limits:
    """Return a home's limits: its own (including "none") before those of every home."""
    return replace(every, **own)  # type: ignore[arg-type]
