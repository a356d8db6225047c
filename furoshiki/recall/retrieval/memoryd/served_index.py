"""An index on a remote Chroma server: opened, checked, completed, and not queried while it is away.

The database stores which rows should be in it (`index_state`). Rows that the server lost are marked
as not indexed and added again, so a fill may be interrupted anywhere. While the server is away or
too slow, callers get an error at once and query the database instead; the keeper checks about once
a minute whether it is back.

The server's answers are not trusted: results are rows of the database, ranked by their whole
vectors.
"""

import logging
import random
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from furoshiki.core import refs
from furoshiki.core.arrays import Floats
from furoshiki.core.database import troubles
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import StorageUnavailable
from furoshiki.recall.embeddings.reduction import Reduction
from furoshiki.recall.retrieval.memoryd import tenants
from furoshiki.recall.retrieval.memoryd.chroma import COLLECTIONS, SEARCH_WIDTH
from furoshiki.recall.retrieval.memoryd.chroma_server import ChromaServer, NotThere, ServerAway, Tenant
from furoshiki.recall.retrieval.memoryd.engine import State
from furoshiki.recall.retrieval.memoryd.index import FILL_BATCH, MORE, NEIGHBOURS, OPEN_SAMPLE, SAME, drop_rowless
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import INDEXED, Kind

TELL_AFTER = 30  # consecutive failures, about one a minute, after which the owner is informed
ASKED_AT_ONCE = 25  # stored vectors in one request of an audit

_MARKED_AT_ONCE = 2000

log = logging.getLogger("memoryd")


