"""One look at one companion: where, when, with what memory, and how much time is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from doctor_checks.notebook import Notebook
from doctor_checks.place import Place

SECONDS = 10.0
"""A look ends within so many seconds."""

FOR_CHECKS = 6.0
"""Of which the checks have so many; the rest is for telling somebody."""


@dataclass
class Look:
    """What every check is given. `awake` is the seconds since the machine was started, `running` those of them that it
    did not sleep, `boot` which start that was.

    `dry` changes nothing; `offline` asks nobody outside of this machine. `steady` is False when clocks moved strangely
    since the last look, so that the age of a sign of life says nothing.
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
    sound: bool = False
    """Whether the database was looked through in this look and nothing is wrong with it: only then it is written."""
    timer: Callable[[], float] = time.monotonic
    begun: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Seconds that the checks still have, at least a little."""
        return max(0.05, self.begun + FOR_CHECKS - self.timer())

    def did(self, done: str, wished: str) -> str:
        """What was done, or in a dry run would be."""
        return f"would {wished}" if self.dry else done
