"""memoryd as far as tests say what means something: the vectors that real encoders made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bench.meaning import SAID
from bench.news import SAID as NEWS
from bench.news import SAID_ENGLISH, read
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval.client import VectorsAway
from tests.support.world import NoVectors


class Meant(NoVectors):
    """Makes vectors of what is on record (`meant_said.tsv`) by both encoders, and of news by that for English
    (`news_said_en.tsv`) or by that for other languages (`news_said.tsv`); of nothing else."""

    def __init__(self) -> None:
        rows = np.load(SAID.with_suffix(".npy")).astype(np.float32)
        lines = [line for line in SAID.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        self._known: dict[str, Any] = dict(zip(lines, rows, strict=True))
        news = np.load(NEWS.with_suffix(".npy")).astype(np.float32)
        self._known |= {text: (None, row) for (_, text), row in zip(read(NEWS), news, strict=True)}
        in_english = np.load(SAID_ENGLISH.with_suffix(".npy")).astype(np.float32)
        pairs = zip(read(SAID_ENGLISH), in_english, strict=True)
        self._known |= {text: (row, None) for (_, text), row in pairs}

    def said(self, texts: Sequence[str], *_: Any, multilingual: bool = False, **__: Any) -> Any:
        """The encoder's id and the vectors. Raises VectorsAway for what is not on record."""
        if any(self._known.get(text, (None, None))[int(multilingual)] is None for text in texts):
            raise VectorsAway("not on record")
        named = models.MULTILINGUAL if multilingual else models.COLBERT
        return models.identity(named), [self._known[text][int(multilingual)].tolist() for text in texts]
