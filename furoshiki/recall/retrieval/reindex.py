"""`furoshiki memory reindex` and `stats`: the state of the index, and waiting for memoryd.

Only turns, memories and sessions are waited for. The companion's own documents get their vectors
after a minute without requests, which a waiting process would prevent.
"""

import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from furoshiki.core.database.connection import Database
from furoshiki.recall.retrieval import other_languages
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import KINDS

START_SECONDS = 60.0  # how long memoryd may take to start; its first start builds the encoder

# how long without progress until waiting ends: the disk is full, or the log says more
STUCK_SECONDS = 120.0

_LOOK_SECONDS = 0.25

Progress = Callable[[int], None]
T = TypeVar("T")


class Indexer(Protocol):
    """The part of `furoshiki.recall.retrieval.client.Vectors` that reindexing needs."""

    def nudge(self, at_once: bool = False) -> None:
        """Announce rows to index."""

    def rebuild(self) -> None: ...

    def status(self) -> dict[str, Any]:
        """Return memoryd's state."""


def reindex(database: Database, indexer: Indexer, wait: bool, on_progress: Progress | None = None) -> int:
    """Rebuild the index from the database; return how many rows it still lacks.

    With `wait`, return when it lacks none; `on_progress` gets the number missing. Raises
    VectorsAway if memoryd cannot be started or makes no progress.
    """
    _patiently(indexer.rebuild)
    if wait:
        _until_none(indexer, lambda: count_missing(database, indexer), on_progress)
    return count_missing(database, indexer)


def wait_for_vectors(database: Database, indexer: Indexer, on_progress: Progress | None = None) -> None:
    """Wait until every text has a vector, so that an exact search is fast. Raises VectorsAway."""
    _until_none(indexer, lambda: without_vector(database), on_progress)


def without_vector(database: Database) -> int:
    """Return the number of rows without a vector."""
    with database.read() as db:
        return vectors.without_vector(db, KINDS) + other_languages.behind(db)


def count_missing(database: Database, indexer: Indexer) -> int:
    """Return how many rows the index lacks; at least one while the index is not ready."""
    with database.read() as db:
        count = vectors.count_pending(db, KINDS) + other_languages.behind(db)
    try:
        ready = indexer.status()["index"] == "ready"
    except VectorsAway:
        ready = False
    return count if ready else max(1, count)


def stats(database: Database, indexer: Indexer) -> dict[str, Any]:
    """Return counts of rows and of indexed ones, and memoryd's state (None if it is away)."""
    with database.read() as db:
        states = vectors.backlog(db)
        figures: dict[str, Any] = {
            "turns": sum(states["turn"].values()),
            "memories": sum(states["memory"].values()),
            "sessions": sum(states["session"].values()),
            "pending": vectors.count_pending(db),
            "model": vectors.model(db),
            "states": states,
        }
    figures["database_bytes"] = database.path.stat().st_size
    try:
        figures["memoryd"] = indexer.status()
    except VectorsAway:
        figures["memoryd"] = None
    return figures


def _until_none(indexer: Indexer, left: Callable[[], int], on_progress: Progress | None) -> None:
    before: tuple[Any, ...] = ()
    since = time.monotonic()
    while count := left():
        if on_progress is not None:
            on_progress(count)
        status = _patiently(indexer.status)
        if not status["busy"]:
            indexer.nudge(at_once=True)
        # A backlog is embedded, then opened, then filled: any of the three is progress.
        progress = (count, status["filled"], status["index"])
        if progress != before:
            before, since = progress, time.monotonic()
        elif time.monotonic() - since > STUCK_SECONDS:
            raise VectorsAway("memoryd makes no progress: see `furoshiki logs memoryd`")
        time.sleep(_LOOK_SECONDS)


def _patiently(ask: Callable[[], T]) -> T:
    """Retry until memoryd answers; its first start takes seconds."""
    give_up = time.monotonic() + START_SECONDS
    while True:
        try:
            return ask()
        except VectorsAway:
            if time.monotonic() > give_up:
                raise
        time.sleep(_LOOK_SECONDS)
