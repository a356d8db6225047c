"""Describes the allowed values of settings in words."""

from collections.abc import Mapping
from typing import Any

_WORDED = {
    "from": "from {:,g}",
    "above": "more than {:,g}",
    "to": "to {:,g}",
    "shortest": "at least {:g} long",
    "longest": "at most {:,g} characters long",
}


def limits(about: Mapping[str, Any]) -> str:
    """Describe the range of a value: "from 0 to 1,000"; "" without one."""
    lengths = "shortest" in about or "longest" in about
    said = [words.format(about[name]) for name, words in _WORDED.items() if name in about]
    return (", " if lengths else " ").join(said)


def choices(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the choices as values with labels; empty if any text is allowed."""
    if told["type"] == "boolean":
        return [("True", "on"), ("False", "off")]
    return [(str(one), str(one)) for one in told["range"].get("one_of", ())]


def example(name: str, told: Mapping[str, Any]) -> str:
    """Return the line for `.env`, with "…" for secret and unset values."""
    value = None if told["secret"] else told["value"]
    return f"{name}={'…' if value is None else value}"
