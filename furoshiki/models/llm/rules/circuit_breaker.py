"""A circuit breaker: after enough failures in a row a provider is left alone for a while, then probed by one call.

Pure values. `at` is a monotonic time in seconds, from whatever clock the caller uses throughout.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

OPENS_AFTER = 4
"""Failures in a row. Above the tries of one call, so that one unlucky question does not shut a provider out."""

FIRST_REST_S = 20.0
LONGEST_REST_S = 600.0
"""The rest doubles with each failed probe: a provider that is down for hours costs one call in ten minutes."""


@dataclass(frozen=True)
class Breaker:
    """Closed while `resting_until` is None. Open until then; after it, half-open: `probing` lets one call through."""

    failures: int = 0
    resting_until: float | None = None
    rest_s: float = FIRST_REST_S
    probing: bool = False


def allows(breaker: Breaker, at: float) -> bool:
    """Whether a call may be made now."""
    if breaker.resting_until is None:
        return True
    return at >= breaker.resting_until and not breaker.probing


def begin_call(breaker: Breaker, at: float) -> Breaker:
    """The breaker once an allowed call has begun: in the half-open state this is the one probe."""
    if breaker.resting_until is None or at < breaker.resting_until:
        return breaker
    return replace(breaker, probing=True)


def record_success(breaker: Breaker) -> Breaker:
    """Closed again, whatever went before."""
    return Breaker()


def record_failure(breaker: Breaker, at: float, *, rest_s: float | None = None) -> Breaker:
    """One more failure. `rest_s` opens it at once for that long (the provider said when to come back)."""
    failures = breaker.failures + 1
    if rest_s is not None:
        return Breaker(failures, at + min(rest_s, LONGEST_REST_S), breaker.rest_s)
    if breaker.probing:
        longer = min(breaker.rest_s * 2, LONGEST_REST_S)
        return Breaker(failures, at + longer, longer)
    if failures >= OPENS_AFTER:
        return Breaker(failures, at + breaker.rest_s, breaker.rest_s)
    return replace(breaker, failures=failures)


def release(breaker: Breaker) -> Breaker:
    """A call ended without telling anything about the provider (cancelled, or the request itself was wrong)."""
    return replace(breaker, probing=False)
