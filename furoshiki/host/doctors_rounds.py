"""The doctor's checks of all homes of a host: every home each half hour, each at its own minute."""

import logging
import subprocess
import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from furoshiki.app.supervisor import die_with_parent
from furoshiki.core.errors import in_words
from furoshiki.host.rules import staggering
from furoshiki.maintenance import doctor

log = logging.getLogger(__name__)

MINUTES = 30
# seconds before the first check: processes that were just started need time to come up
FIRST_AFTER_S = 120.0

# seconds that the checks may take for each home and for the host, before the process is killed
HOME_SECONDS = 15.0


class DoctorsRounds:
    """Starts the doctor, one process at a time, whose state it writes, and sends alerts."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._minute: int | None = None
        self._waiting: set[str] = set()
        self._shared = False
        self._not_before = time.monotonic() + FIRST_AFTER_S
        self._process: subprocess.Popen[bytes] | None = None
        self._until = 0.0

    def go_on(self, now: datetime, homes: Iterable[str]) -> None:
        """Note the homes of this minute, and start the doctor for them when no check is running."""
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
        """Kill the running check, if any."""
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
