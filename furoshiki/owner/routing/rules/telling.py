"""Which way a message was taken and why, in plain words for the person it is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from furoshiki.owner.routing.values import MODES, Mode

TAKEN: Mapping[Mode, str] = {
    "RESPOND": "something to answer",
    "CLARIFY": "something to ask back about",
    "ACT": "something to be done or looked up",
    "ACKNOWLEDGE": "something that needs no more than a sign",
    "IGNORE": "nothing",
}
"""How a mode is told."""

SAW = {
    "cancel": "you called something off",
    "action_intent": "you asked for something to be done",
    "greeting_alone": "it was a greeting and nothing else",
    "praise_alone": "it was thanks or assent and nothing else",
    "about_them": "it asked about your own life",
    "implicit_reference": "it leant on what was said earlier",
    "lookup_request": "it wanted something looked up",
    "ambiguous": "it did not name what it was about",
    "new_topic": "the topic was new",
    "statement": "you told something",
    "question": "you asked something",
}
"""What is seen in a message, in words."""

_MOST_SEEN = 3

BROKE = {
    "classifier": "it could have been {second}; I went by what such messages mostly are",
    "model": "it could have been {second}; a small model told them apart",
    "score": "it could have been {second}, which fitted a little less",
}
"""What decided where two were close, in words."""


def told(mode: Mode, scores: Mapping[str, float], signals: Mapping[str, Any], tie_break: str, warmth: float) -> str:
    """One or two sentences: how it was taken, what was seen in it, how close it was."""
    seen = [words for name, words in SAW.items() if signals.get(name)][:_MOST_SEEN]
    facts = int(signals.get("facts", 0))
    if signals.get("about_them"):
        seen.append(f"{facts or 'no'} {'memory bears' if facts == 1 else 'memories bear'} on it")
    why = f": {', '.join(seen)}" if seen else ""
    line = f"I took your message for {TAKEN[mode]}{why}. Around it there was {_felt(warmth)} to go by."
    second = next((one for one in sorted(MODES, key=lambda one: -scores.get(one, -1.0)) if one != mode), mode)
    broke = BROKE.get(tie_break)
    if broke is None or second not in scores:
        return line
    close = broke.format(second=TAKEN[second])
    return f"{line} {close[0].upper()}{close[1:]}."


def _felt(warmth: float) -> str:
    return "little" if warmth < 0.3 else "much" if warmth > 0.6 else "something"
