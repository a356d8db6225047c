"""The clock that leases end by on this machine: it counts while the machine sleeps, and nobody sets it."""

import time


def boot_seconds() -> float:
    """Seconds since this machine was started."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
