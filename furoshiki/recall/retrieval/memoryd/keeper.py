"""memoryd's background work: embed waiting rows, update the index, audit it daily.

Rows are embedded newest first into the database, then added to the index, then marked as indexed; a
kill between two steps repeats the rest. Batches are small, so that a query never waits long.

New turns are added to the index in large batches: a call of Chroma costs as much for one row as for
a hundred, and is synced to disk. Until then a query scans these rows (`fresh`).
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.timestamps import parse, stamp
from furoshiki.recall.embeddings.encoder import Encoder
from furoshiki.recall.retrieval import other_languages
from furoshiki.recall.retrieval.memoryd.chroma import IndexBroken
from furoshiki.recall.retrieval.memoryd.engine import Engine
from furoshiki.recall.retrieval.store import multilingual, token_vectors, vectors
from furoshiki.recall.retrieval.store.vectors import Embedded, Waiting
from furoshiki.recall.retrieval.values import INDEXED, KINDS, Kind

if TYPE_CHECKING:
    from furoshiki.recall.embeddings.multilingual import MultilingualEncoder

EMBED_BATCH = 32  # rows whose vectors are written at once

# Rows embedded without a pause. Of the companion's own documents no more while there are requests:
# a new installation has many of them to read during the user's first messages.
EMBED_PART = 4

# pause after each part while somebody talks, as a multiple of the time the part took: vectors of an
# import then take a third of a core, and a message waits for few of them
PAUSE_FOR_TALK = 2.0

INDEX_BATCH = 256
INDEX_AT = 128
# rows with a vector, or the wait of the first, that cause an update of the index
INDEX_AFTER = timedelta(minutes=15)

# how often to look for work unasked; an index open this long counts as safe
LOOK_EVERY_SECONDS = 60.0

PACE_BATCH = 8
# the least rows of a batch whose speed is measured, and how often the speed is stored
PACE_EVERY = timedelta(minutes=10)

AUDIT_EVERY = timedelta(hours=24)
AUDIT_SIZE = 200
AUDIT_KEY = "memoryd.audited"
_MODEL_ROWS = 2000

# how a round ended: nothing left, interrupted for other homes, or rows left (or failed)
End = Literal["done", "cut", "left"]

log = logging.getLogger("memoryd")


class Keeper:
    """Writes rows' vectors and the index: in its own thread, or in rounds called from outside."""

    def __init__(
        self,
        database: Database,
        index: Engine,
        encoder: Callable[[], Encoder],
        now: Callable[[], datetime],
        rng: random.Random,
        other: Callable[[], MultilingualEncoder | None] = lambda: None,
    ) -> None:
        """`other` loads the multilingual encoder; it returns None if that is not installed."""
        self._database = database
        self._other = other
        self._other_has_read = False
        self._index = index
        self._encoder = encoder
        self._now = now
        self._rng = rng
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._asked_for_index = False
        self._at_once = True
        self._waiting_since: datetime | None = None
        self._same_model: str | None = None
        self._pace_kept: datetime | None = None
        self.busy = False
        self.on_wake: Callable[[], None] = lambda: None
        self.is_talked_to: Callable[[], bool] = lambda: False
        """Whether a person's message was being answered in the last second or so."""
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds: float = 10.0) -> None:
        """End after the current batch, waiting at most `seconds`."""
        self._stopping.set()
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join(seconds)

    def wake(self, index: bool = False, at_once: bool = False) -> None:
        """Signal possible work; `index`: a query needs the index, so open it even without work.

        `at_once`: add everything to the index now, in whatever quantity.
        """
        self._asked_for_index = self._asked_for_index or index
        self._at_once = self._at_once or at_once
        self._wake.set()
        self.on_wake()

    def end(self) -> None:
        """End a round called from outside after the current batch."""
        self._stopping.set()

    def keep(self, idle: Callable[[], bool] = lambda: True, crowded: Callable[[], bool] = lambda: False) -> bool:
        """Do one round: afterwards all rows have vectors, and the index is updated if due.

        Unless `idle` the companion's own documents wait. If `crowded` it stops after one batch;
        returns whether it was interrupted in this way.
        """
        with self._database.read() as db:
            if not self._is_wanted(db):
                return False
        encoder = self._encoder()
        self._let_other_models_go(encoder.id)
        cut = False
        while not cut and self._embed_some(encoder, idle):
            cut = crowded()
        while not cut and self._read_what_was_before():
            cut = crowded()
        if self._stopping.is_set() or not self._index.ensure(encoder.id, self._rng, lambda: self._between(encoder)):
            return cut
        if self._index_is_due():
            while not self._stopping.is_set() and self._index_some():
                pass
            self._index.tidy()
        self._audit_when_due(encoder.id)
        return cut

    def round(self, idle: Callable[[], bool], crowded: Callable[[], bool] = lambda: False) -> End:
        """Run `keep` without raising, and return how it ended."""
        self.busy = True
        try:
            if self.keep(idle, crowded):
                return "cut"
            with self._database.read() as db:
                left = vectors.without_vector(db) or (self._index.needs_care and self._is_wanted(db))
            return "left" if left else "done"
        except (FuroshikiError, IndexBroken) as error:
            log.warning("%s; trying again in a minute", error)
        except Exception:  # outermost handler of a thread: a failed round must not end later ones
            log.exception("a round of indexing failed; trying again in a minute")
        finally:
            self.busy = False
        return "left"

    def _run(self) -> None:
        quiet, filled = False, self._index.filled
        while not self._stopping.is_set():
            self.round(self._nobody_calls if quiet else lambda: False)
            if quiet or self._index.filled != filled:
                give_back()
                filled = self._index.filled
            quiet = not self._wake.wait(LOOK_EVERY_SECONDS)
            self._wake.clear()
            if quiet and self._index.state == "ready":
                self._index.survived()

    def _is_wanted(self, db: sqlite3.Connection) -> bool:
        """Whether a query needs the index, or rows wait."""
        wanted = self._asked_for_index or self._index.owes or vectors.count_pending(db) > 0
        return wanted or not self._other_has_read and other_languages.behind(db) > 0

    def _nobody_calls(self) -> bool:
        return not self._wake.is_set()

    def _between(self, encoder: Encoder) -> bool:
        """Embed new rows while the index is filled, for scans. Return False to stop."""
        self._embed_some(encoder, lambda: False)
        return not self._stopping.is_set()

    def _let_other_models_go(self, model: str) -> None:
        if self._same_model == model:
            return
        with self._database.read() as db:
            before = vectors.model(db)
        if before not in (None, model):
            log.info("the encoder changed from %s to %s: everything is embedded again", before, model)
            for kind in INDEXED:
                self._empty(kind, model)
        if before != model:
            with self._database.write() as db:
                vectors.model_is(db, model, self._now())
        self._same_model = model

    def _empty(self, kind: Kind, model: str) -> None:
        after: int | None = 0
        while after is not None:
            with self._database.write() as db:
                after = vectors.start_over(db, kind, model, after, _MODEL_ROWS)

    def _embed_some(self, encoder: Encoder, idle: Callable[[], bool]) -> bool:
        """Embed one batch of each kind; return False if there was none, or it is time to stop."""
        did = False
        for kind in INDEXED if idle() else KINDS:
            if self._stopping.is_set():
                return False
            with self._database.read() as db:
                rows = vectors.list_waiting(db, kind, EMBED_BATCH)
            if rows:
                did = True
                begun = time.monotonic()
                embedded, failed = self._vectors_made(encoder, kind, rows, idle)
                took = time.monotonic() - begun
                with self._database.write() as db:
                    self._keep_pace(db, len(embedded) + len(failed), took)
                    # A text that changed meanwhile stays pending.
                    vectors.keep_vectors(db, kind, encoder.id, vectors.select_unchanged(db, kind, embedded))
                    vectors.mark_failed(db, kind, failed)
                    if kind == "turn" and not multilingual.is_spoken(db):
                        multilingual.was_met(db, other_languages.count_foreign(rows), self._now())
                self._read_by_other(kind, rows)
        return did

    def _vectors_made(
        self, encoder: Encoder, kind: Kind, rows: list[Waiting], idle: Callable[[], bool]
    ) -> tuple[list[Embedded], list[int]]:
        """Call `vectors_made` part by part, making way for talk; of the companion's documents only for as
        many as time permits."""
        embedded: list[Embedded] = []
        failed: list[int] = []
        for start in range(0, len(rows), EMBED_PART):
            begun = time.monotonic()
            more, worse = vectors_made(encoder, kind, rows[start : start + EMBED_PART])
            embedded += more
            failed += worse
            if self._stopping.is_set() or kind == "design" and not idle():
                break
            self._make_way(time.monotonic() - begun, len(rows))
        return embedded, failed

    def _make_way(self, seconds: float, rows: int) -> None:
        """Pause after a part of `rows` that took `seconds`, if somebody talks and there are more."""
        if rows > EMBED_PART and self.is_talked_to():
            self._stopping.wait(seconds * PAUSE_FOR_TALK)

    def _read_what_was_before(self) -> bool:
        """Read a batch of older rows by the multilingual encoder; False if none, or at a stop."""
        if self._other_has_read or self._stopping.is_set():
            return False
        with self._database.read() as db:
            if not multilingual.is_spoken(db):
                return False
            waiting = {kind: multilingual.list_waiting(db, kind, EMBED_BATCH) for kind in multilingual.TABLES}
        self._other_has_read = not any(self._read_by_other(kind, rows) for kind, rows in waiting.items())
        return not self._other_has_read

    def _read_by_other(self, kind: Kind, rows: list[Waiting]) -> bool:
        """Store the multilingual encoder's vectors of rows, if another language is in use; return
        whether it did."""
        if not rows or kind not in multilingual.TABLES:
            return False
        with self._database.read() as db:
            if not multilingual.is_spoken(db):
                return False
            usual = other_languages.owners(db)
        encoder = self._other()
        if encoder is None:
            return False
        vectors_by_other = []
        for start in range(0, len(rows), EMBED_PART):
            begun = time.monotonic()
            vectors_by_other += other_languages.encode_rows(encoder, rows[start : start + EMBED_PART], usual)
            self._make_way(time.monotonic() - begun, len(rows))
        with self._database.write() as db:
            multilingual.put(db, kind, vectors_by_other)
        return True

    def _keep_pace(self, db: sqlite3.Connection, rows: int, seconds: float) -> None:
        """Store the speed of embedding, for estimates."""
        now = self._now()
        rests = self._pace_kept is not None and timedelta(0) <= now - self._pace_kept < PACE_EVERY
        if rows >= PACE_BATCH and seconds > 0 and not rests:
            vectors.pace_is(db, rows / seconds, now)
            self._pace_kept = now

    def _index_is_due(self) -> bool:
        """Whether enough rows wait, one has waited long enough, or an update was requested."""
        at_once, self._at_once = self._at_once, False
        with self._database.read() as db:
            waiting = vectors.fresh_count(db)
        since = self._waiting_since or self._now()
        due = at_once or waiting >= INDEX_AT or self._now() - since >= INDEX_AFTER
        self._waiting_since = None if due or not waiting else since
        return due and waiting > 0

    def _index_some(self) -> bool:
        """Add one batch of each kind to the index; return False if there was none."""
        did = False
        for kind in INDEXED:
            with self._database.read() as db:
                rows = vectors.list_unindexed(db, kind, INDEX_BATCH)
            ids = [row_id for row_id, _ in rows]
            if ids and self._index.upsert(kind, ids, vectors.unpack([blob for _, blob in rows])):
                did = True
                with self._database.write() as db:
                    vectors.mark_indexed(db, kind, ids)
        return did

    def _audit_when_due(self, model: str) -> None:
        with self._database.read() as db:
            last = kv.get(db, AUDIT_KEY)
        if last is not None and self._now() - parse(last) < AUDIT_EVERY:
            return
        self.audit(model, AUDIT_SIZE)

    def audit(self, model: str, size: int) -> tuple[int, list[str], list[str]]:
        """Query the index for stored vectors (a miss replaces it), and delete rowless entries.

        Returns how many were queried, which were missed, and which were deleted.
        """
        removed = self._index.without_row(self._rng)
        if removed:
            log.warning("%d vectors had no row any more and were taken out of the index", len(removed))
        tried, missed = self._index.missed(model, size, self._rng)
        if missed:
            self._index.distrust(f"{len(missed)} of {tried} stored vectors cannot be found")
            self.wake(index=True)
        with self._database.write() as db:
            kv.put(db, AUDIT_KEY, stamp(self._now()), self._now())
        return tried, missed, removed


def give_back() -> None:
    """Return freed memory to the system (glibc only)."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def vectors_made(encoder: Encoder, kind: Kind, rows: list[Waiting]) -> tuple[list[Embedded], list[int]]:
    """Embed rows, with tokens for kinds that have them; also return the ids of unusable rows."""
    embedded, failed = [], []
    for row in rows:
        try:
            pooled, tokens = encoder.encode_tokens(row.text)
        except (RuntimeError, ValueError, TypeError) as error:
            log.warning("row %d cannot be embedded: %s", row.id, error)
            failed.append(row.id)
            continue
        blob = token_vectors.pack_tokens(tokens, model=encoder.id) if kind in token_vectors.TABLES else None
        embedded.append(Embedded(row.id, vectors.pack(pooled), vectors.content_hash(row.text), blob))
    return embedded, failed
