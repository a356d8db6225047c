"""Why a model does not answer, in a sentence for its owner: which model, what happened, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from furoshiki.models.llm.failures import Failure, Kind
from furoshiki.models.llm.plans import ModelRef

SENTENCE = "the model {model} does not answer: {why}. {fix}"

_FIXES: Mapping[Kind, str] = {
    "key": "Until then the next model, or the built-in mind, answers",
    "credit": "Add some, or name another model in FUROSHIKI_MODEL_CHAT",
    "missing": "Check how FUROSHIKI_MODEL_CHAT names it{address}",
    "client": "Check what is named there, and docs/network.md",
    "network": "Check the network{address}",
    "thinking": "It is given more room with the next message; a model that thinks less answers sooner",
    "request": "Name another model in FUROSHIKI_MODEL_CHAT if it goes on",
}
_WAITING = "It is asked again with the next message"

AT_ONCE: frozenset[Kind] = frozenset({"key", "credit", "missing", "client"})
"""What only its owner can mend, and is therefore told the first time."""

HICCUPS = 2
"""Anything else may pass by itself: it is told after so many times in a row."""

_PASSED_OVER: frozenset[Kind] = frozenset({"empty", "too_big"})
"""What says something about one question, not about the model."""


def matters(failure: Failure) -> bool:
    """Whether a failure is about the model, so that the owner should see it."""
    return failure.kind not in _PASSED_OVER


def tell_after(failure: Failure) -> int:
    """After how many such failures in a row the owner is told."""
    return 1 if failure.kind in AT_ONCE else HICCUPS


def in_words(ref: ModelRef, failure: Failure, values: Mapping[str, str | None]) -> str:
    """The sentence; `values` are the settings, which may name an address for this provider."""
    address = f", and {ref.spec.address_setting}" if values.get(ref.spec.address_setting) else ""
    if not ref.spec.by_net:
        return f"the model {ref.model} does not answer: {failure}"
    fix = _FIXES.get(failure.kind, _WAITING).format(address=address)
    if failure.kind == "network" and ref.spec.here and not address:
        fix = f"Start {ref.spec.title}: it is looked for at {ref.spec.address}"
    return SENTENCE.format(model=ref.model, why=str(failure).rstrip("."), fix=fix)
