"""Reduce vectors to the directions in which everyday sentences vary most, for finding candidates.

The index compares reduced vectors; candidates are then ranked by their whole vectors, which the
database stores. The directions of each built-in encoder are stored next to this file
(`bench/projection.py` makes them); other encoders' vectors stay whole.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from furoshiki.core.arrays import Floats

# encoders with the same weights at another precision, which share directions
_SAME_SPACE = {"minilm-fp32": "minilm-int8"}


@dataclass(frozen=True)
class Reduction:
    """A projection of an encoder's vectors for its index. `id` changes with the projection."""

    id: str
    directions: Floats | None = None

    @classmethod
    def of(cls, model: str) -> "Reduction":
        """Load the reduction of an encoder; without known directions vectors stay whole."""
        name = model.rpartition(".")[0]
        path = beside(_SAME_SPACE.get(name, name))
        if not path.is_file():
            return cls(model)
        content = path.read_bytes()
        return cls(f"{model}/{hashlib.sha256(content).hexdigest()[:12]}", np.load(path).astype(np.float32))

    def reduced(self, vectors: Floats) -> Floats:
        """Return reduced vectors (one or rows), which are not of unit length."""
        return vectors if self.directions is None else vectors @ self.directions


def beside(name: str) -> Path:
    """Return the path of a built-in encoder's directions, whether it exists or not."""
    return Path(__file__).parent / f"{name}-index.npy"
