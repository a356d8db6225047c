"""Reading of logs as records: newest first, including compressed parts, or following new ones.

Plain lines are read too: those of earlier releases, and those written by a library or the
interpreter to stderr. A plain line without a time belongs to the record before it.
"""

import gzip
import heapq
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import IO

from furoshiki.core.paths import KEPT_LOGS, build_packed_path
from furoshiki.core.timestamps import of_seconds, parse_foreign

LEVELS = ("debug", "info", "warning", "error", "critical")

LONGEST_LINE = 1 << 20  # bytes; records are shorter, but other output on stderr may be longer

_BLOCK = 64 * 1024
_CUT = "…".encode()


@dataclass(frozen=True)
class Record:
    """A log record. `process` is the file's name; `at` is UTC."""

    process: str
    at: datetime
    level: str
    logger: str
    message: str
    traceback: str = ""
    # whether the line has no time and level; `at` is from the next one or the file
    plain: bool = False


def names(folder: Path) -> list[str]:
    """Return the names of the logs, last written last."""
    found = {path: stat.st_mtime for path in folder.glob("*.log") if (stat := _stat(path)) is not None}
    return [path.stem for path in sorted(found, key=lambda path: (found[path], path))]


def newest_first(followers: "Iterable[Follower]", since: datetime | None, level: str) -> Iterator[Record]:
    """Yield the records of logs up to their followed positions, merged, newest first: since a time,
    of at least this level."""
    streams = [_of_one(follower.path, follower.position) for follower in followers]
    merged = heapq.merge(*streams, key=lambda record: record.at, reverse=True)
    wanted = merged if since is None else takewhile(lambda record: record.at >= since, merged)
    return (record for record in wanted if severe(record, level))


def severe(record: Record, level: str) -> bool:
    """Return whether a record has at least this level. Plain lines always count: maybe a crash."""
    return record.plain or LEVELS.index(record.level) >= LEVELS.index(level)


class Follower:
    """Follows one log, from now or from its beginning, even if it is compressed meanwhile."""

    def __init__(self, path: Path, from_its_beginning: bool = False) -> None:
        stat = None if from_its_beginning else _stat(path)
        self.path, self.position = path, 0 if stat is None else stat.st_size
        self._packed = _stat(build_packed_path(path, 1))

    def added(self) -> list[Record]:
        """Return the new records since the last call, in order; incomplete lines wait."""
        packed, stat, before = _stat(build_packed_path(self.path, 1)), _stat(self.path), b""
        if stat is None:
            return []
        if stat.st_size < self.position:  # emptied after compression, or replaced
            if packed is not None and (self._packed is None or packed.st_ino != self._packed.st_ino):
                before = _whole(build_packed_path(self.path, 1))[self.position :]
            self.position = 0
        self._packed = packed
        with self.path.open("rb") as file:
            file.seek(self.position)
            now = file.read()
        whole = now[: now.rfind(b"\n") + 1]
        self.position += len(whole)
        lines = reversed((before + whole).split(b"\n"))
        return list(_backwards(self.path.stem, lines, of_seconds(stat.st_mtime)))[::-1]


def _of_one(path: Path, position: int) -> Iterator[Record]:
    """Yield a log's records before a position, newest first, then those of compressed parts."""
    stat = _stat(path)
    if stat is not None:
        with path.open("rb") as file:
            yield from _backwards(path.stem, _lines_backwards(file, position), of_seconds(stat.st_mtime))
    for number in range(1, KEPT_LOGS + 1):
        packed = build_packed_path(path, number)
        if (found := _stat(packed)) is None:
            return
        lines = _whole(packed).split(b"\n")
        yield from _backwards(path.stem, reversed(lines), of_seconds(found.st_mtime))


def _backwards(process: str, lines: Iterable[bytes], otherwise: datetime) -> Iterator[Record]:
    """Yield the records of reversed lines; plain lines are collected for the record before them."""
    below: list[str] = []
    for line in lines:
        text = line.decode("utf-8", "replace").rstrip()
        if not text:
            continue
        record = _read(process, text)
        if record is None:
            below.append(text)
            continue
        yield _with(record, below[::-1])
        below, otherwise = [], record.at
    for text in below:
        yield Record(process, otherwise, "info", "", text, plain=True)


def _lines_backwards(file: IO[bytes], position: int) -> Iterator[bytes]:
    """Yield a file's lines before a position, last first, read in blocks as needed.
    Of a line longer than LONGEST_LINE the beginning is kept."""
    at, rest, cut = min(position, file.seek(0, 2)), b"", b""
    while at > 0:
        size = min(_BLOCK, at)
        at -= size
        file.seek(at)
        rest, *whole = (file.read(size) + rest).split(b"\n")
        if whole:
            whole[-1], cut = whole[-1] + cut, b""
        yield from reversed(whole)
        if len(rest) > LONGEST_LINE:
            rest, cut = rest[:_BLOCK], _CUT
    yield rest + cut


def _read(process: str, text: str) -> Record | None:
    """Return the record on a line; None for a plain line."""
    if not text.startswith("{"):
        return None
    try:
        found = json.loads(text)
        level = str(found["level"])
        if level not in LEVELS:
            raise ValueError(level)
        logger, traceback = str(found.get("logger", "")), str(found.get("traceback", ""))
        return Record(process, parse_foreign(str(found["at"])), level, logger, str(found["message"]), traceback)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _with(record: Record, below: Sequence[str]) -> Record:
    if not below:
        return record
    return replace(record, traceback="\n".join(filter(None, (record.traceback, *below))))


def _whole(packed: Path) -> bytes:
    """Return a compressed log's content, as far as readable."""
    parts: list[bytes] = []
    try:
        with gzip.open(packed, "rb") as file:
            while block := file.read(1 << 20):
                parts.append(block)
    except (OSError, EOFError, zlib.error):
        pass
    return b"".join(parts)


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
