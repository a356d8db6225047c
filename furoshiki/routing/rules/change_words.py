"""A change of the router in words: what is done otherwise, why, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from furoshiki.routing.rules.changes import Change, Pressure
from furoshiki.routing.rules.regulator import (
    ACT_AT_LEAST,
    DISAGREED,
    MISROUTED,
    RESPOND_AT_MOST,
    RESPOND_OVER,
    TIE_BREAKS,
)

_DONE: Mapping[str, tuple[str, str]] = {
    "respond": ("I answer in words sooner", "I answer in words less readily"),
    "clarify": ("I ask back sooner", "I ask back less readily"),
    "act": ("I look something up sooner", "I look something up less readily"),
    "acknowledge": ("I leave it at a sign sooner", "I leave it at a sign less readily"),
    "ignore": ("I say nothing sooner", "I say nothing less readily"),
    "margin": ("I take more choices for close ones", "I take fewer choices for close ones"),
}
"""By the first word of a number: what a higher one comes to, and a lower one."""

_OF_ANOTHER_RELEASE = ("I do more of what this number is about", "I do less of what this number is about")

_TAKEN_AWAY = frozenset({"respond_cold"})
"""Numbers that are taken from their mode's score: a higher one comes to less of it."""

MISSING: Mapping[str, str] = {
    "memory_availability": "what I could have remembered or looked up",
    "intent_clarity": "what you wanted",
    "tone_ambiguity": "how it was meant",
    "context_sufficiency": "what it was about",
    "social_vs_substantive": "whether it was small talk",
}
"""What was missing of an answer, looking back."""

_CAUSES: Mapping[str, str] = {
    "missed_clarify": ", mostly where I should have asked back",
    "missed_act": ", mostly where I should have looked something up first",
    "under_engagement": ", mostly where a sign was too little",
    "RESPOND": ", mostly where I answered in words",
    "CLARIFY": ", mostly where I asked back",
    "ACT": ", mostly where I looked something up first",
    "ACKNOWLEDGE": ", mostly where I gave a sign",
    "IGNORE": ", mostly where I said nothing",
    **{name: f", mostly {words}" for name, words in MISSING.items()},
}

_MEASURED: Mapping[str, Callable[[float], str]] = {
    "tie_break": lambda value: f"{value:.0%} of the choices were too close to call",
    "respond_share": lambda value: f"{RESPOND_AT_MOST + value:.0%} of all messages were simply answered in words",
    "act_share": lambda value: f"{_share(ACT_AT_LEAST - value)} had me look something up or do something",
    "misroute": lambda value: f"{value:.0%} of the answers that you let me know about were not what you needed",
    "reflection": lambda value: f"looking back, something I needed was missing in {value:.0%} of the answers",
}


WATCHED: Mapping[str, str] = {
    "misroute": f"Answers you let it know were not what you needed; fine up to {MISROUTED:.0%}",
    "reflection": f"Answers in which, looking back, something was missing; fine up to {DISAGREED:.0%}",
    "tie_break": f"Choices that were too close to call; fine up to {TIE_BREAKS:.0%}",
    "respond_share": f"Messages simply answered in words; fine up to {RESPOND_AT_MOST + RESPOND_OVER:.0%}",
    "act_share": f"Messages that had it look something up or do something; fine from {ACT_AT_LEAST:.0%} on",
}
"""What is looked at once a day, and up to where it is well."""


def measured(pressure: Pressure) -> str:
    """How much of it there is: "12% of the choices were too close to call"."""
    return _MEASURED[pressure.name](pressure.value)


def _share(of_messages: float) -> str:
    return "none of the messages" if of_messages < 0.0005 else f"only {of_messages:.1%} of all messages"


def done(change: Change) -> str:
    """What is done otherwise, with the number: "I ask back sooner (clarify_base 0.3 → 0.32)"."""
    more = (change.value_after > change.value_before) != (change.parameter in _TAKEN_AWAY)
    words = _DONE.get(change.parameter.partition("_")[0], _OF_ANOTHER_RELEASE)[0 if more else 1]
    return f"{words} ({change.parameter} {change.value_before:g} → {change.value_after:g})"


def why(change: Change) -> str:
    """What it was changed for, as it was measured then."""
    cause = change.pressure.partition(".")[2]
    return _in_figures(change, change.pressure_before) + _CAUSES.get(cause, "")


def after(change: Change) -> str | None:
    """The same as it was measured two days later; None where it was not, or not yet."""
    return None if change.pressure_after is None else _in_figures(change, change.pressure_after)


def _in_figures(change: Change, value: float) -> str:
    """What was measured; of another release's figure only how large it was."""
    said = _MEASURED.get(change.name)
    return f"{change.name} was {value:g}" if said is None else said(value)


def fate(change: Change) -> str:
    """What became of it: "kept", "taken back: it did not help", …"""
    if change.state == "measuring":
        return "being measured"
    if change.state == "kept":
        return "kept"
    return "taken back by you" if change.taken_back_by_owner else "taken back: it did not help"
