"""Lines of a file, taken in."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from furoshiki.archive.import_export.importing import Imported, Progress, Wish, import_file
from furoshiki.core.database.connection import Database


def import_lines(
    database: Database,
    lines: Iterable[bytes],
    name: str,
    on_progress: Progress | None = None,
    me: str | None = None,
) -> Imported:
    """Take in JSON Lines as the import called `name`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.jsonl"
        path.write_bytes(b"".join(lines))
        return import_file(database, path, on_progress, Wish(me=me))
