"""Find what was said or concluded: by meaning and by words, fused by rank. Reading never writes.

The one public way into memory, for a turn, a skill, a command or a benchmark. Meaning is asked of memoryd, which
answers in milliseconds or not at all; then the stored vectors nearest to the best full-text hits speak for it, so that
a turn is never slow and never blind. `recall_exactly` is for commands: it embeds the questions in this process and
looks at every vector, also at those of rows that are not indexed yet, and so gives the same answer whatever the
daemon is doing.
"""

from __future__ import annotations

import dataclasses
import heapq
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from furoshiki.domain.ranking import CANDIDATES, FULL_TEXT_WEIGHT, MEANING_WEIGHT, final, fuse, query_words
from furoshiki.domain.remembering import EVERYWHERE, KINDS, Kind, Recalled, Scope
from furoshiki.storage import search, vectors
from furoshiki.storage.store import Store
from furoshiki.vectors import VectorsAway

if TYPE_CHECKING:
    from furoshiki.embed.encoder import Encoder

LIKENESS_HITS = 5
"""How many full-text hits speak for the meaning of a question when memoryd is away."""

LIKENESS_SCANNED = 2000
"""Newest vectors they are compared with; more would cost a turn its time (5 ms a thousand)."""

PENDING_EMBEDDED = 2000
"""Rows without a vector that `recall_exactly` embeds on the way (4 ms each); beyond them words alone must find."""

Names = Sequence[str]


class Nearest(Protocol):
    """Whoever knows what is near in meaning; `furoshiki.vectors.Vectors` is one."""

    def query(self, text: str, kinds: Sequence[Kind] = KINDS, k: int = CANDIDATES) -> list[tuple[str, float]]:
        """Ids with cosines, best first. Raises VectorsAway."""
        ...


class Remembers(Protocol):
    """The part of a World that recall touches."""

    @property
    def store(self) -> Store: ...

    @property
    def vectors(self) -> Nearest: ...


@dataclasses.dataclass(frozen=True)
class Wanted:
    """One question of a batch."""

    query: str
    k: int
    now: datetime


def recall(world: Remembers, query: str, *, k: int, now: datetime, scope: Scope = EVERYWHERE) -> tuple[Recalled, ...]:
    """The `k` best answers to `query`, best first; fewer when there are no more. Raises StorageUnavailable."""
    near: Names | None
    try:
        near = [name for name, _ in world.vectors.query(query, scope.kinds, CANDIDATES)]
    except VectorsAway:
        near = None
    with world.store.read() as db:
        told = _told(db, query, scope.kinds)
        if near is None:
            near = _alike(db, told)
        return _ranked(db, near, told, k, now, scope)


def recall_exactly(
    store: Store, encoder: Encoder, wanted: Sequence[Wanted], scope: Scope = EVERYWHERE
) -> list[tuple[Recalled, ...]]:
    """The answers to many questions, without memoryd and without chance. Raises StorageUnavailable."""
    if not wanted:
        return []
    questions = encoder.encode([one.query for one in wanted])
    with store.read() as db:
        near: list[dict[str, float]] = [{} for _ in wanted]
        for kind in scope.kinds:
            waiting = vectors.waiting(db, kind, PENDING_EMBEDDED)
            fresh = questions @ encoder.encode([row.text for row in waiting]).T
            stored = vectors.nearest(db, kind, encoder.id, questions, CANDIDATES)
            for i, found in enumerate(stored):
                near[i].update((f"{kind}:{row_id}", cosine) for row_id, cosine in found)
                near[i].update((f"{kind}:{row.id}", float(fresh[i, j])) for j, row in enumerate(waiting))
        return [
            _ranked(db, _best(cosines), _told(db, one.query, scope.kinds), one.k, one.now, scope)
            for one, cosines in zip(wanted, near, strict=True)
        ]


def _told(db: sqlite3.Connection, query: str, kinds: Sequence[Kind]) -> dict[Kind, Names]:
    words = query_words(query)
    return {kind: [f"{kind}:{row_id}" for row_id in search.full_text(db, kind, words, CANDIDATES)] for kind in kinds}


def _ranked(
    db: sqlite3.Connection, near: Names, told: Mapping[Kind, Names], k: int, now: datetime, scope: Scope
) -> tuple[Recalled, ...]:
    """Cosines are comparable between kinds and rank together; BM25 is not, so each kind's words are a voice."""
    fused = fuse([(MEANING_WEIGHT, near), *((FULL_TEXT_WEIGHT, names) for names in told.values())])
    found = [one for one in search.whole(db, fused).values() if scope.holds(one)]
    scored = [(final(fused[one.id], one.kind, one.at, now), one) for one in found]
    best = heapq.nsmallest(k, scored, key=lambda pair: (-pair[0], pair[1].kind, -int(pair[1].id.partition(":")[2])))
    return tuple(dataclasses.replace(one, score=score) for score, one in best)


def _best(cosines: Mapping[str, float]) -> Names:
    return heapq.nsmallest(CANDIDATES, cosines, key=lambda name: (-cosines[name], name))


def _alike(db: sqlite3.Connection, told: Mapping[Kind, Names]) -> Names:
    """Turns near the weighted mean of the best full-text hits' vectors; nothing when no hit has a vector."""
    model = vectors.model(db)
    hits = [int(name.partition(":")[2]) for name in told.get("turn", ())[:LIKENESS_HITS]]
    if model is None or not hits:
        return []
    known = vectors.of_ids(db, "turn", model, hits)
    if not known:
        return []
    import numpy as np

    weights = np.array([1 / rank for rank, row_id in enumerate(hits, 1) if row_id in known], np.float32)
    mean = weights @ vectors.unpack(list(known.values()))
    near = vectors.nearest(db, "turn", model, mean[None], CANDIDATES, LIKENESS_SCANNED)[0]
    return [f"turn:{row_id}" for row_id, _ in near]
