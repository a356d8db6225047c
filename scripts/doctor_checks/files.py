"""Small files: read without trust, and written atomically."""

import contextlib
import json
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MOST_BYTES = 16 * 1024 * 1024  # larger files are not ours


def text_of(path: Path) -> str | None:
    """Return a file's text; None if it is missing or unreadable."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_BYTES:
            return None
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return None


def object_of(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; empty without one."""
    try:
        found = json.loads(text_of(path) or "")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def write_object(path: Path, value: object) -> None:
    """Write JSON atomically, mode 600: a power cut leaves the old or new file. Raises OSError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    data = json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace")
    draft.unlink(missing_ok=True)  # of a doctor that was killed
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
    with opened(path.parent) as folder:
        os.fsync(folder)


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[int]:
    """Open a folder's handle."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield handle
    finally:
        os.close(handle)


def stamp(moment: datetime) -> str:
    """Format a moment as in the database: UTC, microseconds."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def moment(text: object) -> datetime | None:
    """Parse a stamp; None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        found = datetime.fromisoformat(text)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def megabytes(size: float) -> str:
    """Format a size in bytes for people."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"
