"""The doctor's memory between runs: `run/doctor.json`, or a copy elsewhere while that fails.

A full or read-only disk must not make it forget whom it has alerted: the page is then kept in a
folder in memory. If that fails, too, alerts are limited by the clock (see `telling.alerts`).
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from doctor_checks import files

NAME = "doctor.json"
VERSION = 1
# Python's own lookup would test it with a file each time
TEMPORARY = os.environ.get("TMPDIR") or "/tmp"


class Notebook:
    """The page of one data directory. `page` may be changed freely; `save` writes it."""

    def __init__(self, data: Path, others: Sequence[Path] | None = None) -> None:
        self.path = data / "run" / NAME
        self._others = fallbacks(data) if others is None else list(others)
        pages = [self._page_at(path) for path in (self.path, *self._others)]
        self.page: dict[str, Any] = max(pages, key=lambda page: str(page.get("saved_at", "")))

    def save(self, now: datetime) -> bool:
        """Write the page to the first place that works; False if none does."""
        self.page.update(version=VERSION, saved_at=files.stamp(now))
        places = (self.path, *self._others)
        for number, path in enumerate(places):
            try:
                files.write_object(path, self.page)
            except OSError:
                continue
            for later in places[number + 1 :]:  # outdated copies
                with contextlib.suppress(OSError):
                    later.unlink()
            return True
        return False

    def part(self, name: str) -> dict[str, Any]:
        """Return a section of the page, which may be changed."""
        found = self.page.get(name)
        if not isinstance(found, dict):
            found = self.page[name] = {}
        return found

    def times(self, part: str, key: str, now: datetime, within: timedelta) -> list[datetime]:
        """Return the moments under a key that are within `within` and not in the future."""
        kept = self.part(part).get(key)
        found = [files.moment(text) for text in kept] if isinstance(kept, list) else []
        return [at for at in found if at is not None and now - within <= at <= now]

    def note_time(self, part: str, key: str, now: datetime, within: timedelta) -> int:
        """Add this moment to a key; return how many there are within the time."""
        found = [*self.times(part, key, now, within), now]
        self.part(part)[key] = [files.stamp(at) for at in found]
        return len(found)

    def _page_at(self, path: Path) -> dict[str, Any]:
        """Read a page; in a folder that all may write to, only our own file is trusted."""
        try:
            about = path.lstat()
        except OSError:
            return {}
        if not stat.S_ISREG(about.st_mode) or about.st_uid != os.geteuid():
            return {}
        return files.object_of(path)


def fallbacks(data: Path) -> list[Path]:
    """Return the other places for the page: folders in memory, then the temporary one."""
    mark = hashlib.sha256(f"{data}\n{os.geteuid()}".encode("utf-8", "replace")).hexdigest()[:16]
    folders = [f"/run/user/{os.geteuid()}", "/dev/shm", TEMPORARY]
    return [Path(folder) / f"furoshiki-doctor-{mark}.json" for folder in dict.fromkeys(folders)]
