"""A classifier for messages whose two best modes are close: one logistic regression per mode.

Features are signals, scores and the vector. Weights are in `config/tie_breaker.json`, fitted by
`python -m bench.routing --write` from the shipped labelled messages or the owner's own. One set for
each encoder, and one for messages without a vector.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.core.similarity import dot, unpack
from furoshiki.owner.routing.rules.modes import Signals
from furoshiki.owner.routing.values import Knowing, Mode

CLASSES: tuple[Mode, ...] = ("RESPOND", "CLARIFY", "ACT", "ACKNOWLEDGE")
"""The modes that can be close; IGNORE is decided otherwise."""

FLAGS = (
    *("question", "interrogative", "question_mark", "statement", "ambiguous", "greeting_alone", "praise_alone"),
    *("action_intent", "implicit_reference", "lookup_request", "rephrase", "about_them", "new_topic", "negative"),
)
FEATURES = (*FLAGS, "length", "facts", "gists", "warmth", "knowing", "confidence", *CLASSES)
"""The features besides the vector, in this order; the last four are the scores."""

LONG = 20
"""Words from which on a message is long."""

NO_ENCODER = ""
"""The key of the weights for a message without a vector."""


@dataclass(frozen=True)
class Head:
    """Weights for each class: of the features, then the vector, then the constant."""

    rows: Mapping[Mode, tuple[float, ...]]

    def shares(self, seen: Sequence[float], vector: Sequence[float]) -> dict[Mode, float]:
        """Return each class's probability (sum 1). Raises ValueError for a wrong vector size."""
        whole = (*seen, *vector)
        share_of = {mode: _logistic(dot(row[:-1], whole) + row[-1]) for mode, row in self.rows.items()}
        total = sum(share_of.values())
        return {mode: share / total for mode, share in share_of.items()}


def _logistic(height: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, height))))


def features(signals: Signals, knowing: Knowing, scores: Mapping[Mode, float]) -> tuple[float, ...]:
    """Return the features of a message besides its vector, each about in [0, 1]."""
    return (
        *(float(getattr(signals, name)) for name in FLAGS),
        min(signals.tokens / LONG, 1.0),
        min(signals.facts / 10, 1.0),
        min(signals.gists / 5, 1.0),
        knowing.warmth,
        knowing.knowing,
        knowing.confidence,
        *(scores[mode] for mode in CLASSES),
    )


def heads(parsed: Mapping[str, Any]) -> dict[str, Head]:
    """Return a parsed file's classifiers by encoder id. Raises ValueError for other features."""
    if tuple(parsed["features"]) != FEATURES or tuple(parsed["classes"]) != CLASSES:
        raise ValueError("it was made for other features: train it again with `python -m bench.routing --write`")
    return {encoder: Head(_unpack(text)) for encoder, text in parsed["weights"].items()}


def _unpack(text: str) -> dict[Mode, tuple[float, ...]]:
    flat = unpack(text)
    wide = len(flat) // len(CLASSES)
    if wide * len(CLASSES) != len(flat) or wide <= len(FEATURES):
        raise ValueError("its weights are cut short: train it again with `python -m bench.routing --write`")
    return {mode: flat[row * wide : (row + 1) * wide] for row, mode in enumerate(CLASSES)}
