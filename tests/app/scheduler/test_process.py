"""The brain as a process: small, quiet, alone, quick to leave, and on speaking terms with systemd."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from furoshiki.app.scheduler.store import runs
from furoshiki.core.database.connection import Database
from tests.app.scheduler.conftest import wait_for

pytestmark = pytest.mark.e2e

MOST_MB = 45


@pytest.fixture
def data(tmp_path: Path, database: Database) -> Path:
    database.close()
    return tmp_path


@pytest.fixture
def started(data: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Brains that a test starts; whatever still runs afterwards is ended."""
    found: list[subprocess.Popen[str]] = []
    yield found
    for process in found:
        process.kill()
        process.communicate()


def start(data: Path, started: list[subprocess.Popen[str]], **environ: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "furoshiki", "brain"],
        env={**os.environ, "FUROSHIKI_DATA": str(data), **environ},
        stderr=subprocess.PIPE,
        text=True,
    )
    started.append(process)
    return process


def scheduled(data: Path) -> bool:
    log = data / "logs" / "brain.log"
    return log.exists() and "jobs are scheduled" in log.read_text()


def test_it_is_small_and_quiet_and_leaves_when_told(
    data: Path, started: list[subprocess.Popen[str]], tmp_path: Path
) -> None:
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    systemd.bind(str(tmp_path / "notify"))
    systemd.settimeout(20)
    (data / "memory" / "schedules.json").write_text(
        '{"jobs": [{"name": "soul_engine", "when": "every 1 seconds"}, {"name": "outreach_pulse", "enabled": false}]}'
    )
    brain = start(data, started, NOTIFY_SOCKET=str(tmp_path / "notify"))
    assert systemd.recv(100).startswith(b"READY=1")
    wait_for(lambda: _runs(data, "soul_engine") > 0, 30)
    (data / "memory" / "schedules.json").unlink()
    status = Path(f"/proc/{brain.pid}/status").read_text()
    assert int(status.partition("VmHWM:")[2].split()[0]) / 1024 < MOST_MB
    wait_for(lambda: _wakings_in(5, brain.pid) <= 5, 40)  # else it looks at its watch all the time
    brain.terminate()
    assert brain.wait(30) == 0
    assert systemd.recv(100) == b"STOPPING=1"
    systemd.close()


def test_of_several_brains_one_stays_and_the_others_say_so(data: Path, started: list[subprocess.Popen[str]]) -> None:
    brains = [start(data, started) for _ in range(4)]
    wait_for(lambda: sum(brain.poll() is None for brain in brains) == 1, 60)
    wait_for(lambda: scheduled(data), 20)
    losers = [brain for brain in brains if brain.poll() is not None]
    assert {brain.returncode for brain in losers} == {1}
    for brain in losers:
        assert brain.stderr is not None
        assert "another brain already runs" in brain.stderr.read()
    assert sum(brain.poll() is None for brain in brains) == 1


def test_a_brain_that_was_killed_leaves_no_lock_behind(data: Path, started: list[subprocess.Popen[str]]) -> None:
    first = start(data, started)
    wait_for(lambda: scheduled(data), 30)
    first.send_signal(signal.SIGKILL)
    first.wait()
    (data / "logs" / "brain.log").unlink()
    start(data, started)
    wait_for(lambda: scheduled(data), 30)


def _runs(data: Path, script: str) -> int:
    database = Database(data / "memory" / "longmemory.sqlite")
    with database.read() as db:
        found = [run for run in runs.latest(db, script) if run.exit_code == 0]
    database.close()
    return len(found)


def _wakings_in(seconds: float, pid: int) -> int:
    """So often in as many seconds. The job that still ran at first costs some by its end; a busy machine delays it."""
    before = _wakings(pid)
    time.sleep(seconds)
    return _wakings(pid) - before


def _wakings(pid: int) -> int:
    """How often the threads of a process have waited for something and gone on."""
    threads = (path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/status"))
    return sum(int(text.partition("\nvoluntary_ctxt_switches:")[2].split()[0]) for text in threads)
