"""When a job of a home is due, so that not all homes do the same at the same moment."""

import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from furoshiki.app.scheduler.rules import Idle, Interval, Timing, next_run

WITHIN = timedelta(minutes=30)  # the time over which jobs at a time of day are spread

# how often a home is checked for having been silent long enough
LOOK_FOR_SILENCE = timedelta(minutes=2)


# The distance between the moments at which a home's interval jobs are checked. All due jobs are
# checked together, because opening the database takes longer than the check.
TOGETHER = timedelta(minutes=5)


def share(*of: str) -> float:
    """Return a number in [0, 1) for a home or one of its jobs: evenly spread, always the same."""
    return zlib.crc32("/".join(of).encode()) / 2**32


def _moment(every: timedelta, home: str, job: str) -> timedelta:
    """Return where in its interval a home runs a job: one of its moments, each job at its own."""
    moments = every // TOGETHER
    if moments == 0:
        return every * share(home)
    return TOGETHER * int(share(home, job) * moments) + TOGETHER * share(home)


def first_due(
    timing: Timing, home: str, now: datetime, zone: tzinfo, runs: Sequence[datetime], since: datetime
) -> datetime | None:
    """Return when a job is first due after a start; None when no time is in sight."""
    if isinstance(timing.when, Interval):
        return now + _moment(timedelta(seconds=timing.when.seconds), home, timing.name)
    if isinstance(timing.when, Idle):
        return now + _moment(LOOK_FOR_SILENCE, home, timing.name)
    return _at_its_time(timing, share(home, timing.name), now, zone, runs, since)


def next_due(
    timing: Timing, home: str, due: datetime, now: datetime, zone: tzinfo, runs: Sequence[datetime]
) -> datetime | None:
    """Return when a job is due next, after it was due at `due` and was checked at `now`."""
    every = timedelta(seconds=timing.when.seconds) if isinstance(timing.when, Interval) else LOOK_FOR_SILENCE
    if isinstance(timing.when, Interval | Idle):
        missed = max(0, (now - due) // every)
        return due + (missed + 1) * every
    return _at_its_time(timing, share(home, timing.name), now, zone, runs, now)


def _at_its_time(
    timing: Timing, part: float, now: datetime, zone: tzinfo, runs: Sequence[datetime], since: datetime
) -> datetime | None:
    slot = next_run(timing, now, zone, runs, since)
    if slot is None or slot <= now:
        return slot
    return slot + WITHIN * part
