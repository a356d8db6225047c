"""An encoder for tests that are not about encoding: words in common make texts near, and nothing is loaded."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from furoshiki.recall.embeddings.models import identity

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
        return np.array([self._pooled(text) for text in texts], np.float32).reshape(len(texts), DIMENSIONS)

    def encode_tokens(self, text: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """A unit row for the text, and one for each of its words."""
        self.asked.append(text)
        rows = [_direction(f"{self.id} {word}") for word in self.pieces(text)]
        tokens = np.array([row / np.linalg.norm(row) for row in rows], np.float32).reshape(len(rows), DIMENSIONS)
        return self._pooled(text), tokens

    def pieces(self, text: str) -> list[str]:
        """The words of a text."""
        return re.findall(r"\w+", text.lower())

    def _pooled(self, text: str) -> npt.NDArray[np.float32]:
        if self.poison is not None and self.poison in text:
            raise RuntimeError("this text breaks the encoder")
        mean = np.sum([_direction(f"{self.id} {word}") for word in self.pieces(text) or [""]], axis=0)
        unit: npt.NDArray[np.float32] = (mean / np.linalg.norm(mean)).astype(np.float32)
        return unit


@functools.cache
def _direction(name: str) -> npt.NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(DIMENSIONS)


WIDE = identity("colbert-small")


class WideEncoder(WordEncoder):
    """Words as vectors of 384 numbers, under the id of an encoder whose index has fewer."""

    dimensions = 384

    def __init__(self) -> None:
        super().__init__(WIDE)
        self._widening = np.linalg.qr(np.random.default_rng(7).standard_normal((384, WordEncoder.dimensions)))[0].T

    def encode(self, texts: list[str]) -> npt.NDArray[np.float32]:  # type: ignore[override]
        return np.array([self._pooled(text) for text in texts], np.float32)

    def _pooled(self, text: str) -> npt.NDArray[np.float32]:
        wide: npt.NDArray[np.float32] = (super()._pooled(text) @ self._widening).astype(np.float32)
        return wide
