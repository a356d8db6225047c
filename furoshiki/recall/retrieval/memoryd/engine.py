"""The interface of an index, for the keeper and the service."""

import random
from collections.abc import Callable
from typing import Literal, Protocol

from furoshiki.core.arrays import Floats
from furoshiki.recall.retrieval.values import Kind

State = Literal["closed", "opening", "filling", "ready"]


class Engine(Protocol):
    """An index: in Chroma, in memory or on a server. The keeper fills it, any thread asks."""

    state: State
    filled: int

    @property
    def needs_care(self) -> bool:
        """Whether the keeper must open, fill or replace it before it can answer."""

    @property
    def owes(self) -> bool:
        """Whether it must be opened even without queries."""

    def nearest(self, kind: Kind, vector: Floats, limit: int) -> list[tuple[str, float]] | None:
        """Return ids with cosines, best first; None: not ready (scan the database)."""

    def distrust(self, reason: str) -> None:
        """Stop using it; the keeper builds a new one."""

    def discard(self) -> None:
        """Request a new one although nothing is wrong."""

    def ensure(self, model: str, rng: random.Random, meanwhile: Callable[[], bool]) -> bool:
        """Make it ready; return False if `meanwhile`, called between batches, says to stop."""

    def upsert(self, kind: Kind, ids: list[int], rows: Floats) -> bool:
        """Insert or replace rows; return False if there is no index yet."""

    def delete(self, kind: Kind, ids: list[int]) -> None: ...

    def missed(self, model: str, size: int, rng: random.Random) -> tuple[int, list[str]]:
        """Query `size` stored vectors: return how many were queried, and which were not found."""

    def without_row(self, rng: random.Random) -> list[str]:
        """Delete entries without a row; return their ids."""

    def tidy(self) -> None:
        """Free disk space that it no longer needs."""

    def survived(self) -> None:
        """Record that opening it did not crash the process."""

    def close(self) -> None: ...
