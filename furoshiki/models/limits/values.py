"""What a home may use, and what it has used."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one home may use; None: as much as it likes. A day is one of UTC."""

    money: float | None = None
    """US dollars a day for models."""
    calls: int | None = None
    """Model calls a day."""
    at_once: int | None = None
    """Models that are asked at the same moment."""
    disk: int | None = None
    """Bytes on the disk."""
    cpu: int | None = None
    """Seconds of CPU in an hour for jobs."""


@dataclass(frozen=True)
class Spent:
    """What a home, and all homes of its host together, have used of a day: dollars and model calls."""

    money: float
    calls: int
    money_of_all: float
