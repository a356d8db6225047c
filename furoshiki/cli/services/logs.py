"""`furoshiki logs`: the end of the logs, and what is added to them."""

from __future__ import annotations

import argparse
import time
from collections import deque
from pathlib import Path

from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import data_dir

LOOK_SECONDS = 0.5


class NoSuchLog(FuroshikiError):
    """There is no log of that name: `furoshiki logs` lists those there are."""

    exit_code = 2


def run(args: argparse.Namespace) -> int:
    """Print the last lines of one log, or list the logs there are."""
    folder = data_dir() / "logs"
    known = sorted(folder.glob("*.log"), key=lambda path: path.stat().st_mtime)
    if args.name is None:
        for path in known:
            print(f"{path.stem}\t{path.stat().st_size:,} bytes")
        if not known:
            print(f"Nothing has been logged yet in {folder}.")
        return 0
    wanted = [one for one in known if args.name in (one.stem, one.name)]
    if not wanted:
        names = ", ".join(one.stem for one in known) or "none yet"
        raise NoSuchLog(f"no log {args.name!r} in {folder}; there are: {names}")
    path = wanted[0]
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in deque(file, maxlen=args.lines):
            print(line, end="", flush=True)
        position = file.tell()
    if args.follow:
        _follow(path, position)
    return 0


def _follow(path: Path, position: int) -> None:
    """Print what is added until interrupted; a log that was rotated is read from its beginning."""
    while True:
        time.sleep(LOOK_SECONDS)
        if not path.exists():
            continue
        if path.stat().st_size < position:
            position = 0
        with path.open(encoding="utf-8", errors="replace") as file:
            file.seek(position)
            for line in file:
                print(line, end="", flush=True)
            position = file.tell()
