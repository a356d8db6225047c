"""A house some days from now: with this folder on PYTHONPATH, DAYS_LATER moves the clock of what is started.

Python imports a module of this name before anything else.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

from furoshiki.app import wiring

GONE = timedelta(days=float(os.environ.get("DAYS_LATER", "0")))


def _later(self: wiring.SystemClock) -> datetime:
    return datetime.now(UTC) + GONE


wiring.SystemClock.now = _later  # type: ignore[method-assign]
