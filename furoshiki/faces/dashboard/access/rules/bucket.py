"""How fast is too fast: token buckets for requests, sliding windows for guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """`burst` requests at once, `each_second` after that."""

    burst: float
    each_second: float


@dataclass(frozen=True)
class Bucket:
    """What is left at a moment (seconds of any clock that only goes forward)."""

    left: float
    at: float


def take(bucket: Bucket | None, rate: Rate, at: float) -> tuple[Bucket, float]:
    """The bucket after a request, and 0; or as it is, and the seconds until there may be one."""
    held = rate.burst if bucket is None else min(rate.burst, bucket.left + max(0.0, at - bucket.at) * rate.each_second)
    if held >= 1:
        return Bucket(held - 1, at), 0.0
    return Bucket(held, at), (1 - held) / rate.each_second


@dataclass(frozen=True)
class Window:
    """At most so many in so many seconds, wherever those begin."""

    most: int
    seconds: float


def wait(times: Sequence[float], windows: Sequence[Window], now: float) -> float:
    """Seconds until there may be another, after those at `times` (in order); 0 when it may be now."""
    found = 0.0
    for window in windows:
        recent = [at for at in times if now - at < window.seconds]
        if len(recent) >= window.most:
            found = max(found, recent[-window.most] + window.seconds - now)
    return found
