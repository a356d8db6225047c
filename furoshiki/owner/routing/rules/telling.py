"""Explain a routing decision to the user in plain words."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from furoshiki.core.catalogue import later, say, words
from furoshiki.owner.routing.rules.modes import Signals, adjust_scores, scores
from furoshiki.owner.routing.rules.weights import NAMES, Weights
from furoshiki.owner.routing.values import MODES, Knowing, Mode

TAKEN = words("routing_taken")
"""The modes in words."""

SAW = words("routing_saw")
"""The signals in words."""

_MOST_SEEN = 3

BROKE = words("routing_broke")
"""The tie-breaks in words."""

NEW_TOPIC = words("routing_new_topic")
"""By the kind of boundary; the first message of a chat needs no reason."""


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
