"""Words for decisions about writing first: names of gates and verdicts, and runs of "not now"."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from furoshiki.core.catalogue import later

Verdict = Literal["sent", "held", "dropped", "failed"]

VERDICTS: Mapping[Verdict, tuple[str, str]] = {
    "sent": (later("It wrote"), "good"),
    "held": (later("Not now"), "amber"),
    "dropped": (later("Dropped"), ""),
    "failed": (later("Not delivered"), "rose"),
}
"""The label of each verdict, and the colour of its badge."""

_GATES: Mapping[str, str] = later(
    {
        "time": "Timing",
        "asked": "Asked for",
        "nudges": "Brought up again",
        "quiet": "Quiet hours",
        "recent": "Since you last wrote",
        "cooldown": "Since it last wrote first",
        "cap": "First messages today",
        "mood": "Its anger",
        "room": "Room for yourself",
        "focus": "Your focus",
        "open": "Still open",
        "novelty": "Like something said recently",
        "goodbye": "Said goodbye",
        "heavy": "Something heavy",
        "twice": "Already added once",
        "words": "Finding the words",
        "polish": "A second look",
        "channel": "A chat to write to",
        "delivery": "Delivery",
    }
)


def gate(name: str | None) -> str:
    """Return the name of a gate."""
    return "" if name is None else _GATES.get(name, name.replace("_", " ").capitalize())


def figure(value: object) -> str:
    """Format what a gate measured, or its limit."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def runs(found: Sequence[Any]) -> list[list[Any]]:
    """Group consecutive decisions held by the same gate; each item has a `decision`."""
    grouped: list[list[Any]] = []
    for one in found:
        last = grouped[-1][-1].decision if grouped else None
        here = one.decision
        if last is not None and here.verdict == last.verdict == "held" and here.gate == last.gate:
            grouped[-1].append(one)
        else:
            grouped.append([one])
    return grouped
