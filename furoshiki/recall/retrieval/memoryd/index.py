"""The life cycle of the Chroma index: opened, checked, set aside when broken, refilled.

An index is distrusted in two cases: it fails to find stored vectors (checked when it is opened, and
daily by the audit), or memoryd crashed within a minute of opening it, twice, as a damaged file
crashes the process that reads it. Then the folder is set aside for inspection and a new one is
filled from the database. A memoryd killed from outside (service manager, out of memory) leaves no
crash report and does not count.

Its vectors are reduced (`embeddings.reduction`), so more candidates are requested than needed, and
these are ranked by the whole vectors of the database.
"""

import contextlib
import json
import logging
import os
import random
import shutil
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from furoshiki.core import refs
from furoshiki.core.arrays import Floats
from furoshiki.core.atomic_files import write_text
from furoshiki.core.database.connection import Database
from furoshiki.core.json_values import dict_of
from furoshiki.core.process import trees
from furoshiki.recall.embeddings.reduction import Reduction
from furoshiki.recall.retrieval.memoryd.chroma import SEARCH_WIDTH, Chroma, IndexBroken
from furoshiki.recall.retrieval.memoryd.chroma_server import Tenant
from furoshiki.recall.retrieval.memoryd.engine import State
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import INDEXED, Kind

MOST_CRASHES = 2  # crashes soon after opening, after which an index is set aside
LAST_WORDS = "memoryd.crashes"  # in `run/`: the output of `faulthandler` when memoryd crashes

_CRASHED = b"Fatal Python error"

OPEN_SAMPLE = 20  # stored vectors queried when an index is opened

FILL_BATCH = 500

PAGE = 1000
MOST_PAGES = 100  # ids read at once, and pages read in one audit, to find entries without a row

# free bytes below which a failing index is left alone, as the disk is full
ROOM_NEEDED = 64 * 1024 * 1024

SET_ASIDE_KEPT = 2

MORE = 2  # the factor of candidates to results; at least `SEARCH_WIDTH` candidates are requested

# the cosine above which two stored vectors count as equal: identical words of different turns
SAME = 0.998

NEIGHBOURS = 20

log = logging.getLogger("memoryd")


