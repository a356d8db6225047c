"""Cuts the power of a real file system while a process writes, and looks at what is left of database and state.

    sudo python -m bench.power_cut --cuts 200

Takes root: ext4 in a file of 48 MB is mounted, and shut down as it is (EXT4_IOC_SHUTDOWN without a flush of the log),
so that whatever had not reached the disk is lost. After each cut everything that was acknowledged must be there.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.turn import Table
from furoshiki.core import atomic_files
from furoshiki.core.database import kv, migrate
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.timestamps import parse

MEGABYTES = 48
SHUTDOWN, WITHOUT_FLUSH = 0x8004587D, 2
AT = parse("2026-03-24T12:00")
PIPE_BYTES = 65536
LONGEST_SECONDS = 0.6
"""Seconds of writing at most before the power cut."""


def main() -> int:
    """Return 1 when acknowledged data was lost, or anything is damaged."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if os.getuid() != 0:
        print("a file system is mounted for this, which takes root", file=sys.stderr)
        return 2
    dice, table = random.Random(args.seed), Table()
    rows = files = lost_rows = lost_files = damaged = 0
    with tempfile.TemporaryDirectory() as folder:
        disk = Disk(Path(folder))
        with disk.mounted() as home:
            migrate.ensure(home / "longmemory.sqlite")
        for _ in range(args.cuts):
            with disk.mounted() as home:
                row, file = cut(disk, home, dice.uniform(0.05, LONGEST_SECONDS))
            with disk.mounted() as home:
                kept_row, kept_file, whole = left(home)
            rows, files = max(rows, row), max(files, file)
            lost_rows += max(0, row - kept_row)
            lost_files += kept_file < file
            damaged += not whole
    table.head(f"{args.cuts} power cuts")
    table.row("commits acknowledged", rows, "")
    table.row("  lost", lost_rows, "", below=1)
    table.row("state files acknowledged", files, "")
    table.row("  lost, torn or missing", lost_files, "", below=1)
    table.row("databases damaged", damaged, "", below=1)
    return 1 if table.missed else 0


class Disk:
    """An ext4 file system in a file, and its mount point."""

    def __init__(self, folder: Path) -> None:
        self._image, self._mount = folder / "disk.img", folder / "disk"
        self._mount.mkdir()
        with self._image.open("wb") as file:
            file.truncate(MEGABYTES * 1_000_000)
        subprocess.run(["mkfs.ext4", "-q", "-F", self._image], check=True)

    @contextlib.contextmanager
    def mounted(self) -> Iterator[Path]:
        """Mount it, which replays its log, and unmount it."""
        subprocess.run(["mount", "-o", "loop", self._image, self._mount], check=True)
        try:
            yield self._mount
        finally:
            subprocess.run(["umount", self._mount], check=True)

    def cut(self) -> None:
        """Cut the power."""
        handle = os.open(self._mount, os.O_RDONLY)
        fcntl.ioctl(handle, SHUTDOWN, struct.pack("I", WITHOUT_FLUSH))
        os.close(handle)


def cut(disk: Disk, home: Path, seconds: float) -> tuple[int, int]:
    """Let a process write and cut the power; return the last row and file that it reported as safe
    before the cut."""
    told, tells = os.pipe()
    os.set_blocking(told, False)
    writer = os.fork()
    if writer == 0:
        os.close(told)
        with contextlib.suppress(BaseException):  # its disk is gone
            write(home, tells)
        os._exit(0)
    os.close(tells)
    time.sleep(seconds)
    with os.fdopen(told, "rb", buffering=0) as lines:
        heard = lines.read(PIPE_BYTES) or b""
        disk.cut()
    os.kill(writer, signal.SIGKILL)
    os.waitpid(writer, 0)
    said = [line.split() for line in heard.decode("ascii").splitlines()]
    numbers = {kind: max((int(number) for name, number in said if name == kind), default=0) for kind in ("row", "file")}
    return numbers["row"], numbers["file"]


def write(home: Path, tells: int) -> None:
    """Write rows and files in turn, and report each when it is safe."""
    row, file, _ = left(home)
    database = Database(home / "longmemory.sqlite")
    while True:
        row += 1
        with database.write() as db:
            kv.put(db, f"row {row % 500}", row, AT)
            kv.put(db, "last", row, AT)
        os.write(tells, f"row {row}\n".encode())
        if row % 5 == 0:
            file += 1
            atomic_files.write_text(home / "state.json", json.dumps({"number": file, "more": "x" * 3000}))
            os.write(tells, f"file {file}\n".encode())


def left(home: Path) -> tuple[int, int, bool]:
    """Return the last row, the last file, and whether both are intact."""
    path, number = home / "state.json", 0
    whole = True
    if path.exists():
        try:
            number = int(json.loads(path.read_text())["number"])
        except ValueError:
            whole = False
    try:
        database = Database(home / "longmemory.sqlite")
        with database.read() as db:
            row = int(kv.get(db, "last", 0))
            whole = whole and db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        database.close()
    except (StorageUnavailable, sqlite3.DatabaseError):
        return 0, number, False
    return row, number, whole


if __name__ == "__main__":
    sys.exit(main())
