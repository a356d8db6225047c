"""What the keeper and the service need of an index, whichever of the three it is."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Protocol

from furoshiki.recall.retrieval.values import Kind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

State = Literal["closed", "opening", "filling", "ready"]


class Engine(Protocol):
    """`Index` (Chroma), `HeldIndex` (in memory) or `ServedIndex` (a server). Only the keeper opens and fills it; any
    thread may ask."""

    state: State
    filled: int

    @property
    def needs_care(self) -> bool:
        """Whether the keeper must open, fill or replace it before it can answer."""
        ...

    @property
    def owes(self) -> bool:
        """Whether it has to be opened although nobody asks for it."""
        ...

    def nearest(self, kind: Kind, vector: npt.NDArray[np.float32], limit: int) -> list[tuple[str, float]] | None:
        """Ids with cosines, best first; None while it is not ready (scan the database then)."""
        ...

    def distrust(self, reason: str) -> None:
        """Stop answering from it; the keeper builds a new one."""
        ...

    def discard(self) -> None:
        """Build a new one although nothing is wrong."""
        ...

    def ensure(self, model: str, rng: random.Random, meanwhile: Callable[[], bool]) -> bool:
        """Make it ready to answer; False when `meanwhile`, called between batches, asked to stop."""
        ...

    def upsert(self, kind: Kind, ids: list[int], rows: npt.NDArray[np.float32]) -> bool:
        """Put rows in; False when there is nothing to put them in."""
        ...

    def delete(self, kind: Kind, ids: list[int]) -> None:
        """Take rows out."""
        ...

    def missed(self, model: str, size: int, rng: random.Random) -> tuple[int, list[str]]:
        """Ask for `size` stored vectors: how many were asked, and which were not found."""
        ...

    def without_row(self, rng: random.Random) -> list[str]:
        """Take out what no row stands behind; returns the ids."""
        ...

    def tidy(self) -> None:
        """Give back disk space that it does not need any more."""
        ...

    def survived(self) -> None:
        """Having it open did not kill the process."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...
