"""Fewer numbers for finding candidates: an encoder's vectors in the directions in which everyday sentences differ most.

The index compares these; how near its candidates are is decided by their whole vectors, which the
database keeps. Of each built-in encoder the directions lie beside this file (`bench/projection.py`
makes them); any other's vectors stay as they are.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_SAME_SPACE = {"minilm-fp32": "minilm-int8"}
"""The same weights at another precision: their vectors lie in the same directions."""


@dataclass(frozen=True)
class Reduction:
    """What takes an encoder's vectors to those of its index. `id` changes when what is in an index would change."""

    id: str
    directions: Floats | None = None

    @classmethod
    def of(cls, model: str) -> Reduction:
        """Load the reduction of an encoder; vectors stay whole where no directions are known."""
        name = model.rpartition(".")[0]
        path = beside(_SAME_SPACE.get(name, name))
        if not path.is_file():
            return cls(model)
        kept = path.read_bytes()
        return cls(f"{model}/{hashlib.sha256(kept).hexdigest()[:12]}", np.load(path).astype(np.float32))

    def reduced(self, vectors: Floats) -> Floats:
        """One vector or rows of them, with fewer numbers each; not of length one any more."""
        return vectors if self.directions is None else vectors @ self.directions


def beside(name: str) -> Path:
    """Where the directions of a built-in encoder lie, or would lie."""
    return Path(__file__).parent / f"{name}-index.npy"
