"""The examples that a message is compared with for danger: their tokens in short form, and what their nearness counts.

Used by `python -m bench.danger`, which says how well it does and writes both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from furoshiki.recall.retrieval.memoryd.danger_examples import STEPS, DangerExamples, find_file

Floats = npt.NDArray[np.float32]

CENTROIDS, ROUNDS, SAMPLED = 4096, 12, 60_000
"""Centroids of all tokens; rounds of k-means, over so many of them. Of 1,024, 2,048 and 4,096 centroids the last lose
nothing against whole vectors."""

STEPS_OF_NEWTON = 30


@dataclass(frozen=True)
class Stored:
    """All examples of one encoder as they are stored; see `DangerExamples`."""

    centroids: npt.NDArray[np.int8]
    codes: Sequence[npt.NDArray[np.uint16]]
    grave: npt.NDArray[np.bool_]
    nearest: int

    def of(self, chosen: npt.NDArray[np.int64]) -> DangerExamples:
        """The chosen examples, by their places."""
        return DangerExamples(**self._arrays(chosen))

    def write(self, encoder: str) -> None:
        """Put them into their file."""
        np.savez_compressed(find_file(encoder), **self._arrays(np.arange(len(self.codes))))

    def _arrays(self, chosen: npt.NDArray[np.int64]) -> dict[str, Any]:
        codes = [self.codes[at] for at in chosen]
        lengths = np.array(list(map(len, codes)), np.uint8)
        return {
            "centroids": self.centroids,
            "codes": np.concatenate(codes),
            "lengths": lengths,
            "grave": self.grave[chosen],
            "nearest": self.nearest,
        }


def store(tokens: Sequence[Floats], grave: Sequence[bool], nearest: int) -> Stored:
    """The examples with each token as the number of its nearest centroid."""
    rows = np.concatenate(tokens)
    centroids = _find_centroids(rows)
    codes = np.split(_nearest(rows, centroids).astype(np.uint16), np.cumsum(list(map(len, tokens)))[:-1])
    return Stored(np.rint(centroids * STEPS).astype(np.int8), codes, np.array(grave), nearest)


def _find_centroids(rows: Floats) -> Floats:
    """Spherical k-means from a fixed start."""
    chance = np.random.default_rng(1)
    rows = rows[chance.permutation(len(rows))[:SAMPLED]]
    centroids = rows[: min(CENTROIDS, len(rows))].copy()
    for _ in range(ROUNDS):
        sums = np.zeros_like(centroids)
        np.add.at(sums, _nearest(rows, centroids), rows)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centroids = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), centroids)
    return centroids


def _nearest(rows: Floats, centroids: Floats) -> npt.NDArray[np.int64]:
    parts = [(rows[at : at + 4096] @ centroids.T).argmax(axis=1) for at in range(0, len(rows), 4096)]
    return np.concatenate(parts)


def fit(near: Sequence[float], odds: Sequence[float], grave: npt.NDArray[np.bool_], share: float) -> dict[str, float]:
    """Logistic regression of danger by nearness and the log odds of the head, where danger weighs `share` of all; by
    Newton's method."""
    weight = np.where(grave, share / grave.sum(), (1 - share) / (~grave).sum()) * len(grave)
    given = np.stack([np.array(near), np.array(odds), np.ones(len(grave))], axis=1)
    learned = np.zeros(3)
    for _ in range(STEPS_OF_NEWTON):
        likely = 1 / (1 + np.exp(-given @ learned))
        slope = given.T @ (weight * (likely - grave))
        curve = (given * (weight * likely * (1 - likely))[:, None]).T @ given + 1e-6 * np.eye(3)
        learned -= np.linalg.solve(curve, slope)
    return dict(zip(("near", "head", "constant"), map(float, learned.round(4)), strict=True))


def tokens_of(encoder: Any, text: str) -> Floats:
    """A unit row for each token of a text, as memoryd compares them."""
    if hasattr(encoder, "found_by"):
        return np.asarray(encoder.found_by(text, "query").tokens, np.float32)
    return np.asarray(encoder.encode_tokens(text)[1], np.float32)
