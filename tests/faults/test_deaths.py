"""The harness that kills: it tells how a process ended, and it notices work that a death doubles or loses."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from furoshiki.core.atomic_files import write_text
from tests.support.deaths import Trial, Work, run

pytestmark = [pytest.mark.faults, pytest.mark.slow]


def add(home: Path) -> None:
    """Add a line, and then write down that it was added: not twice, but for a death in between."""
    if not (home / "added").exists():
        with (home / "lines").open("a") as lines:
            lines.write("once\n")
        write_text(home / "added", "yes")


def fail() -> None:
    raise ZeroDivisionError("of all things")


def threads_of_its_parent() -> None:
    guard = Path(f"/proc/{os.getppid()}/status").read_text()
    server = Path(f"/proc/{guard.partition('PPid:')[2].split()[0]}/status").read_text()
    print(server.partition("Threads:")[2].split()[0])


def test_it_tells_how_a_process_ended() -> None:
    assert run(time.sleep, 60, dies_after=0.1).status == -signal.SIGKILL
    failed = run(fail)
    assert failed.status == 1 and "of all things" in failed.output


def test_what_is_forked_comes_from_a_process_with_one_thread() -> None:
    assert run(threads_of_its_parent).output == "1\n"


def test_it_notices_what_is_done_twice(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(add, lambda _home: None, lambda home: (home / "lines").read_text()), empty_database, tmp_path)
    assert trial.points == ("atomic.before_rename:1", "atomic.after_rename:1")
    assert trial.harm("atomic.after_rename:1") == []
    with pytest.raises(AssertionError, match=r"killed at atomic\.before_rename:1: .*once\\nonce"):
        trial.survives_each()
