"""Where the packed parts of a log lie. Apart from `logs`, because who only reads them need not load `logging`."""

from __future__ import annotations

from pathlib import Path

KEPT_FILES = 5
"""How many packed logs are kept beside the one that is written: `x.log.1.gz` is the newest."""


def packed_path(path: Path, number: int) -> Path:
    """Where the `number`-th newest packed part of a log lies."""
    return path.with_name(f"{path.name}.{number}.gz")
