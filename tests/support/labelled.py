"""memoryd as far as it makes vectors of what is said, and remembers what it was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from furoshiki.recall.embeddings.encoder import Encoder
from tests.support.world import NoVectors


class Remembered(NoVectors):
    """Makes vectors of texts by an encoder."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
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
        return self._encoder.id, [list(map(float, row)) for row in self._encoder.encode(list(texts))]
