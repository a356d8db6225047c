"""The real encoder in this process over the database's vectors: memoryd without socket and Chroma.

Candidates are found by comparing all vectors, as memoryd does while its index is unavailable;
ranking, token vectors and pending rows use its own code. No text is embedded twice in a process:
texts repeat, and embedding takes 5 to 15 ms.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from furoshiki.core import refs
from furoshiki.core.database.connection import Database
from furoshiki.recall.embeddings.encoder import Encoder
from furoshiki.recall.embeddings.models import has_multilingual, load, load_multilingual
from furoshiki.recall.embeddings.multilingual import MultilingualEncoder
from furoshiki.recall.retrieval import late_interaction
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.memoryd.danger_examples import load_examples
from furoshiki.recall.retrieval.memoryd.keeper import vectors_made
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import EVERYWHERE, KINDS, Kind, Scope

Floats = npt.NDArray[np.float32]

BATCH = 32


class Remembering:
    """An encoder with a cache of all texts."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, tuple[Floats, Floats]] = {}
        self.id, self.dimensions = encoder.id, encoder.dimensions

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one unit row for each text."""
        return np.stack([self.encode_tokens(text)[0] for text in texts]) if texts else self._encoder.encode(texts)

    def encode_tokens(self, text: str) -> tuple[Floats, Floats]:
        """Return a unit row for the text, and one for each token."""
        if text not in self._known:
            self._known[text] = self._encoder.encode_tokens(text)
        return self._known[text]

    def pieces(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return self._encoder.pieces(text)


@functools.cache
def encoder(name: str, models: Path) -> Remembering:
    """Load the encoder named by FUROSHIKI_EMBEDDER, once per process (0.7 s)."""
    return Remembering(load(name, models))


@functools.cache
def encoder_abroad() -> MultilingualEncoder:
    """Load the multilingual encoder, once per process. Raises NotConfigured."""
    return load_multilingual()


@functools.cache
def _abroad(text: str) -> Sequence[float]:
    vector: list[float] = encoder_abroad().encode([text])[0].tolist()
    return vector


class VectorsHere:
    """The World's interface to memoryd, in this process (see `furoshiki.world.Vectors`)."""

    def __init__(self, database: Database, encoder: Remembering, now: Callable[[], datetime]) -> None:
        self._database = database
        self._encoder = encoder
        self._now = now
        self._begun = False

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return unit vectors of texts, in order."""
        rows: list[list[float]] = self._encoder.encode(texts).tolist() if texts else []
        return rows

    def said(
        self, texts: Sequence[str], *, multilingual: bool = False, foreign: bool = True
    ) -> tuple[str, list[list[float]]]:
        """Return the encoder's id and unit vectors of new messages, by the multilingual one if
        requested. Raises VectorsAway."""
        if not multilingual:
            return self._encoder.id, self.embed(texts)
        if not has_multilingual():
            raise VectorsAway("the encoder for other languages is not installed")
        return encoder_abroad().id, [list(_abroad(text)) for text in texts]

    def near_danger(self, text: str, *, multilingual: bool = False) -> float | None:
        """Return how much nearer a text lies to examples of danger than to everyday ones."""
        if multilingual:
            identity, tokens = encoder_abroad().id, encoder_abroad().found_by(text, "query").tokens
        else:
            identity, tokens = self._encoder.id, self._encoder.encode_tokens(text)[1]
        examples = load_examples(identity)
        return None if examples is None else examples.nearness(tokens)

    def compare(self, texts: Sequence[str]) -> list[list[float]]:
        """Return vectors of texts in any language, for comparisons. Raises VectorsAway."""
        if not has_multilingual():
            raise VectorsAway("the encoder for other languages is not installed")
        return [encoder_abroad().found_by(text, "passage").whole.tolist() for text in texts]

    def expect(self, text: str) -> None:
        """Do nothing: vectors are computed on demand."""

    def expect_recall(self, text: str, **_: Any) -> None:
        """Do nothing: recall runs on demand."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return nothing: there is no reranking here."""
        return []

    def query(self, text: str, kinds: Sequence[Kind] = KINDS, k: int = 150) -> list[tuple[str, float]]:
        """Return the nearest in meaning, best first."""
        near = self._near(text, kinds, k)
        return sorted(near.items(), key=lambda pair: (-pair[1], pair[0]))[:k]

    def recall(self, text: str, *, k: int, now: datetime, scope: Scope = EVERYWHERE) -> list[tuple[str, float]]:
        """Return the best answers to a question, best first."""
        asked, _ = late_interaction.Asked.by(self._encoder, text, now, scope.kinds)
        near = self._near(asked.text, scope.kinds, late_interaction.CANDIDATES)
        with self._database.read() as db:
            ranked = late_interaction.rank(db, asked, near, self._encoder.id, scope.without, floor=scope.floor)
        return ranked[:k]

    def nudge(self) -> None:
        """Embed every waiting row except the companion's own documents, never queried here."""
        self._begin()
        for kind in KINDS:
            while True:
                with self._database.read() as db:
                    rows = vectors.list_waiting(db, kind, BATCH)
                if not rows:
                    break
                made, failed = vectors_made(self._encoder, kind, rows)
                with self._database.write() as db:
                    vectors.keep_vectors(db, kind, self._encoder.id, vectors.select_unchanged(db, kind, made))
                    vectors.mark_failed(db, kind, failed)

    def audit(self) -> dict[str, Any]:
        """Return an empty audit: there is no index."""
        return {"asked": 0, "missed": [], "removed": [], "rebuilding": False}

    def rebuild(self) -> None:
        """Do nothing: there is no index."""

    def stop(self) -> None:
        """Do nothing: there is no process."""

    def _near(self, text: str, kinds: Sequence[Kind], limit: int) -> dict[str, float]:
        found: dict[str, float] = {}
        question = self._encoder.encode([text])
        with self._database.read() as db:
            for kind in kinds:
                nearest = vectors.nearest(db, kind, self._encoder.id, question, limit)[0]
                found.update((refs.name(kind, row), cosine) for row, cosine in nearest)
        return found

    def _begin(self) -> None:
        """Record once which encoder made the vectors."""
        if not self._begun:
            with self._database.write() as db:
                vectors.model_is(db, self._encoder.id, self._now())
            self._begun = True
