"""Explains the values of feelings and needs in words."""

from collections.abc import Mapping

from furoshiki.core.catalogue import later, say

NEEDS: Mapping[str, str] = later(
    {
        "communication": "Talking. It grows with loneliness and worry, and with little joy.",
        "connection": "Being close. It grows with loneliness, and when ease and affection are missing.",
        "curiosity_need": "Finding things out. It is its curiosity itself.",
        "helpfulness": "Being useful. It grows with affection, and when joy and ease are missing.",
        "self_knowledge": "Understanding itself. It grows with curiosity and anger, and when ease is missing.",
    }
)
"""What each need is, and what makes it grow."""

_DOES: Mapping[str, str] = later(
    {
        "communication": "It would like to hear how you are: a thought about that is waiting to be said.",
        "connection": "It would like to share something of its own: a thought about that is waiting.",
        "curiosity_need": "It would like to ask you something: a question is waiting.",
        "helpfulness": "It's looking for something it can take off your hands: a thought about that is "
        "waiting to be said.",
        "self_knowledge": "It asks itself a question to think about at night. It doesn't ask you.",
    }
)

_PRESSES = later("It's now more urgent than others. All the rules for writing first still apply.")


def does(need: str, mark: str) -> str:
    """Say what a need above a mark does; empty for a calm one."""
    if mark == "calm":
        return ""
    said = say(_DOES[need])
    return f"{said} {say(_PRESSES)}" if mark == "rose" and need != "self_knowledge" else said


USER_NEEDS: Mapping[str, str] = later(
    {
        "companionship": "company",
        "emotional_support": "someone to lean on",
        "playfulness": "lightness",
        "focus": "help to stay with one thing",
        "challenge": "to be challenged",
        "grounding": "calm",
        "space": "room for yourself",
    }
)


def sureness(confidence: float) -> str:
    """Say how certain a reading is, from a confidence in [0, 1]."""
    if confidence <= 0.0:
        return later("no reading yet")
    if confidence < 0.2:
        return later("a guess")
    if confidence < 0.5:
        return later("fairly unsure")
    return later("fairly sure") if confidence < 0.75 else later("sure")


_SOURCES: Mapping[str, str] = later(
    {
        "user": "you",
        "drift": "a passing thought",
        "consolidation": "something that became clear",
        "schedule": "something that is due",
        "plugin": "a plugin",
    }
)


def source(tag: str) -> str:
    """Return the words for the source of an item in attention."""
    return _SOURCES.get(tag, tag)
