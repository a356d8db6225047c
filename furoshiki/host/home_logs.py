"""Routes log records about a home to that home's own log: the host's log holds nothing private."""

import logging
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from furoshiki.core import logs
from furoshiki.core.logs import JsonLine, LogFile

# log files of homes that are open at once; the least recently written is closed first
MOST_OPEN = 32

_CURRENT: ContextVar[tuple[Path, tuple[str, ...]] | None] = ContextVar("home", default=None)


class HomeLogs(logging.Handler):
    """Sends each record to the log of its home: `logs/<name>.log` in the data directory."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._files: OrderedDict[Path, LogFile] = OrderedDict()

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record, if it is about a home."""
        current = _CURRENT.get()
        if current is None:
            return
        try:
            self._file(*current).emit(record)
        except OSError:  # the folder or disk is gone: the code that met the trouble reports it
            return

    def close(self) -> None:
        while self._files:
            self._files.popitem()[1].close()
        super().close()

    def _file(self, data: Path, secrets: Sequence[str]) -> LogFile:
        file = self._files.pop(data, None)
        if file is None:
            path = data / "logs" / f"{self._name}.log"
            path.parent.mkdir(exist_ok=True, mode=0o700)
            file = LogFile(path)
        file.setFormatter(JsonLine(secrets))
        self._files[data] = file
        while len(self._files) > MOST_OPEN:
            self._files.popitem(last=False)[1].close()
        return file


@contextmanager
def about(data: Path, secrets: Sequence[str] = ()) -> Iterator[None]:
    """Mark everything logged in this context and its tasks as about a home, without its secrets."""
    token = _CURRENT.set((data, tuple(secrets)))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def keep(host: Path, name: str, level: str, secrets: Sequence[str]) -> None:
    """Log records about no home to the host's log `name` and stderr, others to their home."""
    logs.keep(host / "logs" / f"{name}.log", level, secrets)
    for handler in logging.getLogger().handlers:
        handler.addFilter(_about_nobody)
    logging.getLogger().addHandler(HomeLogs(name))


def _about_nobody(_record: logging.LogRecord) -> bool:
    return _CURRENT.get() is None
