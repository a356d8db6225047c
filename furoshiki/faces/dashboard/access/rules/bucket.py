"""Rate limits: token buckets for requests, sliding windows for guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """A rate: `burst` requests at once, `each_second` after that."""

    burst: float
    each_second: float


@dataclass(frozen=True)
class Bucket:
    """A token bucket: the tokens left at a moment (seconds of a monotonic clock)."""

    left: float
    at: float


def take(bucket: Bucket | None, rate: Rate, at: float) -> tuple[Bucket, float]:
    """Take a token: the new bucket and 0, or the bucket and the seconds until there is one."""
    held = rate.burst if bucket is None else min(rate.burst, bucket.left + max(0.0, at - bucket.at) * rate.each_second)
    if held >= 1:
        return Bucket(held - 1, at), 0.0
    return Bucket(held, at), (1 - held) / rate.each_second


@dataclass(frozen=True)
class Window:
    """At most `most` events in any `seconds`."""

    most: int
    seconds: float


def wait(times: Sequence[float], windows: Sequence[Window], now: float) -> float:
    """Return the seconds until another event is allowed after those at `times` (sorted); 0: now."""
    found = 0.0
    for window in windows:
        recent = [at for at in times if now - at < window.seconds]
        if len(recent) >= window.most:
            found = max(found, recent[-window.most] + window.seconds - now)
    return found
