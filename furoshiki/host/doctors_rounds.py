"""The doctor's rounds through the homes of a host: every home each half hour, each at its own minute of it."""

import logging
import subprocess
import time
from collections.abc import Collection, Iterable
from datetime import datetime
from pathlib import Path

from furoshiki.app.supervisor import die_with_parent
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import in_words
from furoshiki.core.paths import HOST
from furoshiki.host import owner_messages
from furoshiki.host.homes import Home
from furoshiki.host.rules import staggering
from furoshiki.maintenance import doctor
from furoshiki.models.limits import limit_file, room
from furoshiki.models.limits.rules import amounts, disk_words

log = logging.getLogger(__name__)

MINUTES = 30
FIRST_AFTER_S = 120.0
"""What was just started has to come up before the doctor may call it ill."""

HOME_SECONDS = 15.0
"""How long a look at a home may take, with what is around it, before the whole is ended."""


class DoctorsRounds:
    """Begun by the brain, a process at a time. How it went stands in `.host/run/doctor.json`; alerts are its own."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._minute: int | None = None
        self._waiting: set[str] = set()
        self._shared = False
        self._not_before = time.monotonic() + FIRST_AFTER_S
        self._process: subprocess.Popen[bytes] | None = None
        self._until = 0.0

    def go_on(self, now: datetime, homes: Iterable[str]) -> None:
        """Note whose turn it is in this minute, and begin with them where nothing is under way."""
        minute = int(now.timestamp()) // 60 % MINUTES
        if minute != self._minute:
            self._minute = minute
            self._shared = self._shared or minute == 0
            self._waiting |= {home for home in homes if int(staggering.share(home, "doctor") * MINUTES) == minute}
        if self._process is not None and self._process.poll() is None:
            if time.monotonic() > self._until:
                self.end()
            return
        if (self._waiting or self._shared) and time.monotonic() >= self._not_before:
            self._begin()

    def end(self) -> None:
        """End what is under way."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def _begin(self) -> None:
        homes, self._waiting, self._shared = sorted(self._waiting), set(), False
        self._until = time.monotonic() + HOME_SECONDS * (len(homes) + 1)
        command = doctor.command_of_host(self._root, "--json", "--only", *homes)
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, preexec_fn=die_with_parent
            )
        except OSError as error:
            log.warning("the doctor of the homes cannot be started: %s", in_words(error))


EVERY_SECONDS = 900.0
"""How often each home is measured; the homes are spread over it."""

KEY = "disk.told"
BUSY_SECONDS = 1.0


class DiskWatch:
    """One for a brain. A home without a limit costs a look into a dictionary."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._measured: dict[str, float] = {}
        self._next_at = 0.0

    def due(self, names: Collection[str]) -> str | None:
        """The home that is to be measured now, by name; None while it is nobody's turn."""
        now = time.monotonic()
        if now < self._next_at or not names:
            return None
        self._next_at = now + EVERY_SECONDS / len(names)
        self._measured = {name: self._measured.get(name, 0.0) for name in names}
        oldest = min(self._measured, key=self._measured.__getitem__)
        self._measured[oldest] = now
        return oldest

    def look(self, home: Home, now: datetime) -> None:
        """Measure one home and tell its owner when that is news. Raises BadSetting, StorageUnavailable."""
        most = limit_file.of_home(self._root / HOST, home.name).disk
        if most is None:
            return
        used = room.measure(home.data)
        database = Database(home.data / "memory" / "longmemory.sqlite", busy_seconds=BUSY_SECONDS)
        try:
            with database.read() as db:
                told = kv.get(db, KEY)
            level = disk_words.level(used / most, told)
            if level == told:
                return
            with database.write() as db:
                kv.put(db, KEY, level, now)
                if level is not None:
                    shown = amounts.format_amount("disk", used), amounts.format_amount("disk", most)
                    owner_messages.tell_owner(
                        db, disk_words.describe_level(level, *shown), f"disk-{level}-{now:%Y-%m-%d}", now
                    )
        finally:
            database.close()
