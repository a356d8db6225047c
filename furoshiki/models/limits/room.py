"""Disk usage of a home, and whether data may be added on purpose.

Messages are always stored. Without room, only deliberate additions are refused: documents, imports,
exports, and additional backups.
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
    """Return the bytes that a folder takes on the disk; about 10 ms for a home."""
    total = 0
    for here, _folders, names in trees.walk(folder):
        for name in names:
            with suppress(OSError):  # the file may have been deleted meanwhile
                total += os.lstat(f"{here}/{name}").st_blocks * BLOCK
    return total


def refusal(data: Path, free_gb: float, more: int = 0) -> str | None:
    """Return why a home may not grow by `more` bytes, as a sentence for its owner, or None.
    `free_gb` must stay free on the host's disk (0: no limit). Without a host there is no limit."""
    host = host_of(data)
    if host is None:
        return None
    if free_gb and shutil.disk_usage(host).free - more < free_gb * GB:
        return say(
            "the disk of the machine I live on is nearly full, and the person who looks after it "
            "wants {free:g} GB kept free: ask them for more room",
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
        "the person who looks after the machine I live on gives me {most} of disk space, and "
        "{taken} are used: ask them for more room",
        most=amounts.format_amount("disk", most),
        taken=amounts.format_amount("disk", taken),
    )
