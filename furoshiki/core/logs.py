"""Logs that an operator can read and nobody can steal from: one file a service or script, secrets struck out.

A file is JSON Lines: `at` (UTC), `level`, `logger`, `message`, and `traceback` where there is one. What goes to stderr
stays plain text. Several processes may write one file: each record is one append, and what is full is packed away in
place, so nobody has to open it again.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from furoshiki.core.atomic_files import sync_folder
from furoshiki.core.network.addresses import without_secrets
from furoshiki.core.paths import KEPT_LOGS, build_packed_path
from furoshiki.core.timestamps import stamp
from furoshiki.core.visible import visible

MOST_BYTES = 10_000_000
"""A log of this size is packed away."""

LATER_BYTES = 1_000_000
"""A log that could not be packed away (a full disk) grows by so much before that is tried again."""

HIDDEN = "[hidden]"

_LOOKS_SECRET = re.compile(
    r"(?<!\d)\d{6,12}:[A-Za-z0-9_-]{30,}|\bsk-[A-Za-z0-9_-]{16,}|(?<=Bearer )[A-Za-z0-9._~+/-]{16,}"
)
"""Telegram bot tokens, model keys and bearer tokens, also those that nobody told us of."""

_BLOCK = 1 << 20

_NOISY = (
    *("httpx", "httpcore", "httpx2", "httpcore2", "aiogram", "aiohttp", "chromadb", "schedule", "asyncio", "alembic"),
    *("pypdf", "openai", "anthropic", "_furoshiki_openai", "_furoshiki_anthropic", "urllib3"),
)
"""Libraries that write much: the kits (also under the names `llm.slim` gives them) log every prompt, word for word."""


class Redacting(logging.Formatter):
    """Formats a record, traceback included, strikes out every secret, and makes control characters visible."""

    def __init__(self, secrets: Sequence[str]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets: list[str] = []
        self.hide(secrets)

    def hide(self, secrets: Sequence[str]) -> None:
        """Strike these out, too."""
        known = {*self._secrets, *(secret for secret in secrets if len(secret) >= 6)}
        self._secrets = sorted(known, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """The line, or lines, without secrets and without anything that steers a terminal."""
        return self.clean(super().format(record))

    def clean(self, text: str) -> str:
        """A text without secrets and without anything that steers a terminal."""
        text = without_secrets(text)
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return visible(_LOOKS_SECRET.sub(HIDDEN, text))


class JsonLine(Redacting):
    """The same as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as `maintenance/log_reading` finds it again; a traceback stands apart from the message."""
        found = {
            "at": stamp(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.clean(record.getMessage()),
        }
        traces = [self.formatException(record.exc_info)] if record.exc_info and record.exc_info[0] else []
        traces += [self.formatStack(record.stack_info)] if record.stack_info else []
        if traces:
            found["traceback"] = self.clean("\n".join(traces))
        return json.dumps(found, ensure_ascii=False)


class LogFile(logging.Handler):
    """Appends records to a file that others append to as well, and packs it away when it is full."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        super().__init__()
        self._path, self._most, self._limit = path, most_bytes, most_bytes
        self._torn = False
        self._fd = self._open()

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record. What cannot be written (a full disk) must not put tracebacks before a person: the
        code that met the trouble reports it."""
        try:
            line = f"{self.format(record)}\n".encode("utf-8", "backslashreplace")
            self._reopen_if_gone()
            if os.fstat(self._fd).st_size + len(line) > self._limit:
                self._pack()
            with locked_log(self._fd, fcntl.LOCK_SH):
                self._write(line)
        except RecursionError:
            raise
        except Exception:  # the edge: a log must never stop what it tells of
            self._torn = True

    def close(self) -> None:
        """Let go of the file; records that come afterwards are dropped."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)
        super().close()

    def _open(self) -> int:
        fd = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.fchmod(fd, 0o600)
        return fd

    def _reopen_if_gone(self) -> None:
        """Reopen the log when its file was moved or removed."""
        ours = os.fstat(self._fd)
        try:
            there = self._path.stat()
        except FileNotFoundError:
            there = None
        if there is None or (there.st_ino, there.st_dev) != (ours.st_ino, ours.st_dev):
            fresh = self._open()  # first: a number that was let go of may be another file's a moment later
            os.close(self._fd)
            self._fd, self._torn = fresh, False

    def _write(self, line: bytes) -> None:
        data = memoryview(b"\n" + line if self._torn else line)
        self._torn = False
        while data:
            data = data[os.write(self._fd, data) :]

    def _pack(self) -> None:
        try:
            packed = pack(self._path, self._most)
        except OSError:
            packed = False
        self._limit = self._most if packed else os.fstat(self._fd).st_size + LATER_BYTES


@contextlib.contextmanager
def locked_log(fd: int, how: int = fcntl.LOCK_EX) -> Iterator[None]:
    """Keep others from a log file while it is written to (LOCK_SH, many at once) or changed (LOCK_EX)."""
    fcntl.flock(fd, how)
    try:
        yield
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)


def pack(path: Path, most_bytes: int) -> bool:
    """Move what a log of about `most_bytes` holds into `<name>.1.gz`; the oldest of KEPT_LOGS goes. True when that is
    done, by us or just now by somebody else; False while somebody writes. Raises OSError; all is then as it was.

    The file stays where it is and is emptied, for all who write it. Cut off in between, lines are there twice, never
    not at all.
    """
    import gzip
    import shutil

    with path.open("rb+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        if os.fstat(file.fileno()).st_size < most_bytes // 2:
            return True
        fresh = path.with_name(f".{path.name}.gz")
        try:
            with open(fresh, "wb", opener=_private) as out:
                with gzip.open(out, "wb", compresslevel=6) as packed:
                    shutil.copyfileobj(file, packed, _BLOCK)
                out.flush()
                os.fsync(out.fileno())
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        for number in range(KEPT_LOGS - 1, 0, -1):
            with contextlib.suppress(FileNotFoundError):
                build_packed_path(path, number).rename(build_packed_path(path, number + 1))
        fresh.rename(build_packed_path(path, 1))
        sync_folder(path.parent)
        os.ftruncate(file.fileno(), 0)
    return True


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def keep(path: Path, level: str, secrets: Sequence[str], loud: bool = True) -> None:
    """Send this process's log to a file, and warnings to stderr if `loud`. `level`: debug, info, warning or error."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = LogFile(path)
    file.setFormatter(JsonLine(secrets))
    aloud = logging.StreamHandler()
    aloud.setFormatter(Redacting(secrets))
    aloud.setLevel(logging.WARNING)
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    for handler in (file, aloud) if loud else (file,):
        root.addHandler(handler)
    _listen(level)


def tune(level: str, secrets: Sequence[str]) -> None:
    """Write as much as `level` says from now on, and hide these secrets besides those that were hidden before."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, Redacting):
            handler.formatter.hide(secrets)
    _listen(level)


def _listen(level: str) -> None:
    root = logging.getLogger()
    root.setLevel(level.upper())
    for name in _NOISY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
