"""Measures time and size of backup and restore: `python -m bench.backup [MB]` (100 MB of database).

Prints size and seconds, plain and encrypted. Aim: restore 100 MB within two minutes on a small
machine.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from furoshiki.core.database import migrate
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import DATABASE
from furoshiki.maintenance import backup, encryption, restore
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn

NOW = datetime(2026, 3, 24, 1, tzinfo=UTC)


def main(megabytes: int) -> None:
    """Fill a database with messages, back it up both ways, and restore each to an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        path = home / DATABASE
        migrate.ensure(path)
        _fill(path, megabytes)
        print(f"database {path.stat().st_size / 1e6:.0f} MB")
        secret, recipient = encryption.new_key()
        key = Path(folder) / "key.txt"
        key.write_text(secret)

        def unlock(saved: Path) -> encryption.Opener:
            return encryption.opener(key, saved, input)

        for number, keys in enumerate(((), (recipient,))):
            how, now = "encrypted" if keys else "plain", NOW + timedelta(hours=number)
            made, took = _timed(lambda keys=keys, now=now: backup.make(home, path, home / "backups", now, keys))
            print(f"{how}: {made.size / 1e6:.1f} MB, made and verified in {took:.1f} s", end=", ")
            there = Path(folder) / how
            _, took = _timed(
                lambda there=there, made=made: restore.restore(made.path, there, there / DATABASE, NOW, unlock=unlock)
            )
            print(f"brought back in {took:.1f} s")


def _fill(path: Path, megabytes: int) -> None:
    rng = random.Random(7)
    words = ["".join(rng.choices("abcdefghijklmnoprstuvw", k=rng.randint(2, 9))) for _ in range(20_000)]
    database = Database(path, synchronous="OFF")
    number = 0
    while path.stat().st_size < megabytes * 1e6:
        with database.write() as db:
            for _ in range(5_000):
                text = " ".join(rng.choices(words, k=rng.randint(4, 40)))
                at = NOW - timedelta(days=900) + timedelta(minutes=number)
                turns.add(db, NewTurn(f"s{number // 20}", "console", "me", "user", text, at))
                number += 1
        database.checkpoint()
    database.close()


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    return work(), time.perf_counter() - began


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
