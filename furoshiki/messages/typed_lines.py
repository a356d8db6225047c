"""The lines that were typed at the terminal, so that they can be typed again: a file of their own, one line each.

Forgetting looks through it for words like through every other file, and for what was said word for word: a line that
was a message goes with that message, whatever it says.
"""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from furoshiki.core import atomic_files

FILE = "console-history"
"""In the data directory."""

MOST = 1000
"""Lines that are kept."""

_LOCK = "console-history.lock"


def read(data: Path) -> list[str]:
    """What was typed, oldest first; nothing when there is no such file."""
    try:
        lines = (data / FILE).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return []
    return [line for line in lines if line.strip()][-MOST:]


def add(data: Path, lines: Iterable[str]) -> None:
    """Keep lines that were typed. Raises OSError."""
    new = [part.strip() for line in lines for part in line.split("\n") if part.strip()]
    with atomic_files.locked(data / "run" / _LOCK):
        _write(data, [*read(data), *new])


def state(data: Path) -> tuple[int, int]:
    """Something that is another after every change of the file."""
    try:
        found = (data / FILE).stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_ino


def survey(data: Path, goes: Callable[[str], bool]) -> int:
    """How many lines would go."""
    return sum(map(goes, read(data)))


def rewrite(data: Path, goes: Callable[[str], bool]) -> bool:
    """Let them go; whether any did."""
    with atomic_files.locked(data / "run" / _LOCK):
        before = read(data)
        left = [line for line in before if not goes(line)]
        if left != before:
            _write(data, left)
        return left != before


def collect_lines(texts: Iterable[str]) -> frozenset[str]:
    """The lines of messages, as they are compared."""
    return frozenset(key for text in texts for line in text.splitlines() if (key := same(line)))


def same(line: str) -> str:
    """A line as it is compared with another."""
    return " ".join(line.split()).casefold()


def _write(data: Path, lines: Collection[str]) -> None:
    path = data / FILE
    if lines:
        atomic_files.write_text(path, "".join(f"{line}\n" for line in list(lines)[-MOST:]))
    elif path.exists():
        path.unlink()
        atomic_files.sync_folder(data)
