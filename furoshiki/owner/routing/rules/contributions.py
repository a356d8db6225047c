"""Explain a decision: each weight's contribution is the score with it less the score without it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from furoshiki.owner.routing.rules.modes import Signals, adjust_scores, scores
from furoshiki.owner.routing.rules.weights import NAMES, Weights
from furoshiki.owner.routing.values import MODES, Knowing, Mode

_LEVELS = ("_above", "_below", "_from", "_to", "_full")
"""Suffixes of weights that are thresholds and add nothing themselves."""

_ADDED = tuple(
    (name, mode)
    for name in NAMES
    if not name.endswith(_LEVELS)
    for mode in MODES
    if name.startswith(f"{mode.lower()}_")
)

SAME = 0.002
"""The tolerance: scores are stored with four digits, their inputs with fewer."""


@dataclass(frozen=True)
class Part:
    """A weight's contribution to its mode's score, negative for a penalty."""

    name: str
    value: float


@dataclass(frozen=True)
class Explained:
    """The contributions to each mode's score, the largest first. `exact`: they add up to the stored
    scores (otherwise the weights have changed since)."""

    parts: Mapping[Mode, tuple[Part, ...]]
    exact: bool


def explain(
    signals: Mapping[str, Any],
    knowing: Knowing,
    w: Weights,
    recorded: Mapping[str, float],
    previous: Mode | None,
    *,
    productive: bool | None,
) -> Explained:
    """Explain the scores of a message from its stored signals."""
    signal_names = {field.name for field in fields(Signals)}
    seen = Signals(**{name: value for name, value in signals.items() if name in signal_names})

    def scored(numbers: Weights) -> Mapping[Mode, float]:
        return adjust_scores(scores(seen, knowing, numbers), numbers, previous, productive=productive)

    whole = scored(w)
    parts_of: dict[Mode, list[Part]] = {mode: [] for mode in MODES}
    for name, mode in _ADDED:
        added = whole[mode] - scored(replace(w, **{name: 0.0}))[mode]
        if abs(added) > 1e-9:
            parts_of[mode].append(Part(name, added))
    parts = {mode: tuple(sorted(each, key=lambda one: -abs(one.value))) for mode, each in parts_of.items()}
    exact = all(abs(whole[mode] - recorded.get(mode, whole[mode])) <= SAME for mode in MODES)
    return Explained(parts, exact)