class ServedIndex:
    """A data directory's vectors on a server. Only the keeper fills it; any thread may query it."""

    held_bytes = 0  # no vectors are held in memory

    def __init__(self, database: Database, data: Path, server: ChromaServer, now: Callable[[], datetime]) -> None:
        self._database = database
        self._data = data
        self._server = server
        self._now = now
        self._model = ""
        self._reduction = Reduction("")
        self._tenant: Tenant | None = None
        self._empty: set[Kind] = set()
        self._changing = threading.Lock()
        self._strays = False
        self._in_trouble = True
        self.state: State = "closed"
        self.filled = 0

    @property
    def owes(self) -> bool:
        """Whether vectors of an earlier index may still be on the server."""
        place = tenants.find_place(self._data)
        return place is not None and not place.settled

    @property
    def needs_care(self) -> bool:
        """Whether the keeper must open or fill it before it can answer."""
        return self.state != "ready"

    def nearest(self, kind: Kind, vector: Floats, limit: int) -> list[tuple[str, float]] | None:
        """Return ids with the cosines of their whole vectors, best first; None: unavailable."""
        tenant = self._tenant
        if tenant is None or self.needs_care:
            return None
        if kind in self._empty:
            return []
        try:
            width = max(MORE * limit, SEARCH_WIDTH)
            [near] = tenant.nearest(kind, self._reduction.reduced(vector)[None], width, at_once=True)
        except (ServerAway, NotThere) as error:
            self._on_server_lost(error)
            return None
        with self._database.read() as db:
            cosines = vectors.cosines(db, kind, self._model, near, vector)
        return [(refs.name(kind, row_id), cosine) for row_id, cosine in cosines[:limit]]

    def distrust(self, reason: str) -> None:
        """Begin a new one."""
        log.warning("the index on the Chroma server is not trusted any more: %s", reason)
        self.discard()

    def discard(self) -> None:
        """Begin a new one with another rotation; the old one is deleted when possible."""
        with self._changing:
            tenants.renew(self._data, self._reduction.id)
            self._tenant, self.state = None, "closed"

    def ensure(self, model: str, rng: random.Random, meanwhile: Callable[[], bool]) -> bool:
        """Make it ready; return False if the server is away, or `meanwhile` says to stop."""
        if model != self._model:
            self.close()
            self._model, self._reduction = model, Reduction.of(model)
        if self.state == "ready":
            return True
        try:
            whole = self._open(model, rng, meanwhile)
        except (ServerAway, NotThere) as error:
            self._on_server_lost(error)
            self._note(str(error))
            return False
        if whole:
            self._note(None)
        return whole

    def upsert(self, kind: Kind, ids: list[int], rows: Floats) -> bool:
        """Insert or replace rows; return False if the server is away (they follow later)."""
        tenant = self._tenant
        if tenant is None or self.needs_care:
            return False
        try:
            self._put(tenant, kind, ids, rows)
        except (ServerAway, NotThere) as error:
            self._on_server_lost(error)
            return False
        return self._tenant is tenant

    def delete(self, kind: Kind, ids: list[int]) -> None:
        """Delete rows, now or when the server is back (never found meanwhile)."""
        tenant = self._tenant
        if tenant is None or self.needs_care:
            self._strays = True
            return
        try:
            tenant.delete(kind, ids)
        except (ServerAway, NotThere) as error:
            self._strays = True
            self._on_server_lost(error)

    def missed(self, model: str, size: int, rng: random.Random) -> tuple[int, list[str]]:
        """Query `size` stored vectors: return how many were queried, and which were not found."""
        tenant = self._tenant
        if tenant is None or self.needs_care:
            return 0, []
        with self._database.read() as db:
            sample = vectors.sample(db, model, size, rng)
        missed: list[str] = []
        try:
            for kind in INDEXED:
                of_kind = [(row_id, blob) for of, row_id, blob in sample if of == kind]
                for first in range(0, len(of_kind), ASKED_AT_ONCE):
                    missed += self._not_found(tenant, kind, of_kind[first : first + ASKED_AT_ONCE])
        except (ServerAway, NotThere) as error:
            self._on_server_lost(error)
            return 0, []
        return len(sample), missed

    def without_row(self, rng: random.Random) -> list[str]:
        """Delete entries without a row (checking a part of a large index); return their ids."""
        tenant = self._tenant
        if tenant is None or self.needs_care:
            return []
        removed: list[str] = []
        try:
            for kind in INDEXED:
                removed += drop_rowless(tenant, self._database, kind, rng)
        except (ServerAway, NotThere) as error:
            self._on_server_lost(error)
            return []
        self._strays = False
        return removed

    def tidy(self) -> None:
        """Do nothing: the disk is the server's."""

    def survived(self) -> None:
        """Do nothing: it cannot crash a process."""

    def close(self) -> None:
        """Stop using it."""
        with self._changing:
            self._tenant, self.state = None, "closed"

    def _open(self, model: str, rng: random.Random, meanwhile: Callable[[], bool]) -> bool:
        """Compare the server's rows with the database, mark lost ones, and add missing ones."""
        self.state = "opening"
        with self._changing:
            tenant = self._tenant = Tenant(self._server, tenants.of(self._data, self._reduction.id))
        tenant.open()
        tenants.mark_settled(self._data)
        with self._database.read() as db:
            indexed = {kind: states.get("indexed", 0) for kind, states in vectors.backlog(db).items()}
        counts = {kind: tenant.count(kind) for kind in INDEXED}
        lost = {kind for kind in INDEXED if counts[kind] < indexed[kind]}
        for kind in lost:
            log.warning(
                "the Chroma server has %d of %d %s: they are put in again",
                counts[kind],
                indexed[kind],
                COLLECTIONS[kind],
            )
            self._mark_lost(kind)
            if counts[kind]:  # overwriting entries would degrade Chroma's graph
                tenant.clear(kind)
        self._empty = {kind for kind in INDEXED if not counts[kind] or kind in lost}
        self.state = "filling"
        if not self._fill_all(tenant, meanwhile):
            return False
        with self._changing:
            if self._tenant is not tenant:
                return False
            self.state = "ready"
        missed = self.missed(model, OPEN_SAMPLE, rng)[1]
        if missed:
            self.distrust(f"{len(missed)} of {OPEN_SAMPLE} stored vectors cannot be found")
            return False
        if self._strays:
            self.without_row(rng)
        return not self.needs_care

    def _fill_all(self, tenant: Tenant, meanwhile: Callable[[], bool]) -> bool:
        self.filled = 0
        for kind in INDEXED:
            while True:
                with self._database.read() as db:
                    rows = vectors.list_unindexed(db, kind, FILL_BATCH)
                if not rows:
                    break
                ids = [row_id for row_id, _ in rows]
                self._put(tenant, kind, ids, vectors.unpack([blob for _, blob in rows]))
                if self._tenant is not tenant:
                    return False
                with self._database.write() as db:
                    vectors.mark_indexed(db, kind, ids)
                self.filled += len(ids)
                if not meanwhile():
                    return False
        return True

    def _put(self, tenant: Tenant, kind: Kind, ids: list[int], rows: Floats) -> None:
        self._empty.discard(kind)
        tenant.upsert(kind, ids, self._reduction.reduced(rows))

    def _not_found(self, tenant: Tenant, kind: Kind, sample: list[tuple[int, bytes]]) -> list[str]:
        questions = vectors.unpack([blob for _, blob in sample])
        near = tenant.nearest(kind, self._reduction.reduced(questions), SEARCH_WIDTH, at_once=False)
        missed = []
        for (row_id, _), question, neighbours in zip(sample, questions, near, strict=True):
            if row_id not in neighbours:
                with self._database.read() as db:
                    others = vectors.cosines(db, kind, self._model, neighbours, question)
                # This many rows have the same text: any of them may be returned instead.
                if len(others) < NEIGHBOURS or others[NEIGHBOURS - 1][1] <= SAME:
                    missed.append(refs.name(kind, row_id))
        return missed

    def _mark_lost(self, kind: Kind) -> None:
        marked = _MARKED_AT_ONCE
        while marked == _MARKED_AT_ONCE:
            with self._database.write() as db:
                marked = vectors.mark_lost(db, kind, _MARKED_AT_ONCE)

    def _on_server_lost(self, error: Exception) -> None:
        """Stop querying until the keeper has opened it again."""
        if isinstance(error, NotThere):
            log.warning("%s", error)
        self.close()

    def _note(self, words: str | None) -> None:
        """Record why the server is unusable (None: it is usable)."""
        if words is None and not self._in_trouble:
            return
        self._in_trouble = words is not None
        try:
            if words is None:
                troubles.record_end(self._database, troubles.INDEX, self._now())
                return
            with self._database.write() as db:
                troubles.record_failure(db, troubles.INDEX, words, self._now(), TELL_AFTER)
        except StorageUnavailable as error:
            log.warning("whether the Chroma server answers could not be written down: %s", error)
