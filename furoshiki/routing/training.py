"""Train the tie-breaker: on the labelled messages that come along, and on what was said of the owner's own routes.

One ridge-regularised logistic regression for each mode, by Newton's method from zero: the same messages and encoder
give the same weights. How well it does is told on messages that were left out of the training.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from furoshiki.core import atomic_files
from furoshiki.language import nlp, signals, testimony
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.signals import PLEASANT
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER
from furoshiki.retrieval.client import VectorsAway
from furoshiki.routing import tie_breaker
from furoshiki.routing import weights as held_weights
from furoshiki.routing.rules import deciding, labelled
from furoshiki.routing.rules.deciding import Before
from furoshiki.routing.rules.modes import Signals
from furoshiki.routing.rules.tie_breaker import CLASSES, FEATURES, NO_ENCODER, Head, features, packed
from furoshiki.routing.rules.weights import Weights
from furoshiki.routing.store import decisions
from furoshiki.routing.store.decisions import Decision
from furoshiki.routing.values import Knowing, Mode
from furoshiki.world import World

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]

STARTER = "routing_starter.tsv"

LEAST = 20
"""Fewer labelled decisions of the owner's say nothing about how they want to be answered."""

MOST = 2000
"""The newest labelled decisions that are trained on."""

FOLDS = 5
RIDGE, VECTOR_RIDGE = 0.3, 3.0
"""How strongly the weights of signals and of the vector are held to zero."""

OWN_WEIGHT = 2.0
"""What one of the owner's own messages counts beside one of those that come along."""

_STEPS = 25

_WANTED: Mapping[str, Mode] = {"missed_clarify": "CLARIFY", "missed_act": "ACT", "under_engagement": "RESPOND"}
"""What a decision should have been, by what was said of it; "correct_route" is what it was, "wrong_route" says no more
than that it was not."""


@dataclass(frozen=True)
class Example:
    """One message: its words, what the classifier sees beside its vector, which modes were close, and what is right."""

    text: str
    features: tuple[float, ...]
    close: tuple[Mode, ...]
    label: Mode
    own: bool = False


@dataclass(frozen=True)
class Trained:
    """What became of a training: how many of the owner's decisions there were, the share of them that the classifier
    before and the new one (each on those left out of its training) agree with, and whether it was put in place."""

    labelled: int
    before: float | None = None
    after: float | None = None
    written: bool = False
    reason: str = ""


def train(world: World) -> Trained:
    """Train anew and put it in place unless it does worse. Raises ValueError for a starter table that is wrong."""
    own = _own(world)
    if len(own) < LEAST:
        reason = f"{LEAST} messages of yours whose next one said how well they were answered are needed"
        return Trained(len(own), reason=reason)
    both = [*starter(world), *own]
    try:
        encoder, _ = world.vectors.said([own[0].text])
        vectors = _embedded(world, both)
    except VectorsAway as away:
        return Trained(len(own), reason=f"memoryd makes the vectors of the messages and is away ({away}); try again")
    held = tie_breaker.current(world)
    of_own = None if encoder not in held else vectors[len(both) - len(own) :]
    before = agreement(held.get(encoder, held[NO_ENCODER]), own, of_own)
    after = held_out(both, vectors)
    if after < before:
        return Trained(len(own), before, after, reason="the new one does worse on messages it has not seen")
    weights = {encoder: packed(fit(both, vectors)), NO_ENCODER: packed(fit(both, None))}
    if not {one.text for one in own} <= {one.text for one in _own(world)}:
        return Trained(len(own), before, after, reason="something it was trained on was forgotten meanwhile; try again")
    atomic_files.write_text(tie_breaker.own_file(world), as_file(weights))
    return Trained(len(own), before, after, written=True)


def as_file(weights: Mapping[str, str], **more: Any) -> str:
    """The file of a classifier."""
    return json.dumps({**more, "features": FEATURES, "classes": CLASSES, "weights": weights}, indent=1) + "\n"


def starter(world: World) -> list[Example]:
    """The labelled messages that come along, judged with the weights that hold now."""
    rows = labelled.read((world.config / STARTER).read_text(encoding="utf-8"))
    return examples(rows, world.lexicon, held_weights.current(world))


