"""Trains the tie-breaker on the bundled labelled messages.

One L2-regularised logistic regression for each mode, by Newton's method from zero, deterministic.
It is evaluated on held-out messages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bench import labelled
from furoshiki.language import nlp, signals, testimony
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.signals import PLEASANT
from furoshiki.owner.routing.rules import deciding
from furoshiki.owner.routing.rules.deciding import CLASSES, FEATURES, Before, Head
from furoshiki.owner.routing.rules.weights import Weights
from furoshiki.owner.routing.values import Mode

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]

STARTER = "routing_starter.tsv"

FOLDS = 5
RIDGE, VECTOR_RIDGE = 0.3, 3.0
"""L2 penalties of the weights of signals and of the vector."""

_STEPS = 25


@dataclass(frozen=True)
class Example:
    """One message: text, features besides its vector, close modes, and the right one."""

    text: str
    features: tuple[float, ...]
    close: tuple[Mode, ...]
    label: Mode


def as_file(weights: Mapping[str, str], **more: Any) -> str:
    """Format the classifier's file."""
    return json.dumps({**more, "features": FEATURES, "classes": CLASSES, "weights": weights}, indent=1) + "\n"


def examples(rows: Sequence[labelled.Labelled], lexicon: Lexicon, w: Weights) -> list[Example]:
    """Return labelled messages as training examples, without those that need no decision."""
    found = []
    for row in rows:
        text = testimony.own(row.text, ())
        pleased = any(name in PLEASANT for name in signals.read(text, lexicon).strengths)
        around = replace(row.around, pleased=pleased)
        judged = deciding.judge(row.text, nlp.read(row.text, lexicon), around, Before(), w)
        if judged.features and row.label in CLASSES:
            found.append(Example(row.text, judged.features, judged.close or CLASSES, row.label))
    return found


def agreement(head: Head, told: Sequence[Example], vectors: Matrix | None) -> float:
    """Return a head's accuracy among the close modes."""
    right = 0
    for number, one in enumerate(told):
        vector = () if vectors is None else vectors[number].tolist()
        right += deciding.best(head.shares(one.features, vector), one.close)[0] == one.label
    return right / len(told)


def held_out(told: Sequence[Example], vectors: Matrix | None) -> float:
    """Return the cross-validated accuracy."""
    right = asked = 0
    for fold in range(FOLDS):
        kept = [place for place in range(len(told)) if place % FOLDS != fold]
        left = [place for place in range(len(told)) if place % FOLDS == fold]
        if not left:
            continue
        part = None if vectors is None else vectors[kept]
        head = Head({mode: tuple(row) for mode, row in fit([told[place] for place in kept], part).items()})
        share = agreement(head, [told[place] for place in left], None if vectors is None else vectors[left])
        right, asked = right + round(share * len(left)), asked + len(left)
    return right / asked if asked else 0.0


def fit(told: Sequence[Example], vectors: Matrix | None) -> dict[Mode, list[float]]:
    """Return a row of weights for each mode, the constant last."""
    import numpy as np

    seen = np.array([one.features for one in told], np.float64)
    ones = np.ones((len(told), 1))
    wide = np.hstack([seen, ones] if vectors is None else [seen, vectors, ones])
    ridge = np.full(wide.shape[1], VECTOR_RIDGE)
    ridge[: seen.shape[1]], ridge[-1] = RIDGE, 1e-3
    rows: dict[Mode, list[float]] = {}
    for mode in CLASSES:
        is_it = np.array([one.label == mode for one in told], np.float64)
        row = np.zeros(wide.shape[1])
        for _ in range(_STEPS):
            share = 1 / (1 + np.exp(-np.clip(wide @ row, -50, 50)))
            slope = wide.T @ (share - is_it) + ridge * row
            bend = (wide * (share * (1 - share))[:, None]).T @ wide + np.diag(ridge)
            step = np.linalg.solve(bend, slope)
            row -= step
            if np.abs(step).max() < 1e-6:
                break
        rows[mode] = [float(number) for number in row]
    return rows
