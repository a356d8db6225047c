"""What three people wrote to a companion, with the subject of each message and the vector a real encoder made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bench.boundaries import VECTORS, Line, lines
from furoshiki.embeddings.encoder import Encoder
from furoshiki.retrieval.client import VectorsAway
from tests.support.world import NoVectors

ENCODER = "colbert-small.4"


def labelled() -> list[Line]:
    """Every message, with its vector."""
    kept = np.load(VECTORS).astype(np.float32)
    rows = kept / np.linalg.norm(kept, axis=1, keepdims=True)
    return [replace(one, vector=tuple(map(float, row))) for one, row in zip(lines(), rows, strict=True)]


class Remembered(NoVectors):
    """memoryd as far as the labelled messages go; of other texts it makes what `others` makes, or nothing."""

    def __init__(self, told: Sequence[Line], others: Encoder | None = None) -> None:
        self._known = {one.text: list(one.vector) for one in told}
        self._others = others
        self._heard: dict[str, list[float]] = {}
        self.asked_memoryd: list[str] = []

    def embed(self, texts: Sequence[str], *_: Any, **__: Any) -> list[list[float]]:
        wanted = [text for text in texts if text not in self._heard]
        made = dict(zip(wanted, self._made(wanted)[1], strict=True)) if wanted else {}
        return [made.get(text) or self._heard[text] for text in texts]

    def said(self, texts: Sequence[str], *_: Any, **__: Any) -> tuple[str, list[list[float]]]:
        encoder, rows = self._made(texts)
        self._heard = dict(zip(texts, rows, strict=True))
        return encoder, rows

    def nudge(self) -> None:
        pass

    def _made(self, texts: Sequence[str]) -> tuple[str, list[list[float]]]:
        self.asked_memoryd += texts
        if self._known.keys() >= set(texts):
            return ENCODER, [self._known[text] for text in texts]
        if self._others is None:
            raise VectorsAway("nobody has labelled that")
        return self._others.id, [list(map(float, row)) for row in self._others.encode(list(texts))]
