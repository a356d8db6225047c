"""Describe decisions about unprompted messages in plain words: topic, gates, outcome.

All wording comes from stored values, so the chat, the shell and the pages agree.
"""

import re
from collections.abc import Mapping
from typing import Any

from furoshiki.core.catalogue import later, say, say_number

_KINDS = later(
    {
        "question": "a question",
        "follow_up": "something to come back to",
        "curiosity": "something I am curious about",
        "anticipation": "something you may need",
        "repair": "something to put right",
        "reminder": "a reminder",
        "reply_nudge": "a question of mine that is open",
        "skill_result": "something I found",
        "thought": "a thought",
        "growth": "something about myself",
        "task_update": "something on your lists",
        "delegation": "something only you can decide",
        "need": "a wish of my own",
        "plugin": "something a plugin found",
        "continuity": "one more line in our conversation",
    }
)

_OUTCOMES = later(
    {
        "answered": "You answered.",
        "welcomed": "You were glad of it.",
        "ignored": "You did not answer.",
        "disliked": "You did not like it.",
    }
)

_BY = "in the words of "
"""In a message's reason, the text before the name of its model."""

_SAW = later(
    {
        "time": ("its time had come", "its time had come"),
        "asked": ("you asked for it", "you asked for it"),
        "nudges": ("I had brought it up again {value} times (at most {limit})",) * 2,
        "quiet": (
            "it was {value}, outside the quiet hours ({limit})",
            "it is {value}, and quiet hours are {limit}",
        ),
        "recent": (
            "you had last written {value} before ({limit} needed)",
            "you wrote {value} ago ({limit} needed)",
        ),
        "cooldown": (
            "I had last written first {value} before ({limit} needed)",
            "I last wrote first {value} ago ({limit} needed)",
        ),
        "cap": (
            "I had written first {value} times that day (at most {limit})",
            "I wrote first {value} times today (at most {limit})",
        ),
        "mood": (
            "my anger was {value} (at most {limit})",
            "my anger is {value} (at most {limit}), so I'm keeping to myself",
        ),
        "room": (
            "you seemed to want space: {value} (I wait from {limit} up)",
            "you seem to want space: {value} (I wait from {limit} up)",
        ),
        "focus": (
            "you seemed deep in something: {value} (I wait from {limit} up)",
            "you seem deep in something: {value} (I wait from {limit} up)",
        ),
        "open": ("it was still open", "it is settled by now"),
        "novelty": (
            "its similarity to what I said recently was {value} (repetition from {limit})",
            "its similarity to something I said recently was {value} (repetition from {limit})",
        ),
        "goodbye": ("nobody had said goodbye", "we had said goodbye"),
        "heavy": ("nothing heavy had been said", "something heavy had been said"),
        "twice": ("the last word was an answer to you", "I had already added something"),
    }
)
"""What each gate reports when it passes, and when it holds."""

_WORDLESS = later(
    {
        ("quiet", "asked for"): "you asked for quiet",
        ("recent", "never"): "you had never written",
        ("cooldown", "never"): "I had never written first",
        ("open", "told since"): "you've talked about it since",
        ("focus", "a focus session"): "you were in a focus session",
    }
)
"""What a gate reports when there is nothing to measure."""

_HELD_BY = later(
    {
        "words": "I couldn't find the words",
        "polish": "on second thought I'd rather not say it",
    }
)
"""Holds without figures; the reason follows."""

_INTERRUPTED = "the owner wrote"
"""The start of a reason for a message that gave way to the owner."""


def kind(name: str) -> str:
    """Name a kind of item with its article: "a question"."""
    return say(_KINDS[name]) if name in _KINDS else f"a {name.replace('_', ' ')}"


def outcome(name: str | None) -> str:
    """Describe how a message was received, in a sentence."""
    if name is None:
        return say("I cannot tell yet how you took it.")
    return say(_OUTCOMES.get(name, later("It was {how}.")), how=name)


def describe_pass(seen: Mapping[str, Any]) -> str:
    """Describe what a passing gate saw."""
    return _saw(seen, 0)


def holds(seen: Mapping[str, Any]) -> str:
    """Describe what a holding gate sees."""
    return _saw(seen, 1)


def describe_hold(gate: str | None, reason: str, gates: tuple[Mapping[str, Any], ...]) -> str:
    """Explain, from a decision, why an item was held or dropped."""
    if reason.startswith(_INTERRUPTED):
        return say("you wrote, or it was settled, while I looked for words")
    if gate in _HELD_BY:
        return f"{say(_HELD_BY[gate])} ({reason})"
    seen = next((one for one in gates if one["gate"] == gate), None)
    return holds(seen) if seen is not None else reason


def mind(reason: str) -> str | None:
    """Return the "provider:model" that worded a message, read from its reason; None if absent."""
    return reason.rpartition(_BY)[2] if _BY in reason else None


def describe_weight(weight: float) -> str:
    """Describe the effect of a weight on a kind."""
    if weight < 1:
        return f"waits {1 / weight:.1f} times as long"
    return "comes before others that press as much" if weight > 1 else "as everything begins"


def _saw(seen: Mapping[str, Any], which: int) -> str:
    gate, value, limit = seen["gate"], seen["value"], seen["limit"]
    bare = _WORDLESS.get((gate, value))
    if bare is not None:
        return say(bare)
    words = _SAW.get(gate, ("{gate}: {value} ({limit})",) * 2)[which]
    return say(words, gate=gate, value=_value(value), limit=_value(limit))


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
