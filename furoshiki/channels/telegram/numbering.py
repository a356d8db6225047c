"""How far a bot has counted its messages: private chats of one bot share one sequence of ids.

A bot that speaks in one chat needs none of this. Where many companions share a bot, the ids after the last message of a
chat are mostly other people's, and only what the whole bot has counted tells where an uncertain message may be. The
newest id is kept in a file of a few bytes, written without waiting for the disk: it outlives the process.
"""

import contextlib
import os
from pathlib import Path

from furoshiki.core import numbers

MISSES = 30
"""So many ids beyond the newest one known have to be empty before a message counts as not arrived: that many sends and
messages nobody has told us of yet may lie in between when a process dies."""

MOST_TRIES = 300
_WIDTH = 20


class Numbering:
    """The newest message id that is known of a bot. For use in one event loop."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self.newest = 0
        self.look()

    def look(self) -> None:
        """See how far another process has counted, which had the bot until now."""
        found = os.pread(self._file, _WIDTH, 0).strip()
        self.newest = max(self.newest, numbers.row(found.decode("ascii", "replace")) or 0)

    def saw(self, message_id: int) -> None:
        """A message of this id exists."""
        if message_id > self.newest:
            self.newest = message_id
            with contextlib.suppress(OSError):  # a full disk: then it is known as long as this process lives
                os.pwrite(self._file, str(message_id).rjust(_WIDTH).encode(), 0)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)
