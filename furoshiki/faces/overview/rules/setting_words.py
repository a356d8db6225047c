"""What a setting may be, in words, and how one that is locked here is set elsewhere."""

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
    """The range of a value: "from 0 to 1,000"; "" where there is none to speak of."""
    lengths = "shortest" in about or "longest" in about
    said = [words.format(about[name]) for name, words in _WORDED.items() if name in about]
    return (", " if lengths else " ").join(said)


def choices(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What there is to choose from, as values with their words; empty where anything can be typed."""
    if told["type"] == "boolean":
        return [("True", "on"), ("False", "off")]
    return [(str(one), str(one)) for one in told["range"].get("one_of", ())]


def example(name: str, told: Mapping[str, Any]) -> str:
    """The line of `.env` that sets it. A secret's value and that of one which is not set are left to the reader."""
    value = None if told["secret"] else told["value"]
    return f"{name}={'…' if value is None else value}"
