"""The history of lines typed at the terminal: a separate file, one line each.

Forgetting searches it for words like every other file, and for the lines of forgotten messages.
"""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from furoshiki.core import atomic_files

FILE = "console-history"  # in the data directory
MOST = 1000  # the most lines that are stored

_LOCK = "console-history.lock"


def read(data: Path) -> list[str]:
    """Return the lines, oldest first; empty without a file."""
    try:
        lines = (data / FILE).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return []
    return [line for line in lines if line.strip()][-MOST:]


def add(data: Path, lines: Iterable[str]) -> None:
    """Add typed lines. Raises OSError."""
    new = [part.strip() for line in lines for part in line.split("\n") if part.strip()]
    with atomic_files.locked(data / "run" / _LOCK):
        _write(data, [*read(data), *new])


def state(data: Path) -> tuple[int, int]:
    """Return a value that differs after every change of the file."""
    try:
        status = (data / FILE).stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_ino


def survey(data: Path, goes: Callable[[str], bool]) -> int:
    """Return how many lines would be deleted."""
    return sum(map(goes, read(data)))


def rewrite(data: Path, goes: Callable[[str], bool]) -> bool:
    """Delete the lines for which `goes` is true; return whether there were any."""
    with atomic_files.locked(data / "run" / _LOCK):
        before = read(data)
        left = [line for line in before if not goes(line)]
        if left != before:
            _write(data, left)
        return left != before


def collect_lines(texts: Iterable[str]) -> frozenset[str]:
    """Return the normalised lines of messages."""
    return frozenset(key for text in texts for line in text.splitlines() if (key := same(line)))


def same(line: str) -> str:
    """Return a line in normalised form, for comparison."""
    return " ".join(line.split()).casefold()


def _write(data: Path, lines: Collection[str]) -> None:
    path = data / FILE
    if lines:
        atomic_files.write_text(path, "".join(f"{line}\n" for line in list(lines)[-MOST:]))
    elif path.exists():
        path.unlink()
        atomic_files.sync_folder(data)
