"""One check run on one companion: place, time, notebook, remaining time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from doctor_checks.notebook import Notebook
from doctor_checks.place import Place

SECONDS = 10.0  # seconds for a whole run
FOR_CHECKS = 6.0  # seconds of it for the checks; the rest is for alerts


@dataclass
class Look:
    """The argument of every check. `awake` is the seconds since boot, `running` without sleep,
    `boot` the boot's id.

    `dry` changes nothing; `offline` contacts nobody outside this machine. `steady` is False when
    clocks moved strangely since the last run, so that ages of signs of life mean nothing.
    """

    place: Place
    notebook: Notebook
    now: datetime
    awake: float
    running: float
    boot: str
    dry: bool = False
    offline: bool = False
    steady: bool = True
    # whether the database was checked in this run and is intact: only then is it written
    sound: bool = False
    timer: Callable[[], float] = time.monotonic
    begun: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Return the seconds left for checks, at least 0.05."""
        return max(0.05, self.begun + FOR_CHECKS - self.timer())

    def did(self, done: str, wished: str) -> str:
        """Return what was done, or in a dry run would be."""
        return f"would {wished}" if self.dry else done
