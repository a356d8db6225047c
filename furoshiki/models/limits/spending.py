"""The sum of today's model costs of all homes of a host: one file a UTC day, one line a call.

Processes append lines concurrently, and each reads only the lines added since its last look. The
authoritative ledger is in each home's database; this is the sum over all homes.
"""

import functools
import logging
import os
import threading
from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path

from furoshiki.core.errors import in_words

log = logging.getLogger(__name__)

FOLDER = "spent"
KEPT_DAYS = 62


class Spending:
    """The daily files of one host, as read by this process."""

    def __init__(self, host: Path) -> None:
        self._folder = host / FOLDER
        self._day: date | None = None
        self._read_to = 0
        self._by_home: Counter[str] = Counter()
        self._reading = threading.Lock()

    def add(self, home: str, usd: float, now: datetime) -> None:
        """Append the cost of a call. On a full disk the line is lost, with a warning in the log."""
        if usd <= 0:
            return
        path = self._path(now)
        try:
            if not path.exists():
                self._folder.mkdir(mode=0o700, exist_ok=True)
                self._clear(now)
            with open(path, "a", encoding="ascii", opener=_private) as file:
                file.write(f"\n{home} {usd:.6f}\n")  # a leading newline protects this line from an earlier torn one
        except OSError as error:
            log.warning("what a call has cost cannot be added to that of all homes: %s", in_words(error))

    def of_all(self, now: datetime) -> float:
        """Return the US dollars spent by all homes on this day.
        Never raises: an unreadable file counts as far as it was read."""
        return sum(self.by_home(now).values())

    def by_home(self, now: datetime) -> Counter[str]:
        """Return the US dollars of this day by home."""
        with self._reading:
            return self._read_on(now)

    def _read_on(self, now: datetime) -> Counter[str]:
        today = now.astimezone(UTC).date()
        if today != self._day:
            self._day, self._read_to, self._by_home = today, 0, Counter()
        try:
            with self._path(now).open("rb") as file:
                file.seek(self._read_to)
                new = file.read()
        except FileNotFoundError:
            self._read_to, self._by_home = 0, Counter()
            return self._by_home
        except OSError as error:
            log.warning("what all homes have spent cannot be read: %s", in_words(error))
            return self._by_home
        whole = new[: new.rfind(b"\n") + 1]  # read an incomplete line the next time
        self._read_to += len(whole)
        for line in whole.decode("ascii", "replace").splitlines():
            home, _, usd = line.partition(" ")
            try:
                self._by_home[home] += float(usd)  # type: ignore[assignment]
            except ValueError:
                continue  # the rest of a line after a power failure
        return self._by_home

    def _path(self, now: datetime) -> Path:
        return self._folder / f"{now.astimezone(UTC):%Y-%m-%d}"

    def _clear(self, now: datetime) -> None:
        """Delete the files of old days, all but the newest KEPT_DAYS."""
        for path in sorted(self._folder.iterdir())[:-KEPT_DAYS]:
            path.unlink(missing_ok=True)


@functools.cache
def of_host(host: Path) -> Spending:
    """Return the spending of a host; one instance for each process."""
    return Spending(host)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)
