"""A cache of rendered values for all open windows, valid until the data changes."""

import fnmatch
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

from furoshiki.core.logins import addresses
from furoshiki.core.logins.ledger import FILE as LEDGER
from furoshiki.core.paths import settings_files, stamp_of
from furoshiki.core.process.locks import LOCKS, locks_held
from furoshiki.faces.overview.health import MEMORYD
from furoshiki.world import World

T = TypeVar("T")

# lock files held for a process's lifetime, as patterns
LASTING = (*LOCKS.values(), MEMORYD, addresses.LOCK)

MOST = 64  # values in the cache; the least recently used is dropped


def stamps(world: World) -> dict[str, object]:
    """Return stamps, by kind, that change with the data directory: a few `stat`s, and the held
    locks, because a process that dies writes nothing."""
    rows = world.database.path
    held = locks_held(world.settings.data / "run") - {f"{LEDGER}.lock"}
    lasting = {name for name in held if any(fnmatch.fnmatchcase(name, pattern) for pattern in LASTING)}
    return {
        "rows": (stamp_of(rows), stamp_of(Path(f"{rows}-wal"))),
        "state": (stamp_of(world.state.heartbeat_path), stamp_of(world.state.context_path)),
        "settings": tuple(stamp_of(path) for path in settings_files(world.settings.data)),
        "processes": tuple(sorted(lasting)),
        "scripts": tuple(sorted(held - lasting)),
    }


@dataclass
class Shared:
    """Cached values by key. Concurrent requests for a value wait for one computation."""

    # Returns the number of the newest event. A commit changes the files shortly before its rows can
    # be read; values computed in between must not outlast the event.
    told: Callable[[], int] = int
    _held: OrderedDict[Hashable, tuple[object, object]] = field(default_factory=OrderedDict)
    _making: dict[Hashable, threading.Lock] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, world: World, key: Hashable, make: Callable[[], T]) -> T:
        """Return `make()`, cached for up to a minute while the data directory is unchanged."""
        version = (self.told(), tuple(stamps(world).items()), int(world.now.timestamp()) // 60)
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                found = self._held.get(key)
                if found is not None and found[0] == version:
                    self._held.move_to_end(key)
                    return cast(T, found[1])
            made = make()
            with self._lock:
                self._held[key] = (version, made)
                self._held.move_to_end(key)
                while len(self._held) > MOST:
                    gone, _ = self._held.popitem(last=False)
                    self._making.pop(gone, None)
            return made
