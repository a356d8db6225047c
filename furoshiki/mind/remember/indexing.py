"""`furoshiki memory reindex` and `stats`: the state of the index, and waiting for it to be whole."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from furoshiki.storage import vectors
from furoshiki.storage.store import Store
from furoshiki.vectors import VectorsAway

START_SECONDS = 60.0
"""How long memoryd may take to be there; its first start builds the encoder."""

STUCK_SECONDS = 120.0
"""How long nothing may change before waiting is given up: the disk is full, or the log says more."""

_LOOK_SECONDS = 0.25

Progress = Callable[[int], None]
T = TypeVar("T")


class Indexer(Protocol):
    """What reindexing needs of `furoshiki.vectors.Vectors`."""

    def nudge(self) -> None:
        """There are rows to index."""
        ...

    def rebuild(self) -> None:
        """Build the index anew."""
        ...

    def status(self) -> dict[str, Any]:
        """What memoryd is doing."""
        ...


def reindex(indexer: Indexer, wait: bool, on_progress: Progress | None = None) -> dict[str, Any]:
    """Have the index built anew from the database; with `wait`, come back when every row is in it.

    `on_progress` is told how many rows still wait. Raises VectorsAway when memoryd cannot be started.
    """
    _patiently(indexer.rebuild)
    return until_indexed(indexer, on_progress) if wait else _patiently(indexer.status)


def until_indexed(indexer: Indexer, on_progress: Progress | None = None) -> dict[str, Any]:
    """Come back when no row waits for its vector or for the index any more; answers memoryd's last status.

    Raises VectorsAway when memoryd is away for a minute, or gets nowhere for two.
    """
    indexer.nudge()
    seen, since = None, time.monotonic()
    while True:
        status = _patiently(indexer.status)
        progress = (status["pending"], status["filled"], status["index"])
        if progress != seen:
            seen, since = progress, time.monotonic()
        elif time.monotonic() - since > STUCK_SECONDS:
            raise VectorsAway("memoryd gets nowhere: look into logs/memoryd.log")
        if on_progress is not None:
            on_progress(int(status["pending"]))
        if not status["busy"]:
            if not status["pending"]:
                return status
            indexer.nudge()
        time.sleep(_LOOK_SECONDS)


def stats(store: Store, indexer: Indexer) -> dict[str, Any]:
    """How much is remembered, how much of it is indexed, and what memoryd says (None when it is away)."""
    with store.read() as db:
        states = vectors.backlog(db)
        model = vectors.model(db)
        found: dict[str, Any] = {
            f"{kind}s" if kind != "memory" else "memories": sum(states[kind].values()) for kind in states
        }
        found["index"] = _summed(states)
        found["model"] = model
    found["database_bytes"] = store.path.stat().st_size
    try:
        found["memoryd"] = indexer.status()
    except VectorsAway:
        found["memoryd"] = None
    return found


def _patiently(ask: Callable[[], T]) -> T:
    """Ask until memoryd is there; its first start takes seconds."""
    give_up = time.monotonic() + START_SECONDS
    while True:
        try:
            return ask()
        except VectorsAway:
            if time.monotonic() > give_up:
                raise
        time.sleep(_LOOK_SECONDS)


def _summed(states: Mapping[Any, Mapping[str, int]]) -> dict[str, int]:
    total = dict.fromkeys(("pending", "embedded", "indexed", "failed", "empty"), 0)
    for by_state in states.values():
        for state, rows in by_state.items():
            total[state] = total.get(state, 0) + rows
    return total
