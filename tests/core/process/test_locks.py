"""Who lives is told by the locks that are held."""

from __future__ import annotations

import fcntl
from pathlib import Path

from furoshiki.core.process import locks


def test_a_lock_is_seen_without_being_taken(tmp_path: Path) -> None:
    path = tmp_path / "some.lock"
    assert locks.lock_held(path) is False
    with path.open("w") as lock:
        assert locks.lock_held(path) is False
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert locks.lock_held(path) is True
    assert locks.lock_held(path) is False
