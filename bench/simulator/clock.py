"""Time that passes when the simulation says so."""

from __future__ import annotations

from datetime import datetime, timedelta


class VirtualClock:
    """A clock that stands still between two events. `at` is aware, in UTC; it never goes back."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        """The moment it is in the simulation."""
        return self.at

    def to(self, moment: datetime) -> None:
        """Jump to a moment; one that has passed changes nothing."""
        self.at = max(self.at, moment)

    def pass_(self, seconds: float) -> None:
        """Let this much time go by."""
        self.at += timedelta(seconds=seconds)