def examples(rows: Sequence[labelled.Labelled], lexicon: Lexicon, w: Weights) -> list[Example]:
    """Labelled messages as the classifier sees them; those that nothing has to be decided about are left out."""
    found = []
    for row in rows:
        text = testimony.own(row.text, ())
        pleased = any(name in PLEASANT for name in signals.read(text, lexicon).strengths)
        around = replace(row.around, pleased=pleased)
        judged = deciding.judge(row.text, nlp.read(row.text, lexicon), around, Before(), w)
        if judged.features and row.label in CLASSES:
            found.append(Example(row.text, judged.features, judged.close or CLASSES, row.label))
    return found


def _own(world: World) -> list[Example]:
    """The owner's messages of which something was said afterwards, with what would have been right."""
    found = []
    with world.database.read() as db:
        for one in decisions.labelled(db, MOST):
            label = one.mode if one.feedback == "correct_route" else _WANTED.get(one.feedback or "")
            text = "\n".join(turn.own for turn in turns.of_key(db, one.turn_key) if turn.speaker == USER)
            if label in CLASSES and text.strip() and set(CLASSES) <= one.scores.keys():
                found.append(Example(text, _features(one), CLASSES, label, own=True))
    return found


def _features(one: Decision) -> tuple[float, ...]:
    """What the classifier saw of a decision on record."""
    kept = {name: value for name, value in one.signals.items() if name in Signals.__slots__}
    known = Knowing(one.warmth, one.knowing or 0.0, one.signals.get("density", 0.0), one.signals.get("sure", 0.0))
    return features(Signals(**kept), known, {mode: one.scores[mode] for mode in CLASSES})


def _embedded(world: World, told: Sequence[Example]) -> Matrix:
    import numpy as np

    return np.asarray(world.vectors.embed([one.text for one in told]), np.float64)


def agreement(head: Head, told: Sequence[Example], vectors: Matrix | None) -> float:
    """The share of messages for which a head says what is right, among the modes that were close."""
    right = 0
    for number, one in enumerate(told):
        vector = () if vectors is None else vectors[number].tolist()
        right += deciding.best(head.shares(one.features, vector), one.close)[0] == one.label
    return right / len(told)


def held_out(told: Sequence[Example], vectors: Matrix | None, counts: Callable[[Example], bool] | None = None) -> float:
    """The agreement with the owner's messages (or those that `counts`), each by a head that has not seen it."""
    counts = counts or (lambda one: one.own)
    right = asked = 0
    for fold in range(FOLDS):
        kept = [place for place in range(len(told)) if place % FOLDS != fold]
        left = [place for place in range(len(told)) if place % FOLDS == fold and counts(told[place])]
        if not left:
            continue
        part = None if vectors is None else vectors[kept]
        head = Head({mode: tuple(row) for mode, row in fit([told[place] for place in kept], part).items()})
        share = agreement(head, [told[place] for place in left], None if vectors is None else vectors[left])
        right, asked = right + round(share * len(left)), asked + len(left)
    return right / asked if asked else 0.0


def fit(told: Sequence[Example], vectors: Matrix | None) -> dict[Mode, list[float]]:
    """A row of weights for each mode, the constant last."""
    import numpy as np

    seen = np.array([one.features for one in told], np.float64)
    ones = np.ones((len(told), 1))
    wide = np.hstack([seen, ones] if vectors is None else [seen, vectors, ones])
    ridge = np.full(wide.shape[1], VECTOR_RIDGE)
    ridge[: seen.shape[1]], ridge[-1] = RIDGE, 1e-3
    counts = np.array([OWN_WEIGHT if one.own else 1.0 for one in told])
    rows: dict[Mode, list[float]] = {}
    for mode in CLASSES:
        is_it = np.array([one.label == mode for one in told], np.float64)
        row = np.zeros(wide.shape[1])
        for _ in range(_STEPS):
            share = 1 / (1 + np.exp(-np.clip(wide @ row, -50, 50)))
            slope = wide.T @ (counts * (share - is_it)) + ridge * row
            bend = (wide * (counts * share * (1 - share))[:, None]).T @ wide + np.diag(ridge)
            step = np.linalg.solve(bend, slope)
            row -= step
            if np.abs(step).max() < 1e-6:
                break
        rows[mode] = [float(number) for number in row]
    return rows