class Index:
    """Chroma in `folder`. Only the keeper's thread changes it; any thread may query it."""

    def __init__(self, database: Database, folder: Path, run: Path, now: Callable[[], datetime]) -> None:
        self._database = database
        self._folder = folder
        self._marker = folder / "furoshiki.json"
        self._not_outlived = run / "chroma.opened"
        self._last_words = run / LAST_WORDS
        self._now = now
        self._chroma: Chroma | None = None
        self._model = ""
        self._reduction = Reduction("")
        self._distrusted = threading.Event()
        self._discarded = False
        self._reason = ""
        self.state: State = "closed"
        self.filled = 0

    @property
    def owes(self) -> bool:
        """Always False: nothing of it is stored elsewhere."""
        return False

    def nearest(self, kind: Kind, vector: Floats, limit: int) -> list[tuple[str, float]] | None:
        """Return ids with cosines, best first; None: not ready (scan the database)."""
        chroma = self._chroma
        if chroma is None or self.state != "ready" or self._distrusted.is_set():
            return None
        try:
            if self._reduction.directions is None:
                return chroma.nearest(kind, vector, limit)
            near = chroma.nearest(kind, self._reduction.reduced(vector), max(MORE * limit, SEARCH_WIDTH))
        except IndexBroken as error:
            self.distrust(str(error))
            return None
        with self._database.read() as db:
            cosines = vectors.cosines(db, kind, self._model, [refs.row(name) for name, _ in near], vector)
        return [(refs.name(kind, row_id), cosine) for row_id, cosine in cosines[:limit]]

    def distrust(self, reason: str) -> None:
        """Stop using this index; the keeper sets it aside and builds a new one."""
        if not self._distrusted.is_set():
            log.warning("the index is not trusted any more: %s", reason)
        self._reason = reason
        self._distrusted.set()

    def discard(self) -> None:
        """Request a new index although nothing is wrong; the old one is deleted."""
        self._discarded = True
        self._distrusted.set()

    @property
    def needs_care(self) -> bool:
        """Whether the keeper must open, fill or replace it before it can answer."""
        return self.state != "ready" or self._distrusted.is_set()

    def ensure(self, model: str, rng: random.Random, meanwhile: Callable[[], bool]) -> bool:
        """Make it ready; return False if `meanwhile`, called between batches, says to stop."""
        if model != self._model:
            self._model, self._reduction = model, Reduction.of(model)
        if self._distrusted.is_set():
            self.close()
            if not self._room():
                return False
            self._set_aside()
            self._distrusted.clear()
        if self._chroma is None:
            self._open()
        chroma = self._chroma
        assert chroma is not None
        if self.state != "ready":
            try:
                if not self._whole(chroma, model, rng) and not self._fill(chroma, model, meanwhile):
                    return False
            except IndexBroken as error:
                self.distrust(str(error))
                return False
            self.state = "ready"
        return True

    def upsert(self, kind: Kind, ids: list[int], rows: Floats) -> bool:
        """Insert or replace rows; return False without an index (they follow later)."""
        chroma = self._chroma
        if chroma is None or self._distrusted.is_set():
            return False
        try:
            chroma.upsert(kind, ids, self._reduction.reduced(rows))
        except IndexBroken as error:
            self.distrust(str(error))
            return False
        return True

    def delete(self, kind: Kind, ids: list[int]) -> None:
        """Delete rows, if there is an index."""
        chroma = self._chroma
        if chroma is not None:
            try:
                chroma.delete(kind, ids)
            except IndexBroken as error:
                self.distrust(str(error))

    def missed(self, model: str, size: int, rng: random.Random) -> tuple[int, list[str]]:
        """Query `size` stored vectors: return how many were queried, and which were not found."""
        with self._database.read() as db:
            sample = vectors.sample(db, model, size, rng)
        return len(sample), [
            refs.name(kind, row_id)
            for kind, row_id, blob in sample
            if not self._finds(kind, row_id, vectors.unpack([blob])[0])
        ]

    def without_row(self, rng: random.Random) -> list[str]:
        """Delete entries without a row (checking a part of a large index); return their ids."""
        chroma = self._chroma
        if chroma is None or self.needs_care:
            return []
        removed: list[str] = []
        try:
            for kind in INDEXED:
                removed += drop_rowless(chroma, self._database, kind, rng)
        except IndexBroken as error:
            self.distrust(str(error))
        return removed

    def tidy(self) -> None:
        """Free disk space that the index no longer needs."""
        chroma = self._chroma
        if chroma is not None and not self._distrusted.is_set():
            chroma.tidy()

    def survived(self) -> None:
        """Record that opening did not crash the process (a minute later, or at its normal end)."""
        self._not_outlived.unlink(missing_ok=True)

    def close(self) -> None:
        chroma, self._chroma, self.state = self._chroma, None, "closed"
        if chroma is not None:
            chroma.close()

    def _open(self) -> None:
        self.state = "opening"
        if self._crashes() >= MOST_CRASHES:
            self._reason = f"memoryd crashed {MOST_CRASHES} times soon after opening it"
            self._set_aside()
            self._crashes()
        if self._folder.exists() and self._read_marker().get("model") not in (None, self._reduction.id):
            trees.remove(self._folder)
        try:
            self._chroma = Chroma(self._folder)
        except IndexBroken as error:
            if not self._room():
                raise
            self._reason = str(error)
            self._set_aside()
            self._chroma = Chroma(self._folder)

    def _room(self) -> bool:
        return shutil.disk_usage(self._folder.parent).free > ROOM_NEEDED

    def _crashes(self) -> int:
        """Return the consecutive crashes soon after opening; record that an opening begins."""
        if self._not_outlived.exists() and self._last_words.exists():
            return self._last_words.read_bytes().count(_CRASHED)
        with contextlib.suppress(FileNotFoundError):
            os.truncate(self._last_words, 0)
        self._not_outlived.touch(mode=0o600)
        return 0

    def _whole(self, chroma: Chroma, model: str, rng: random.Random) -> bool:
        """Whether all rows marked as indexed are in the index and can be found."""
        with self._database.read() as db:
            indexed = {kind: states.get("indexed", 0) for kind, states in vectors.backlog(db).items()}
        if not self._read_marker().get("complete"):
            return not any(indexed.values()) and self._mark()
        if any(chroma.count(kind) < indexed[kind] for kind in INDEXED):
            return False
        self.state = "ready"
        _, missed = self.missed(model, OPEN_SAMPLE, rng)
        if missed:
            raise IndexBroken(f"{len(missed)} of {OPEN_SAMPLE} stored vectors cannot be found")
        return True

    def _fill(self, chroma: Chroma, model: str, meanwhile: Callable[[], bool]) -> bool:
        """Fill an empty index with all vectors; overwriting would degrade Chroma's graph."""
        self.state = "filling"
        self.filled = 0
        if any(chroma.count(kind) for kind in INDEXED):
            chroma.clear()
        log.info("filling the index from the database")
        for kind in INDEXED:
            after = 0
            while True:
                with self._database.read() as db:
                    rows = vectors.read_vectors(db, kind, model, after, FILL_BATCH)
                if not rows:
                    break
                ids = [row_id for row_id, _ in rows]
                chroma.upsert(kind, ids, self._reduction.reduced(vectors.unpack([blob for _, blob in rows])))
                with self._database.write() as db:
                    vectors.mark_indexed(db, kind, ids)
                after = ids[-1]
                self.filled += len(ids)
                if not meanwhile():
                    return False
        log.info("the index holds %d vectors", self.filled)
        return self._mark()

    def _finds(self, kind: Kind, row_id: int, vector: Floats) -> bool:
        neighbours = self.nearest(kind, vector, NEIGHBOURS)
        if neighbours is None:
            return False
        if refs.name(kind, row_id) in (name for name, _ in neighbours):
            return True
        # This many rows have the same text: any of them may be returned instead.
        return len(neighbours) == NEIGHBOURS and neighbours[-1][1] > SAME

    def _read_marker(self) -> dict[str, object]:
        try:
            parsed = json.loads(self._marker.read_text())
        except (OSError, ValueError):
            return {}
        return dict_of(parsed)

    def _mark(self) -> bool:
        write_text(self._marker, json.dumps({"model": self._reduction.id, "complete": True}))
        return True

    def _set_aside(self) -> None:
        """Rename the broken folder, keeping the newest two."""
        if self._discarded:
            trees.remove(self._folder, ignore_errors=True)
        elif self._folder.exists():
            target = self._folder.with_name(f"chroma.corrupt-{self._now():%Y%m%dT%H%M%S%f}")
            self._folder.rename(target)
            log.warning("the index was set aside as %s: %s", target.name, self._reason)
        older = sorted(self._folder.parent.glob("chroma.corrupt-*"))[:-SET_ASIDE_KEPT]
        for folder in older:
            trees.remove(folder, ignore_errors=True)
        self._discarded = False
        self._not_outlived.unlink(missing_ok=True)


def drop_rowless(held: Chroma | Tenant, database: Database, kind: Kind, rng: random.Random) -> list[str]:
    """Delete entries without a row, in a part of a large index; return their ids. Raises as `held`
    does."""
    stray: list[int] = []
    for start in _pages(held.count(kind), rng):
        ids = held.ids(kind, start, PAGE)
        with database.read() as db:  # rows exist before their vectors: an entry without a row is left over
            stray += vectors.rowless(db, kind, ids)
    for first in range(0, len(stray), FILL_BATCH):
        held.delete(kind, stray[first : first + FILL_BATCH])
    return refs.names(kind, stray)


def _pages(size: int, rng: random.Random) -> list[int]:
    """Return the offsets of the pages to check: all, or MOST_PAGES from a random one on."""
    starts = list(range(0, size, PAGE))
    if len(starts) <= MOST_PAGES:
        return starts
    first = rng.randrange(len(starts))
    return [*starts[first:], *starts[:first]][:MOST_PAGES]
