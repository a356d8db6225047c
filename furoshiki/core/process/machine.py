"""Size of the machine."""

import os

# with less memory, listener and brain share a process, which saves about 40 MB at no loss
SMALL_BYTES = 1 << 30


def is_small() -> bool:
    """Return whether the machine has less memory than `SMALL_BYTES`; False if unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") < SMALL_BYTES
    except (OSError, ValueError):
        return False
