"""The sign that a process lives: there while it works, touched again and again, gone when it ends as it should."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from furoshiki.core.process import liveness


def test_it_names_the_process_and_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "brain.alive"
    path.write_text("1")  # of one that died
    with liveness.shown(path):
        assert int(path.read_text()) == os.getpid()
        assert path.stat().st_mode & 0o777 == 0o600
    assert not path.exists()


def test_it_is_touched_when_a_minute_has_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(liveness.time, "monotonic", lambda: now)
    path = tmp_path / "brain.alive"
    with liveness.shown(path) as beat:
        os.utime(path, (5, 5))
        beat()
        assert path.stat().st_mtime == 5
        now += liveness.EVERY_SECONDS
        beat()
        assert path.stat().st_mtime > 5
        path.unlink()
        now += liveness.EVERY_SECONDS
        beat()
        assert int(path.read_text()) == os.getpid()


def test_a_disk_that_takes_no_sign_stops_nobody(tmp_path: Path) -> None:
    with liveness.shown(tmp_path / "missing" / "brain.alive") as beat:
        beat()


async def test_from_within_a_loop_it_is_shown_until_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "listener.alive"
    showing = asyncio.create_task(liveness.show(path))
    await asyncio.sleep(0)
    assert path.exists()
    showing.cancel()
    await asyncio.wait({showing})
    assert not path.exists()
