"""What kind of machine this is."""

import os

SMALL_BYTES = 1 << 30
"""With less memory than this, listener and brain share a process: that saves about 40 MB and loses nothing."""


def is_small() -> bool:
    """Whether the machine has less memory than `SMALL_BYTES`; False where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") < SMALL_BYTES
    except (OSError, ValueError):
        return False
