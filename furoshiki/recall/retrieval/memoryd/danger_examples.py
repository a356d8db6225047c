"""Compare a message with examples of danger and of everyday talk, token by token.

`config/danger_examples_<encoder>.npz` holds the examples, created by `python -m bench.danger
--write`. Their token vectors are stored as the numbers of the nearest of 4,096 centroids, as in
PLAID (Santhanam et al. 2022, https://arxiv.org/abs/2205.09707): half a megabyte for an encoder.
"""

import functools
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from furoshiki.core.arrays import Floats
from furoshiki.core.paths import ROOT

# the number of nearest examples of each kind that are compared: of 3 to 20 it told danger best
NEAREST = 10

STEPS = 127  # centroids are stored in this many steps from 0 to 1


class Examples(NamedTuple):
    """The examples of one language: the centroid of each token, where each example begins, and
    whether it expresses danger."""

    codes: npt.NDArray[np.uint16]
    starts: npt.NDArray[np.int64]
    grave: npt.NDArray[np.bool_]


class DangerExamples:
    """The examples for one encoder, by language."""

    def __init__(self, centroids: npt.NDArray[np.int8], by_language: dict[str, Examples]) -> None:
        self._centroids = centroids
        self._by_language = by_language

    def nearness(self, tokens: Floats, language: str) -> float | None:
        """Return how much nearer a text lies to examples of danger in its language than to
        everyday ones, in (-2, 2); None without examples in that language, or without tokens.

        `tokens` has a unit row for each token (n x dimensions).
        """
        examples = self._by_language.get(language)
        if examples is None or not len(tokens):
            return None
        near = np.zeros(len(examples.starts), np.float32)
        for row in tokens @ self._centroids.T.astype(np.float32) / STEPS:
            near += np.maximum.reduceat(row[examples.codes], examples.starts)
        near /= len(tokens)
        return _mean_of_nearest(near[examples.grave]) - _mean_of_nearest(near[~examples.grave])


@functools.cache
def load_examples(encoder: str) -> DangerExamples | None:
    """Return the examples for an encoder by its id, once for all homes of this process; None if
    there are none."""
    path = find_file(encoder)
    if not path.is_file():
        return None
    with np.load(path) as stored:
        return arrange(**stored)


def arrange(
    centroids: npt.NDArray[np.int8],
    codes: npt.NDArray[np.uint16],
    lengths: npt.NDArray[np.uint8],
    grave: npt.NDArray[np.bool_],
    languages: npt.NDArray[np.str_],
) -> DangerExamples:
    """Return the examples by language. `codes` are the centroids of all tokens, of which each
    example has `lengths` in turn; `grave` and `languages` have an element for each example. A
    language needs `NEAREST` examples of each kind."""
    split = np.split(codes, np.cumsum(lengths)[:-1])
    by_language = {}
    for language in np.unique(languages):
        own = np.flatnonzero(languages == language)
        if min(grave[own].sum(), (~grave[own]).sum()) < NEAREST:
            continue
        starts = np.concatenate([[0], np.cumsum(lengths[own], dtype=np.int64)[:-1]])
        by_language[str(language)] = Examples(np.concatenate([split[at] for at in own]), starts, grave[own])
    return DangerExamples(centroids, by_language)


def find_file(encoder: str) -> Path:
    """Return the path of the examples for an encoder by its id."""
    return ROOT / "config" / f"danger_examples_{encoder}.npz"


def _mean_of_nearest(near: Floats) -> float:
    return float(np.partition(near, -NEAREST)[-NEAREST:].mean())
