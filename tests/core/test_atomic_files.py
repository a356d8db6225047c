"""Files that are old or new, and locks that the kernel frees."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from furoshiki.core import atomic_files
from furoshiki.core.process import crash_points
from tests.support.processes import together


def test_a_file_is_put_in_place_whole_and_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "state.json"
    atomic_files.write_text(path, "línea\n")
    atomic_files.write_text(path, "other")
    assert path.read_text(encoding="utf-8") == "other"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_what_cannot_be_written_leaves_the_old_file_and_no_scraps(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    atomic_files.write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        atomic_files.write_text(path, "new \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "state.json").mkdir()
    with pytest.raises(OSError):
        atomic_files.write_text(tmp_path / "state.json", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    lock = tmp_path / "run" / "one.lock"
    with atomic_files.locked(lock) as ours:
        assert ours
        with atomic_files.locked(lock, wait=False) as theirs:
            assert not theirs
    with atomic_files.locked(lock, wait=False) as again:
        assert again


def _hold_and_die(number: int, lock: Path) -> None:
    if number == 0:
        os.open(lock, os.O_RDWR | os.O_CREAT)
        with atomic_files.locked(lock, wait=False):
            os.kill(os.getpid(), 9)


def test_a_lock_of_the_dead_is_free(tmp_path: Path) -> None:
    with pytest.raises(EOFError):
        together(1, _hold_and_die, tmp_path / "one.lock")
    with atomic_files.locked(tmp_path / "one.lock", wait=False) as ours:
        assert ours


def _append(number: int, path: Path) -> None:
    for _ in range(20):
        with atomic_files.locked(path.with_suffix(".lock")):
            atomic_files.write_text(path, f"{path.read_text()}{number}")


@pytest.mark.slow
def test_four_that_wait_for_their_turn_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("")
    together(4, _append, path)
    assert sorted(path.read_text()) == sorted("0123" * 20)


def test_a_point_nobody_asked_for_is_passed() -> None:
    crash_points.point("anywhere")
