"""What all homes of a host have spent today: one file a day of UTC, a line for each call that cost something.

Lines are appended, which processes may do at the same moment, and each process reads only what was added since it last
looked. Whose ledger it is in the first place is each home's database; this is the sum that no single home has.
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
    """The days' files of one host, as this process knows them."""

    def __init__(self, host: Path) -> None:
        self._folder = host / FOLDER
        self._day: date | None = None
        self._read_to = 0
        self._by_home: Counter[str] = Counter()
        self._reading = threading.Lock()

    def add(self, home: str, usd: float, now: datetime) -> None:
        """Write down what a call has cost. A full disk loses the line, and says so in the log."""
        if usd <= 0:
            return
        path = self._path(now)
        try:
            if not path.exists():
                self._folder.mkdir(mode=0o700, exist_ok=True)
                self._clear(now)
            with open(path, "a", encoding="ascii", opener=_private) as file:
                file.write(f"\n{home} {usd:.6f}\n")  # a line that was torn before must not swallow this one
        except OSError as error:
            log.warning("what a call has cost cannot be added to that of all homes: %s", in_words(error))

    def of_all(self, now: datetime) -> float:
        """US dollars that all homes have spent on this day. Never raises: a file that cannot be read counts as far as
        it could be."""
        return sum(self.by_home(now).values())

    def by_home(self, now: datetime) -> Counter[str]:
        """US dollars of this day by home."""
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
        whole = new[: new.rfind(b"\n") + 1]  # a line that is being written is read the next time
        self._read_to += len(whole)
        for line in whole.decode("ascii", "replace").splitlines():
            home, _, usd = line.partition(" ")
            try:
                self._by_home[home] += float(usd)  # type: ignore[assignment]
            except ValueError:
                continue  # what was left of a line when the power went
        return self._by_home

    def _path(self, now: datetime) -> Path:
        return self._folder / f"{now.astimezone(UTC):%Y-%m-%d}"

    def _clear(self, now: datetime) -> None:
        """The first call of a day removes the files of days nobody asks for any more."""
        for path in sorted(self._folder.iterdir())[:-KEPT_DAYS]:
            path.unlink(missing_ok=True)


@functools.cache
def of_host(host: Path) -> Spending:
    """The spending of a host; one for each process."""
    return Spending(host)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)
