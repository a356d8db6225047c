"""Generated pictures, stored in `memory/pictures` of the data directory under their row's id."""

from pathlib import Path

from furoshiki.core import atomic_files, numbers
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import pictures

FOLDER = Path("memory", "pictures")


def locate(data: Path, picture_id: int) -> Path:
    return data / FOLDER / f"{picture_id}.picture"


def write(data: Path, picture_id: int, content: bytes) -> None:
    """Write a picture atomically. Raises OSError."""
    (data / FOLDER).mkdir(parents=True, exist_ok=True, mode=0o700)
    atomic_files.write_bytes(locate(data, picture_id), content)


def read(data: Path, picture_id: int) -> bytes | None:
    """Return the picture, or None if there is none."""
    try:
        return locate(data, picture_id).read_bytes()
    except OSError:
        return None


def sweep(data: Path, database: Database) -> list[str]:
    """Delete files without a row; return their paths relative to the data directory."""
    id_of = {path: numbers.row(path.stem) for path in (data / FOLDER).glob("*.picture")}
    if not id_of:
        return []
    with database.read() as db:
        known_ids = pictures.ids(db)
    orphaned = sorted(path for path, picture_id in id_of.items() if picture_id not in known_ids)
    for path in orphaned:
        path.unlink(missing_ok=True)
    return [path.relative_to(data).as_posix() for path in orphaned]
