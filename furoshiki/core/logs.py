"""Log files: one for each service or script, in JSON Lines, with secrets removed.

Fields: `at` (UTC), `level`, `logger`, `message`, and `traceback` if any. Output on stderr is plain
text. Several processes may write one file: each record is one append, and a full file is compressed
and emptied in place, so that no process has to reopen it.
"""

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
from furoshiki.core.framing import visible
from furoshiki.core.network.addresses import without_secrets
from furoshiki.core.paths import KEPT_LOGS, build_packed_path
from furoshiki.core.timestamps import stamp

MOST_BYTES = 10_000_000  # a log of this many bytes is compressed

# bytes a log may grow before another attempt, after compressing it failed (a full disk)
LATER_BYTES = 1_000_000

HIDDEN = "[hidden]"

# Telegram bot tokens, model keys and bearer tokens, including those not in the settings
_LOOKS_SECRET = re.compile(
    r"(?<!\d)\d{6,12}:[A-Za-z0-9_-]{30,}|\bsk-[A-Za-z0-9_-]{16,}|(?<=Bearer )[A-Za-z0-9._~+/-]{16,}"
)

_BLOCK = 1 << 20

# libraries with verbose logs: the SDKs (also under `llm.slim`'s names) log whole prompts
_NOISY = (
    *("httpx", "httpcore", "httpx2", "httpcore2", "aiogram", "aiohttp", "chromadb", "schedule", "asyncio", "alembic"),
    *("pypdf", "openai", "anthropic", "_furoshiki_openai", "_furoshiki_anthropic", "urllib3"),
)


class Redacting(logging.Formatter):
    """Formats a record with its traceback, without secrets, control characters visible."""

    def __init__(self, secrets: Sequence[str]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets: list[str] = []
        self.hide(secrets)

    def hide(self, secrets: Sequence[str]) -> None:
        """Remove these secrets too; those shorter than 6 characters are ignored."""
        known = {*self._secrets, *(secret for secret in secrets if len(secret) >= 6)}
        self._secrets = sorted(known, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """Return the formatted record without secrets and terminal control characters."""
        return self.clean(super().format(record))

    def clean(self, text: str) -> str:
        """Return the text without secrets and terminal control characters."""
        text = without_secrets(text)
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return visible(_LOOKS_SECRET.sub(HIDDEN, text))


class JsonLine(Redacting):
    """Formats a record as one line of JSON, as `Redacting` does."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the JSON that `maintenance/log_reading` reads, the traceback as a field."""
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
    """Appends to a log file shared with other processes; compresses it when it is full."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        super().__init__()
        self._path, self._most, self._limit = path, most_bytes, most_bytes
        self._torn = False
        self._fd = self._open()

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record. Errors (a full disk) are not raised: the user must not see a traceback
        for them, and the code that meets the problem reports it."""
        try:
            line = f"{self.format(record)}\n".encode("utf-8", "backslashreplace")
            self._reopen_if_gone()
            if os.fstat(self._fd).st_size + len(line) > self._limit:
                self._pack()
            with locked_log(self._fd, fcntl.LOCK_SH):
                self._write(line)
        except RecursionError:
            raise
        except Exception:  # logging must never stop the program
            self._torn = True

    def close(self) -> None:
        """Close the file; later records are dropped."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)
        super().close()

    def _open(self) -> int:
        fd = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.fchmod(fd, 0o600)
        return fd

    def _reopen_if_gone(self) -> None:
        ours = os.fstat(self._fd)
        try:
            there = self._path.stat()
        except FileNotFoundError:
            there = None
        if there is None or (there.st_ino, there.st_dev) != (ours.st_ino, ours.st_dev):
            fresh = self._open()  # open first: a closed descriptor's number may be reused at once
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
    """Lock a log file for appending (LOCK_SH, shared) or for changing it (LOCK_EX)."""
    fcntl.flock(fd, how)
    try:
        yield
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)


def pack(path: Path, most_bytes: int) -> bool:
    """Compress a log of about `most_bytes` into `<name>.1.gz`, delete the oldest of KEPT_LOGS, and
    empty it. Returns True when done, also when another process just did it; False while a process
    writes. Raises OSError; nothing has changed then. After a kill some lines may exist twice, but
    none is lost."""
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
    """Log to a file, and warnings to stderr if `loud`. `level`: debug, info, warning or error."""
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
    """Change the log level of this process, and hide these secrets in addition to earlier ones."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, Redacting):
            handler.formatter.hide(secrets)
    _listen(level)


def _listen(level: str) -> None:
    root = logging.getLogger()
    root.setLevel(level.upper())
    for name in _NOISY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
