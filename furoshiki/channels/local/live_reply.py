"""Where a growing answer can be read: in memory within one process, in a small file between two.

The file (`run/partial-<envelope>`) is written without fsync and removed at the end of the turn: the
final words come through the outbox. `run/stop-<envelope>` is the way back: the user pressed stop.
"""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from furoshiki.messages.channels import HERE
from furoshiki.messages.values import Envelope
from furoshiki.world import Silent, Stage

WRITE_EVERY_SECONDS = 0.1


class Board(Protocol):
    """Growing texts by the id of the envelope they answer. None: no answer is in progress."""

    def put(self, envelope_id: int, text: str | None) -> None:
        """Show a text, or remove it (None)."""

    def text(self, envelope_id: int) -> str | None: ...

    def stop(self, envelope_id: int) -> None:
        """Request an end of the answer."""

    def stopped(self, envelope_id: int) -> bool:
        """Return whether an end was requested."""


class MemoryBoard:
    """Between threads of one process. `own` are the external ids of envelopes watched here."""

    def __init__(self) -> None:
        self.own: set[str] = set()
        self._texts: dict[int, str] = {}
        self._stops: set[int] = set()

    def put(self, envelope_id: int, text: str | None) -> None:
        """Show a text, or remove it (None)."""
        if text is None:
            self._texts.pop(envelope_id, None)
            self._stops.discard(envelope_id)
        else:
            self._texts[envelope_id] = text

    def text(self, envelope_id: int) -> str | None:
        return self._texts.get(envelope_id)

    def stop(self, envelope_id: int) -> None:
        """Request an end of the answer."""
        self._stops.add(envelope_id)

    def stopped(self, envelope_id: int) -> bool:
        """Return whether an end was requested."""
        return envelope_id in self._stops


class FileBoard:
    """Between processes, in the folder `run/`. If the disk fails, nothing is shown."""

    def __init__(self, run: Path) -> None:
        self._run = run

    def put(self, envelope_id: int, text: str | None) -> None:
        """Show a text, or remove it (None)."""
        path = self._path("partial", envelope_id)
        with contextlib.suppress(OSError):
            if text is None:
                path.unlink(missing_ok=True)
                self._path("stop", envelope_id).unlink(missing_ok=True)
                return
            fresh = path.with_suffix(".new")
            fresh.touch(mode=0o600)
            fresh.write_text(text, encoding="utf-8", errors="replace")
            fresh.replace(path)

    def text(self, envelope_id: int) -> str | None:
        try:
            return self._path("partial", envelope_id).read_text(encoding="utf-8")
        except OSError:
            return None

    def stop(self, envelope_id: int) -> None:
        """Request an end of the answer."""
        with contextlib.suppress(OSError):
            self._path("stop", envelope_id).touch(mode=0o600)

    def stopped(self, envelope_id: int) -> bool:
        """Return whether an end was requested."""
        return self._path("stop", envelope_id).exists()

    def _path(self, what: str, envelope_id: int) -> Path:
        return self._run / f"{what}-{envelope_id}"


class GrowingReply:
    """The view of one envelope's turn: empty at first, it grows, and is removed at the end."""

    def __init__(self, board: Board, envelope_id: int) -> None:
        self._board = board
        self._id = envelope_id
        self._shown = False
        self._written_at = float("-inf")

    @property
    def shown(self) -> bool:
        """Whether any part of the answer was shown."""
        return self._shown

    @property
    def stopped(self) -> bool:
        """Whether the user requested an end, by Ctrl-C or a button."""
        return self._board.stopped(self._id)

    async def begin(self) -> None:
        """Show that thinking has begun."""
        self._board.put(self._id, "")

    async def show(self, words: Callable[[], str]) -> None:
        """Show the whole text so far, at most ten times a second."""
        if time.monotonic() - self._written_at >= WRITE_EVERY_SECONDS and (text := words()):
            self._board.put(self._id, text)
            self._shown = True
            self._written_at = time.monotonic()

    async def end(self) -> None:
        """Remove the text: the turn is over."""
        self._board.put(self._id, None)


def stage(run: Path, envelope: Envelope, here: MemoryBoard | None = None) -> Stage:
    """Return the view of a turn for this machine: in this process if it asked (`here`), else for
    others.

    `run` is the folder for files between processes. Other channels show nothing here.
    """
    if envelope.channel not in HERE:
        return Silent()
    watched = here is not None and envelope.external_id in here.own
    return GrowingReply(here if here is not None and watched else FileBoard(run), envelope.id)
