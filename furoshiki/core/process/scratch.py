"""Temporary folders below run/ for trials: deleted afterwards, or later if the process died."""

import contextlib
import logging
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, get_args

from furoshiki.core.process import trees

Kind = Literal["plugin", "draft", "repair"]  # what the folder is for

# leftover folders older than this are deleted; no trial takes so long
LEFT_AFTER = timedelta(hours=1)

log = logging.getLogger(__name__)


@contextlib.contextmanager
def folder(data: Path, kind: Kind, now: datetime) -> Iterator[Path]:
    """Provide an empty folder for this block, after deleting the leftovers of killed processes."""
    run = data / "run"
    run.mkdir(exist_ok=True, mode=0o700)
    _sweep(run, now)
    made = Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=run))
    try:
        yield made
    finally:
        _remove(made)


def _sweep(run: Path, now: datetime) -> None:
    for path in (path for kind in get_args(Kind) for path in run.glob(f"{kind}-*")):
        with contextlib.suppress(FileNotFoundError):
            about = path.lstat()
            if path.is_dir() and now - datetime.fromtimestamp(about.st_mtime, UTC) > LEFT_AFTER:
                _remove(path)


def _remove(path: Path) -> None:
    """Delete a folder without raising; folders nested too deep by a plugin stay."""
    with contextlib.suppress(RecursionError):
        trees.remove(path, ignore_errors=True)
    if path.exists():
        log.warning("%s could not be taken away: delete it", path)
