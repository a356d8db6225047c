"""A terminal with a person at it: the real program on the other end of a pseudo-terminal."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.e2e.program import PATIENCE_SECONDS, Process

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x01\x02]")


class Terminal:
    """Runs `furoshiki ARGS` and holds what was shown. Use as a context manager."""

    def __init__(self, args: list[str], environ: Mapping[str, str], cwd: Path, columns: int = 100) -> None:
        self._master, self._slave = pty.openpty()  # both stay open: a terminal is there before somebody sits at it
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.process = self._started(args, {**environ, "TERM": "xterm-256color"}, cwd)
        self._shown = ""
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _started(self, args: list[str], environ: dict[str, str], cwd: Path) -> Process:
        return subprocess.Popen(
            [sys.executable, "-m", "furoshiki", *args],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env=environ,
            cwd=cwd,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._slave)
        self._reader.join(2)
        os.close(self._master)

    @property
    def text(self) -> str:
        """Everything shown so far, without colours."""
        with self._changed:
            return _ESCAPES.sub("", self._shown).replace("\r\n", "\n")

    @property
    def raw(self) -> str:
        """Everything shown so far, as it was sent."""
        with self._changed:
            return self._shown

    def types(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def sees(self, words: str, times: int = 1, seconds: float = PATIENCE_SECONDS) -> str:
        """Wait until these words have been shown so many times; answers everything shown."""
        until = time.monotonic() + seconds
        while self.text.count(words) < times:
            with self._changed:
                left = until - time.monotonic()
                assert left > 0, f"{words!r} was not shown, but:\n{self.text}"
                self._changed.wait(min(left, 0.1))
        return self.text

    def interrupts(self, expected: str) -> str:
        """Press Ctrl-C until the program has shown that it noticed, as a person would.

        Python's own line editor misses one that falls between its reading of a key and its waiting for the next.
        """
        for _ in range(4):
            self.types("\x03")
            with contextlib.suppress(AssertionError):
                return self.sees(expected, seconds=5)
        return self.sees(expected, seconds=5)

    def leaves(self, seconds: float = PATIENCE_SECONDS) -> int:
        """Wait for the program to end; returns its status."""
        return self.process.wait(seconds)

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            with contextlib.suppress(OSError):
                if piece := os.read(self._master, 4096):
                    with self._changed:
                        self._shown += decoder.decode(piece)
                        self._changed.notify_all()
                    continue
            return
