"""A virtual clock, controlled by the simulation."""

from __future__ import annotations

from datetime import datetime, timedelta


class VirtualClock:
    """A clock that stands still between events. `at` is aware, in UTC, and never goes back."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        """Return the simulated moment."""
        return self.at

    def to(self, moment: datetime) -> None:
        """Jump to a moment; a past one changes nothing."""
        self.at = max(self.at, moment)

    def pass_(self, seconds: float) -> None:
        """Let this much time go by."""
        self.at += timedelta(seconds=seconds)
