"""When a job of a home is due, so that the homes of a machine do not all do the same at the same moment."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from furoshiki.scheduler.rules import Idle, Interval, Timing, next_run

WITHIN = timedelta(minutes=30)
"""Over how long what is due at a time of day is spread."""

LOOK_FOR_SILENCE = timedelta(minutes=2)
"""How often it is looked whether somebody has been silent for long enough."""


def share(home: str, job: str) -> float:
    """Where in its interval a home does a job: evenly spread over [0, 1), always the same."""
    return zlib.crc32(f"{home}/{job}".encode()) / 2**32


def first_due(
    timing: Timing, home: str, now: datetime, zone: tzinfo, runs: Sequence[datetime], since: datetime
) -> datetime | None:
    """When a job is due for the first time after a start; None when nothing is in sight."""
    part = share(home, timing.name)
    if isinstance(timing.when, Interval):
        return now + timedelta(seconds=timing.when.seconds) * part
    if isinstance(timing.when, Idle):
        return now + LOOK_FOR_SILENCE * part
    return _at_its_time(timing, part, now, zone, runs, since)


def next_due(
    timing: Timing, home: str, due: datetime, now: datetime, zone: tzinfo, runs: Sequence[datetime]
) -> datetime | None:
    """When a job is due again that was due at `due` and has been looked after at `now`."""
    every = timedelta(seconds=timing.when.seconds) if isinstance(timing.when, Interval) else LOOK_FOR_SILENCE
    if isinstance(timing.when, Interval | Idle):
        missed = max(0, (now - due) // every)
        return due + (missed + 1) * every
    return _at_its_time(timing, share(home, timing.name), now, zone, runs, now)


def _at_its_time(
    timing: Timing, part: float, now: datetime, zone: tzinfo, runs: Sequence[datetime], since: datetime
) -> datetime | None:
    slot = next_run(timing, now, zone, runs, since)
    return None if slot is None else slot if slot <= now else slot + WITHIN * part
