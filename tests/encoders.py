"""An encoder for tests that are not about encoding: words in common make texts near, and nothing is loaded."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

DIMENSIONS = 64


class WordEncoder:
    """Each word has a direction of its own; a text is the mean of its words'. Refuses texts with `poison` in them."""

    dimensions = DIMENSIONS

    def __init__(self, id_: str = "words.1", poison: str | None = None) -> None:
        self.id = id_
        self.poison = poison
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One unit row a text."""
        self.asked += texts
        rows = np.zeros((len(texts), DIMENSIONS), np.float32)
        for row, text in zip(rows, texts, strict=True):
            if self.poison is not None and self.poison in text:
                raise RuntimeError("this text breaks the encoder")
            for word in re.findall(r"\w+", text.lower()) or [""]:
                row += _direction(f"{self.id} {word}")
            row /= np.linalg.norm(row)
        return rows


@functools.cache
def _direction(name: str) -> npt.NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(DIMENSIONS)
