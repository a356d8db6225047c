"""An index in memory: a linear scan of a home's vectors, without files.

For a small home with its own memoryd: a thousand reduced vectors take 0.26 MB and 0.1 ms to scan,
while Chroma takes 37 MB when empty and 1 to 1.4 ms to answer (ADR 0069).

For all homes of a shared memoryd. Chroma does not suit a process with several homes' texts: it
writes uninitialised process memory behind the vectors (ADR 0009), so that one home's words could
end in another's files; a damaged file of one home would crash the process for all; and every open
index costs 9 MB more, 7 threads and 15 files.
"""

import logging
import math
import random
from collections.abc import Callable

import numpy as np

from furoshiki.core import refs
from furoshiki.core.arrays import Floats, Ids
from furoshiki.core.database.connection import Database
from furoshiki.recall.embeddings.reduction import Reduction
from furoshiki.recall.retrieval.memoryd.chroma import SEARCH_WIDTH
from furoshiki.recall.retrieval.memoryd.engine import State
from furoshiki.recall.retrieval.memoryd.index import FILL_BATCH, MORE, PAGE
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import INDEXED, Kind

Part = tuple[Ids, Floats]

MOST_HELD = 250_000  # The most (newest) vectors of a kind: 64 MB. Older rows are found by words.

log = logging.getLogger("memoryd")


class HeldIndex:
    """The vectors of one database, held from `ensure` to `close`. Parts are replaced atomically."""

    def __init__(self, database: Database, most: float = math.inf, outgrown: Callable[[], None] = lambda: None) -> None:
        """`outgrown` is called when more than `most` vectors are held."""
        self._database = database
        self._most = most
        self._outgrown = outgrown
        self._model = ""
        self._reduction = Reduction("")
        self._parts: dict[Kind, Part] = {}
        self.state: State = "closed"
        self.filled = 0

    @property
    def held_bytes(self) -> int:
        """Bytes of memory that its vectors take."""
        return sum(ids.nbytes + rows.nbytes for ids, rows in self._parts.copy().values())

    @property
    def needs_care(self) -> bool:
        """Whether the keeper must load it before it can answer."""
        return self.state != "ready"

    @property
    def owes(self) -> bool:
        """Always False: nothing of it is stored elsewhere."""
        return False

    def nearest(self, kind: Kind, vector: Floats, limit: int) -> list[tuple[str, float]] | None:
        """Return ids with the cosines of their whole vectors, best first; None: not loaded."""
        part = self._parts.get(kind)
        if self.state != "ready" or part is None:
            return None
        ids, rows = part
        wanted = max(MORE * limit, SEARCH_WIDTH)
        scores = rows @ self._reduction.reduced(vector) if len(ids) else np.zeros(0, np.float32)
        best = np.argpartition(-scores, wanted - 1)[:wanted] if len(ids) > wanted else np.arange(len(ids))
        with self._database.read() as db:
            cosines = vectors.cosines(db, kind, self._model, ids[best].tolist(), vector)
        return [(refs.name(kind, row_id), cosine) for row_id, cosine in cosines[:limit]]

    def distrust(self, reason: str) -> None:
        """Unload it, so that it is loaded again from the database."""
        log.warning("the index is loaded again: %s", reason)
        self.close()

    def discard(self) -> None:
        """Unload it, so that it is loaded again from the database."""
        self.close()

    def ensure(self, model: str, rng: random.Random, meanwhile: Callable[[], bool]) -> bool:
        """Load it; return False if `meanwhile` says to stop."""
        if self.state == "ready" and model == self._model:
            return True
        self.state, self.filled = "filling", 0
        self._model, self._reduction = model, Reduction.of(model)
        loaded: dict[Kind, Part] = {}
        for kind in INDEXED:
            part = self._load(kind, meanwhile)
            if part is None:
                self.close()
                return False
            loaded[kind] = part
        self._parts, self.state = loaded, "ready"
        return True

    def upsert(self, kind: Kind, ids: list[int], rows: Floats) -> bool:
        """Insert or replace rows; return False while it is not loaded."""
        part = self._parts.get(kind)
        if self.state != "ready" or part is None:
            return False
        numbers, matrix = _without(part, ids)
        new = np.array(ids, np.int64)
        if len(numbers) == 0:
            self._parts[kind] = new, self._reduction.reduced(rows)
        else:
            self._parts[kind] = np.concatenate([numbers, new]), np.concatenate([matrix, self._reduction.reduced(rows)])
        if sum(len(held) for held, _ in self._parts.copy().values()) > self._most:
            self._outgrown()
        return True

    def delete(self, kind: Kind, ids: list[int]) -> None:
        """Delete rows, ignoring missing ones."""
        part = self._parts.get(kind)
        if part is not None:
            self._parts[kind] = _without(part, ids)

    def missed(self, model: str, size: int, rng: random.Random) -> tuple[int, list[str]]:
        """Check whether `size` indexed rows are held: return the number, and missing ids."""
        if self.needs_care:
            return 0, []
        with self._database.read() as db:
            sample = vectors.sample(db, model, size, rng)
        ids_of = {kind: set(ids.tolist()) for kind, (ids, _) in self._parts.copy().items() if len(ids) < MOST_HELD}
        return len(sample), [refs.name(kind, row) for kind, row, _ in sample if row not in ids_of.get(kind, {row})]

    def without_row(self, rng: random.Random) -> list[str]:
        """Delete entries without a row; return their ids."""
        removed: list[str] = []
        for kind, (ids, _) in self._parts.copy().items():
            stray: list[int] = []
            for start in range(0, len(ids), PAGE):
                with self._database.read() as db:
                    stray += vectors.rowless(db, kind, ids[start : start + PAGE].tolist())
            if stray:
                self.delete(kind, stray)
                removed += refs.names(kind, stray)
        return removed

    def tidy(self) -> None:
        """Do nothing: it uses no disk."""

    def survived(self) -> None:
        """Do nothing: it cannot crash a process."""

    def close(self) -> None:
        """Free the memory."""
        self._parts, self.state = {}, "closed"

    def _load(self, kind: Kind, meanwhile: Callable[[], bool]) -> Part | None:
        """Return the newest vectors of a kind; None if it is time to stop."""
        numbers: list[int] = []
        parts: list[Floats] = []
        with self._database.read() as db:
            after = vectors.before_newest(db, kind, MOST_HELD)
        while True:
            with self._database.read() as db:
                rows = vectors.read_vectors(db, kind, self._model, after, FILL_BATCH)
            if not rows:
                break
            numbers += [row_id for row_id, _ in rows]
            parts.append(self._reduction.reduced(vectors.unpack([blob for _, blob in rows])))
            after = numbers[-1]
            self.filled += len(rows)
            if len(rows) == FILL_BATCH and not meanwhile():
                return None
        matrix = np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)
        return np.array(numbers, np.int64), matrix


def _without(part: Part, ids: list[int]) -> Part:
    numbers, rows = part
    stay = ~np.isin(numbers, ids)
    return part if stay.all() else (numbers[stay], rows[stay])
