"""Compare a message with examples of danger and of everyday talk, token by token.

`config/danger_examples_<encoder>.npz` holds the examples in all languages that the encoder reads,
created by `python -m bench.danger --write`. Their token vectors are stored as the numbers of the
nearest of 4,096 centroids, and a message is compared only with examples that have some of its
tokens' nearest centroids, as in PLAID (Santhanam et al. 2022, https://arxiv.org/abs/2205.09707).
"""

import functools
from pathlib import Path

import numpy as np
import numpy.typing as npt

from furoshiki.core.arrays import Floats
from furoshiki.core.paths import ROOT

# centroids near each token whose examples are looked at, and how many of these of each kind are
# compared: that finds the nearest almost always, in a fifth of the time that all would take
PROBED, COMPARED = 8, 150

STEPS = 127  # centroids are stored in this many steps from 0 to 1

Codes = npt.NDArray[np.uint16]
Places = npt.NDArray[np.int64]


class DangerExamples:
    """The examples for one encoder: the centroid of each token, the number of tokens of each
    example, whether it expresses danger, and how many of the nearest of each kind decide."""

    def __init__(
        self,
        centroids: npt.NDArray[np.int8],
        codes: Codes,
        lengths: npt.NDArray[np.uint8],
        grave: npt.NDArray[np.bool_],
        nearest: int,
    ) -> None:
        self._centroids = (centroids.T / STEPS).astype(np.float32)
        self._codes, self._lengths, self._grave = codes, lengths.astype(np.int64), grave
        self._nearest = int(nearest)
        self._starts = np.cumsum(self._lengths) - self._lengths
        by_centroid = np.argsort(codes, kind="stable")
        self._holders = np.repeat(np.arange(len(lengths), dtype=np.int32), self._lengths)[by_centroid]
        held = np.bincount(codes, minlength=len(centroids))
        self._first, self._held = np.cumsum(held) - held, held

    def nearness(self, tokens: Floats) -> float | None:
        """Return how much nearer a text lies to examples of danger than to everyday ones, in
        (-2, 2); None without tokens.

        `tokens` has a unit row for each token (n x dimensions).
        """
        if not len(tokens):
            return None
        alike = tokens @ self._centroids
        chosen = self._shortlist(alike)
        codes = self._codes[_spread(self._starts[chosen], self._lengths[chosen])]
        starts = np.cumsum(self._lengths[chosen]) - self._lengths[chosen]
        near = np.maximum.reduceat(alike[:, codes], starts, axis=1).mean(axis=0)
        grave = self._grave[chosen]
        return self._mean_of_nearest(near[grave]) - self._mean_of_nearest(near[~grave])

    def _mean_of_nearest(self, near: Floats) -> float:
        return float(np.partition(near, -self._nearest)[-self._nearest :].mean())

    def _shortlist(self, alike: Floats) -> Places:
        """Return the places of the examples that are probably nearest, of each kind."""
        probed = np.argpartition(alike, -PROBED, axis=1)[:, -PROBED:]
        worth = np.take_along_axis(alike, probed, axis=1).ravel()
        first, held = self._first[probed.ravel()], self._held[probed.ravel()]
        holders = self._holders[_spread(first, held)]
        likely = np.bincount(holders, np.repeat(worth, held), len(self._grave)).astype(np.float32)
        each = np.flatnonzero(self._grave), np.flatnonzero(~self._grave)
        return np.concatenate([_pick_likeliest(kind, likely) for kind in each])


@functools.cache
def load_examples(encoder: str) -> DangerExamples | None:
    """Return the examples for an encoder by its id, once for all homes of this process; None if
    there are none."""
    path = find_file(encoder)
    if not path.is_file():
        return None
    with np.load(path) as stored:
        return DangerExamples(**stored)


def find_file(encoder: str) -> Path:
    """Return the path of the examples for an encoder by its id."""
    return ROOT / "config" / f"danger_examples_{encoder}.npz"


def _pick_likeliest(places: Places, likely: Floats) -> Places:
    if len(places) <= COMPARED:
        return places
    return places[np.argpartition(likely[places], -COMPARED)[-COMPARED:]]


def _spread(first: Places, lengths: Places) -> Places:
    """Return the places of several runs in turn, by the first place of each and its length."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(first - before, lengths) + np.arange(lengths.sum())
