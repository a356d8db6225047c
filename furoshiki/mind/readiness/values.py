"""Values of milestones, their evidence, and the lifetime."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Milestone:
    """A milestone: its name in rows, a title, and a description of its proof. `news` is a thought
    about it ("": told otherwise), `none` and `some` say how far it is without and with such rows."""

    name: str
    title: str
    proof: str
    news: str = ""
    none: str = ""
    some: str = ""


@dataclass(frozen=True)
class Evidence:
    """The proof of a milestone: its time and the names of its rows ("memory:3", "turn:12")."""

    at: datetime
    refs: tuple[str, ...]


@dataclass(frozen=True)
class Standing:
    """A milestone's state: its evidence, or None and the progress so far in a sentence."""

    milestone: Milestone
    evidence: Evidence | None
    so_far: str = ""


@dataclass(frozen=True)
class Manifest:
    """A lifetime: creation time, number of starts, hours in which the companion could chat.

    `counted_to` is the time up to which hours are counted; None before the first start.
    """

    created_at: datetime
    starts: int = 0
    hours_up: float = 0.0
    counted_to: datetime | None = None

    @property
    def restarts(self) -> int:
        """Return the number of starts after the first."""
        return max(0, self.starts - 1)
