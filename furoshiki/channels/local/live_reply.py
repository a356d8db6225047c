"""Where a growing answer can be read while it grows: in memory within one process, in a small file between two.

The file (`run/partial-<envelope>`) is written without fsync and removed when the turn ends: it is a picture of a
moment, and the final words come through the outbox. `run/stop-<envelope>` is the way back: its maker pressed stop.
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
    """Texts that grow, by the id of the envelope they answer. None: nobody is thinking about it (any more)."""

    def put(self, envelope_id: int, text: str | None) -> None:
        """Show a text, or take it away."""
        ...

    def text(self, envelope_id: int) -> str | None:
        """What is shown now."""
        ...

    def stop(self, envelope_id: int) -> None:
        """Ask that the answer ends here."""
        ...

    def stopped(self, envelope_id: int) -> bool:
        """Whether that was asked."""
        ...


class MemoryBoard:
    """Between the threads of one process. `own` are the external ids of the envelopes that are watched here."""

    def __init__(self) -> None:
        self.own: set[str] = set()
        self._texts: dict[int, str] = {}
        self._stops: set[int] = set()

    def put(self, envelope_id: int, text: str | None) -> None:
        """Show a text, or take it away."""
        if text is None:
            self._texts.pop(envelope_id, None)
            self._stops.discard(envelope_id)
        else:
            self._texts[envelope_id] = text

    def text(self, envelope_id: int) -> str | None:
        """What is shown now."""
        return self._texts.get(envelope_id)

    def stop(self, envelope_id: int) -> None:
        """Ask that the answer ends here."""
        self._stops.add(envelope_id)

    def stopped(self, envelope_id: int) -> bool:
        """Whether that was asked."""
        return envelope_id in self._stops


class FileBoard:
    """Between processes, in the folder `run/`. A full disk or a lost folder only means that nothing is shown."""

    def __init__(self, run: Path) -> None:
        self._run = run

    def put(self, envelope_id: int, text: str | None) -> None:
        """Show a text, or take it away."""
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
        """What is shown now."""
        try:
            return self._path("partial", envelope_id).read_text(encoding="utf-8")
        except OSError:
            return None

    def stop(self, envelope_id: int) -> None:
        """Ask that the answer ends here."""
        with contextlib.suppress(OSError):
            self._path("stop", envelope_id).touch(mode=0o600)

    def stopped(self, envelope_id: int) -> bool:
        """Whether that was asked."""
        return self._path("stop", envelope_id).exists()

    def _path(self, what: str, envelope_id: int) -> Path:
        return self._run / f"{what}-{envelope_id}"


class GrowingReply:
    """The stage of one envelope of this machine: begins empty, grows on the board, and is taken away at the end."""

    def __init__(self, board: Board, envelope_id: int) -> None:
        self._board = board
        self._id = envelope_id
        self._shown = False
        self._written_at = float("-inf")

    @property
    def shown(self) -> bool:
        """Whether any of the answer has been seen."""
        return self._shown

    @property
    def stopped(self) -> bool:
        """Whether the person asked for an end, by Ctrl-C or a button."""
        return self._board.stopped(self._id)

    async def begin(self) -> None:
        """The companion has begun to think."""
        self._board.put(self._id, "")

    async def show(self, words: Callable[[], str]) -> None:
        """The whole text so far, at most ten times a second."""
        if time.monotonic() - self._written_at >= WRITE_EVERY_SECONDS and (text := words()):
            self._board.put(self._id, text)
            self._shown = True
            self._written_at = time.monotonic()

    async def end(self) -> None:
        """The turn is over."""
        self._board.put(self._id, None)


def stage(run: Path, envelope: Envelope, here: MemoryBoard | None = None) -> Stage:
    """What this machine shows of a turn: in this process (`here`), when it asked, or else in another process.

    `run` is the folder for what passes between processes. Nothing is shown of other channels.
    """
    if envelope.channel not in HERE:
        return Silent()
    watched = here is not None and envelope.external_id in here.own
    return GrowingReply(here if here is not None and watched else FileBoard(run), envelope.id)
