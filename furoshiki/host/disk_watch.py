"""Measures now and then the disk use of homes with a limit, and warns the owner in time."""

import time
from collections.abc import Collection
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Literal

from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import HOST
from furoshiki.host import owner_messages
from furoshiki.host.homes import Home
from furoshiki.models.limits import limit_file, room
from furoshiki.models.limits.rules import amounts

EVERY_SECONDS = 900.0  # seconds between two measurements of a home; the homes are spread over them

KEY = "disk.told"
BUSY_SECONDS = 1.0

Level = Literal["nearly", "full"]

NEARLY, FULL = 0.9, 1.0
AGAIN_BELOW = 0.8  # below this share of the quota an earlier notice counts as settled

_TOLD = {
    "nearly": "Of the disk of the machine I live on, {most} are mine, and {used} are used. When they are full I can "
    "take in no documents, imports or exports, and keep no more backups than there are; what we "
    "say I keep as ever. The person who looks after the machine can give me more.",
    "full": "The {most} of disk that are mine on the machine I live on are used up ({used}). Until the person who "
    "looks after it gives me more I take in no documents, imports or exports, and keep no more "
    "backups than there are. What we say I keep as ever.",
}


class DiskWatch:
    """The watch of one brain. A home without a limit costs one dictionary look-up."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._measured: dict[str, float] = {}
        self._next_at = 0.0

    def due(self, names: Collection[str]) -> str | None:
        """Return the name of the home to measure now, or None."""
        now = time.monotonic()
        if now < self._next_at or not names:
            return None
        self._next_at = now + EVERY_SECONDS / len(names)
        self._measured = {name: self._measured.get(name, 0.0) for name in names}
        oldest = min(self._measured, key=self._measured.__getitem__)
        self._measured[oldest] = now
        return oldest

    def look(self, home: Home, now: datetime) -> None:
        """Tell a home's owner of a new level. Raises BadSetting, StorageUnavailable."""
        most = limit_file.of_home(self._root / HOST, home.name).disk
        if most is None:
            return
        used = room.measure(home.data)
        with closing(Database(home.database, busy_seconds=BUSY_SECONDS)) as database:
            with database.read() as db:
                told = kv.get(db, KEY)
            level = choose_level(used / most, told)
            if level == told:
                return
            with database.write() as db:
                kv.put(db, KEY, level, now)
                if level is not None:
                    shown = amounts.format_amount("disk", used), amounts.format_amount("disk", most)
                    words = _TOLD[level].format(used=shown[0], most=shown[1])
                    owner_messages.tell_owner(db, words, f"disk-{level}-{now:%Y-%m-%d}", now)


def choose_level(share: float, told: Level | None) -> Level | None:
    """Return the notice level for a share of the quota, given the level already `told`."""
    if share >= FULL:
        return "full"
    if share >= NEARLY:
        return told or "nearly"
    return None if share < AGAIN_BELOW else told
