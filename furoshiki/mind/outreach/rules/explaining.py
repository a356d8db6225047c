"""Describe decisions about unprompted messages in plain words: topic, gates, outcome.

All wording comes from stored values, so the chat, the shell and the pages agree.
"""

import re
from collections.abc import Mapping
from typing import Any

from furoshiki.core.catalogue import later, say, say_number
from furoshiki.core.paths import ROOT, read_toml_file

_WORDS = read_toml_file(ROOT / "config" / "outreach_words.toml")
_KINDS, _OUTCOMES, _GATES = _WORDS["kinds"], _WORDS["outcomes"], _WORDS["gates"]

_BY = "in the words of "  # in a message's reason, the text before the name of its model
_INTERRUPTED = "the owner wrote"  # the start of a reason for a message that gave way to the owner


def kind(name: str) -> str:
    """Name a kind of item with its article: "a question"."""
    return say(_KINDS[name]) if name in _KINDS else f"a {name.replace('_', ' ')}"


def name_gate(name: str | None) -> str:
    """Name a gate for a page; empty without one."""
    if name is None:
        return ""
    return str(_GATES[name]["name"]) if name in _GATES else name.replace("_", " ").capitalize()


def outcome(name: str | None) -> str:
    """Describe how a message was received, in a sentence."""
    if name is None:
        return say("I cannot tell yet how you took it.")
    return say(_OUTCOMES.get(name, later("It was {how}.")), how=name)


def describe_pass(seen: Mapping[str, Any]) -> str:
    """Describe what a passing gate saw."""
    return _saw(seen, "passes")


def holds(seen: Mapping[str, Any]) -> str:
    """Describe what a holding gate sees."""
    return _saw(seen, "holds")


def describe_hold(gate: str | None, reason: str, gates: tuple[Mapping[str, Any], ...]) -> str:
    """Explain, from a decision, why an item was held or dropped."""
    if reason.startswith(_INTERRUPTED):
        return say("you wrote, or it was settled, while I looked for words")
    if because := _GATES.get(gate or "", {}).get("because"):
        return f"{say(because)} ({reason})"
    seen = next((one for one in gates if one["gate"] == gate), None)
    return holds(seen) if seen is not None else reason


def mind(reason: str) -> str | None:
    """Return the "provider:model" that worded a message, read from its reason; None if absent."""
    return reason.rpartition(_BY)[2] if _BY in reason else None


def describe_weight(weight: float) -> str:
    """Describe the effect of a weight on a kind."""
    if weight < 1:
        return say("waits {number} times as long", number=f"{1 / weight:.1f}")
    if weight > 1:
        return say("comes before others that are as urgent")
    return say("as everything begins")


def _saw(seen: Mapping[str, Any], which: str) -> str:
    words, value, limit = _GATES.get(seen["gate"], {}), seen["value"], seen["limit"]
    if value in words.get("bare", ()):
        return say(words["bare"][value])
    return say(
        words.get(which, "{gate}: {value} ({limit})"), gate=seen["gate"], value=_value(value), limit=_value(limit)
    )


def _value(value: object) -> str:
    """Format a figure for reading: "12 minutes", "3 hours 20 minutes", "0.35"."""
    if not isinstance(value, str):
        return f"{value:g}" if isinstance(value, float) else str(value)
    match = _SPAN.fullmatch(value)
    if match is None:
        return value
    hours, minutes = int(match[1] or 0), int(match[2])
    parts = [say_number("{number} hour", "{number} hours", hours)] if hours else []
    parts += [say_number("{number} minute", "{number} minutes", minutes)] if minutes else []
    return " ".join(parts) or say("a moment")


_SPAN = re.compile(r"(?:(\d+) h )?(\d+) min")
