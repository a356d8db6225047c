"""Explain a routing decision to the user in plain words."""

from collections.abc import Mapping
from typing import Any

from furoshiki.core.catalogue import later, say, words
from furoshiki.owner.routing.values import MODES, Mode

TAKEN = words("routing_taken")  # the modes in words
SAW = words("routing_saw")  # the signals in words

_MOST_SEEN = 3

BROKE = words("routing_broke")  # the tie-breaks in words

# by the kind of boundary; the first message of a chat needs no reason
NEW_TOPIC = words("routing_new_topic")


def describe_choice(
    mode: Mode, scores: Mapping[str, float], signals: Mapping[str, Any], tie_break: str, warmth: float
) -> str:
    """Return one or two sentences: the mode, the signals, and how close it was."""
    reasons = [say(words) for name, words in SAW.items() if signals.get(name)][:_MOST_SEEN]
    if signals.get("about_them"):
        reasons.append(say("related memories: {number}", number=int(signals.get("facts", 0))))
    why = f": {', '.join(reasons)}" if reasons else ""
    line = (
        f"{say('I took your message as {what}{why}.', what=say(TAKEN[mode]), why=why)} {say(_describe_warmth(warmth))}"
    )
    second = next((one for one in sorted(MODES, key=lambda one: -scores.get(one, -1.0)) if one != mode), mode)
    broke = BROKE.get(tie_break)
    if broke is None or second not in scores:
        return line
    return f"{line} {say(broke, second=say(TAKEN[second]))}"


def _describe_warmth(warmth: float) -> str:
    if warmth < 0.3:
        return later("There was little context to go by.")
    much, something = later("There was plenty of context to go by."), later("There was some context to go by.")
    return much if warmth > 0.6 else something
