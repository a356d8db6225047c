"""Decisions of the router as they are looked back on: what was done, and what was said about it since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Label = Literal["missed_clarify", "missed_act", "under_engagement", "correct_route", "wrong_route"]
"""It should have asked back, looked something up, taken it more seriously; it was right; it was wrong, without saying
what would have been right."""

PRAISE: Label = "correct_route"


@dataclass(frozen=True)
class Reflected:
    """What a consultant said of a decision: which information was missing, how sure it is in [0, 1], and why."""

    dimensions: tuple[str, ...] = ()
    confidence: float = 0.0
    why: str = ""


@dataclass(frozen=True)
class Decided:
    """One decision about a message of the owner's. `confidence` and `margin` are those of its route, `warmth` and
    `knowing` how much was at hand, both in [0, 1]."""

    id: int
    turn_key: str
    channel: str
    chat_id: str
    mode: str
    tie_break: str
    confidence: float
    warmth: float
    knowing: float | None
    at: datetime
    signals: Mapping[str, Any] = field(default_factory=dict)
    feedback: str | None = None
    feedback_from: str | None = None
    reflected: Reflected | None = None

    @property
    def tie_broken(self) -> bool:
        """Whether two modes were so close that something else decided."""
        return self.tie_break != "none"
