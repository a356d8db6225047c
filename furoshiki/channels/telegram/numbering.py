"""The newest message id of a shared bot: all its private chats have one sequence of ids.

A bot with one chat does not need this. Where many companions share a bot, the ids after the last
message of a chat mostly belong to other chats, and only the newest id of the whole bot bounds where
an uncertain message may be. It is kept in a small file, written without waiting for the disk, so
that it outlives the process.
"""

import contextlib
import os
from pathlib import Path

from furoshiki.core import numbers

# ids beyond the newest known one that must be empty before a message counts as not delivered: so
# many unreported sends and messages may lie between when a process dies
MISSES = 30

MOST_TRIES = 300
_WIDTH = 20


class Numbering:
    """The newest known message id of a bot. For one event loop."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        found = os.pread(self._file, _WIDTH, 0).strip()
        self.newest = numbers.row(found.decode("ascii", "replace")) or 0

    def saw(self, message_id: int) -> None:
        if message_id > self.newest:
            self.newest = message_id
            with contextlib.suppress(OSError):  # a full disk: then it is known only to this process
                os.pwrite(self._file, str(message_id).rjust(_WIDTH).encode(), 0)

    def close(self) -> None:
        os.close(self._file)
