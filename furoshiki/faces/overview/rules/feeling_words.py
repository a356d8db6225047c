"""Explains the values of feelings and needs in words."""

from furoshiki.core.catalogue import later, say, words

NEEDS = words("needs_about")  # what each need is, and what makes it grow

_DOES = words("needs_does")

_PRESSES = later("It's now more urgent than others. All the rules for writing first still apply.")


def does(need: str, mark: str) -> str:
    """Say what a need above a mark does; empty for a calm one."""
    if mark == "calm":
        return ""
    said = say(_DOES[need])
    return f"{said} {say(_PRESSES)}" if mark == "rose" and need != "self_knowledge" else said


USER_NEEDS = words("user_needs")


def sureness(confidence: float) -> str:
    """Say how certain a reading is, from a confidence in [0, 1]."""
    if confidence <= 0.0:
        return later("no reading yet")
    if confidence < 0.2:
        return later("a guess")
    if confidence < 0.5:
        return later("fairly unsure")
    return later("fairly sure") if confidence < 0.75 else later("sure")


_SOURCES = words("attention_sources")


def source(tag: str) -> str:
    """Return the words for the source of an item in attention."""
    return _SOURCES.get(tag, tag)
