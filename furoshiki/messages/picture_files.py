"""The files of pictures that were painted, in `memory/pictures` of the data directory, by the number of their row."""

from pathlib import Path

from furoshiki.core import atomic_files, numbers
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import pictures

FOLDER = Path("memory", "pictures")


def locate(data: Path, picture_id: int) -> Path:
    """Where one lies."""
    return data / FOLDER / f"{picture_id}.picture"


def write(data: Path, picture_id: int, content: bytes) -> None:
    """Have it on the disk, whole or not at all. Raises OSError."""
    (data / FOLDER).mkdir(parents=True, exist_ok=True, mode=0o700)
    atomic_files.write_bytes(locate(data, picture_id), content)


def read(data: Path, picture_id: int) -> bytes | None:
    """The picture; None where there is none."""
    try:
        return locate(data, picture_id).read_bytes()
    except OSError:
        return None


def sweep(data: Path, database: Database) -> list[str]:
    """Remove those whose row is gone: forgotten, or too old; returns their names below the data directory."""
    found = {path: numbers.row(path.stem) for path in (data / FOLDER).glob("*.picture")}
    if not found:
        return []
    with database.read() as db:
        held = pictures.ids(db)
    gone = sorted(path for path, picture_id in found.items() if picture_id not in held)
    for path in gone:
        path.unlink(missing_ok=True)
    return [path.relative_to(data).as_posix() for path in gone]
