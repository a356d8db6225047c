"""Room on the disk: how much of it a home has, and whether more may be added on purpose.

What is said is always kept. What is refused when there is no room is what somebody adds on purpose: documents, imports,
exports, more backups than there are.
"""

import logging
import os
import shutil
from contextlib import suppress
from pathlib import Path

from furoshiki.core.catalogue import say
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import host_of
from furoshiki.core.process import trees
from furoshiki.models.limits import limit_file
from furoshiki.models.limits.rules import amounts

log = logging.getLogger(__name__)

BLOCK = 512
GB = 1024**3


def measure(folder: Path) -> int:
    """Bytes that a folder takes on the disk; about 10 ms for a home."""
    total = 0
    for here, _folders, names in trees.walk(folder):
        for name in names:
            with suppress(OSError):  # it may have been there a moment ago
                total += os.lstat(f"{here}/{name}").st_blocks * BLOCK
    return total


def refusal(data: Path, free_gb: float, more: int = 0) -> str | None:
    """Why `more` bytes may not be added to a home, in a sentence for its owner; None when they may. A companion that
    lives by itself has all of its disk. `free_gb` is what the host wants to stay free (0: whatever)."""
    host = host_of(data)
    if host is None:
        return None
    if free_gb and shutil.disk_usage(host).free - more < free_gb * GB:
        return say(
            "the disk of the machine I live on is nearly full, and the person who looks after it wants {free:g} GB "
            "to stay free: ask them for room",
            free=free_gb,
        )
    try:
        most = limit_file.of_home(host, data.name).disk
    except BadSetting as error:
        log.warning("the limit of disk does not hold: %s", error)
        return None
    if most is None or (taken := measure(data)) + more < most:
        return None
    return say(
        "the person who looks after the machine I live on gives me {most} of its disk, and {taken} are used: ask "
        "them for more room",
        most=amounts.format_amount("disk", most),
        taken=amounts.format_amount("disk", taken),
    )
