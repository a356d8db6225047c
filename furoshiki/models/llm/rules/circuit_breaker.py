"""A circuit breaker: after several failures in a row a provider is paused, then probed by one call.

Pure values. `at` is a monotonic time in seconds from the caller's clock.
"""

from dataclasses import dataclass, replace

OPENS_AFTER = 4
"""Failures in a row; more than the tries of one call, so that one question cannot open it."""

FIRST_REST_S = 20.0
LONGEST_REST_S = 600.0
"""Seconds. The pause doubles with each failed probe, up to one call in ten minutes."""


@dataclass(frozen=True)
class Breaker:
    """Closed if `resting_until` is None, open until then, then half-open for one probe."""

    failures: int = 0
    resting_until: float | None = None
    rest_s: float = FIRST_REST_S
    probing: bool = False


def allows(breaker: Breaker, at: float) -> bool:
    """Return whether a call may be made now."""
    if breaker.resting_until is None:
        return True
    return at >= breaker.resting_until and not breaker.probing


def begin_call(breaker: Breaker, at: float) -> Breaker:
    """Return the breaker after a call began: in the half-open state it is the probe."""
    if breaker.resting_until is None or at < breaker.resting_until:
        return breaker
    return replace(breaker, probing=True)


def record_success(breaker: Breaker) -> Breaker:
    """Return the closed breaker after a success."""
    return Breaker()


def record_failure(breaker: Breaker, at: float, *, rest_s: float | None = None) -> Breaker:
    """Return the breaker after a failure. `rest_s` opens it at once for that many seconds."""
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
    """Return the breaker after a call without information (cancelled, or a wrong request)."""
    return replace(breaker, probing=False)
