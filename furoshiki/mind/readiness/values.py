"""What a milestone is, what proves it, and how long a life has been."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Milestone:
    """Something that happens for the first time: its name in rows, a title, and which rows prove it, for people."""

    name: str
    title: str
    proof: str


@dataclass(frozen=True)
class Evidence:
    """What proves a milestone: when it was reached, and the rows it rests on ("memory:3", "turn:12"), no words."""

    at: datetime
    refs: tuple[str, ...]


@dataclass(frozen=True)
class Standing:
    """A milestone as it stands: its evidence, or None with what is there so far in a sentence."""

    milestone: Milestone
    evidence: Evidence | None
    so_far: str = ""


@dataclass(frozen=True)
class Manifest:
    """A life in figures: since when, how often it was started, for how many hours somebody could talk to it.

    `counted_to` is up to when the hours of the present start are counted; None before the first start.
    """

    created_at: datetime
    starts: int = 0
    hours_up: float = 0.0
    counted_to: datetime | None = None

    @property
    def restarts(self) -> int:
        """How often it was started again after the first time."""
        return max(0, self.starts - 1)
