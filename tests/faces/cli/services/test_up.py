"""One supervisor: it restarts what crashes, ends with what cannot run, and takes everything down with it in time."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from furoshiki.app import supervisor
from furoshiki.app.supervisor import (
    DOCTOR_EVERY_S,
    FIRST_DELAY_S,
    LONGEST_DELAY_S,
    LONGEST_VISIT_S,
    STEADY_S,
    Supervisor,
)
from furoshiki.core.paths import ROOT
from furoshiki.core.process import machine
from furoshiki.faces.cli.services import up as up_command
from tests.support.shell import Command

WAIT_SECONDS = 20.0


def _until(true: Callable[[], object], what: str) -> None:
    until = time.monotonic() + WAIT_SECONDS
    while not true():
        assert time.monotonic() < until, what
        time.sleep(0.05)


@pytest.fixture
def signals_kept() -> Iterator[None]:
    """What `run` puts in place for signals is taken away again."""
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def _ends(watching: Supervisor, now: float) -> None:
    """Let the first child end and have it judged at `now`."""
    process = watching._children[0].process
    assert process is not None
    process.wait()
    watching._look(now)


def test_what_crashes_is_started_again_with_growing_patience() -> None:
    said: list[str] = []
    watching = Supervisor({"listener": ["false"]}, None, said.append)
    now, waits = 0.0, []
    for _ in range(8):
        watching._look(now)
        _ends(watching, now + 1)
        waits.append(watching._children[0].due_at - (now + 1))
        assert watching._children[0].process is None, "not before its time"
        now = watching._children[0].due_at
    assert waits == [1, 2, 4, 8, 16, 32, LONGEST_DELAY_S, LONGEST_DELAY_S]
    assert said[0] == "listener ended with status 1; it is started again in 1 s"


def test_what_ran_steadily_is_forgiven() -> None:
    watching = Supervisor({"listener": ["false"]}, None, lambda _line: None)
    watching._children[0].delay_s = 32.0
    watching._look(0.0)
    _ends(watching, STEADY_S)
    assert watching._children[0].due_at - STEADY_S == FIRST_DELAY_S


@pytest.mark.parametrize("status", [2, 3])
@pytest.mark.parametrize("part", ["listen", "brain", "dashboard"])
@pytest.mark.usefixtures("signals_kept")
def test_where_one_part_cannot_run_the_whole_ends_with_its_status(part: str, status: int) -> None:
    said: list[str] = []
    commands = {name: ["sleep", "60"] for name in ("listen", "brain", "dashboard")}
    watching = Supervisor(commands | {part: ["sh", "-c", f"exit {status}"]}, None, said.append)
    assert watching.run() == status
    assert all(one.poll() is not None for one in watching._list_running())
    assert said == [f"{part} cannot run as things are (its reason stands above), so everything ends."]


def test_the_doctor_is_called_after_a_while_then_every_ten_minutes_and_never_twice_at_once(tmp_path: Path) -> None:
    seen, hung = tmp_path / "seen", tmp_path / "hung"
    look = f"echo x >> {seen}; while [ -e {hung} ]; do sleep 0.02; done"
    watching = Supervisor({"listener": ["sleep", "60"]}, None, lambda _line: None, ["sh", "-c", look])
    first = watching._doctor.due_at
    watching._visit(first - 1)
    assert watching._doctor.process is None, "what was just started has to come up first"
    hung.touch()
    watching._visit(first)
    visit = watching._doctor.process
    watching._visit(first + 60)
    assert watching._doctor.process is visit
    hung.unlink()
    assert visit.wait(WAIT_SECONDS) == 0
    for moment in (61, DOCTOR_EVERY_S - 1, DOCTOR_EVERY_S):
        watching._visit(first + moment)
    assert watching._doctor.process.wait(WAIT_SECONDS) == 0
    assert seen.read_text() == "x\nx\n"


def test_a_doctor_that_hangs_is_ended_and_one_that_is_not_there_stops_nothing() -> None:
    said: list[str] = []
    watching = Supervisor({"listener": ["true"]}, None, said.append, ["sleep", "60"])
    watching._visit(watching._doctor.due_at)
    hanging = watching._doctor.process
    watching._visit(watching._doctor.started_at + LONGEST_VISIT_S + 1)
    assert hanging.poll() == -signal.SIGKILL and watching._doctor.process is None
    watching._doctor.command = ["/nonexistent/python"]
    watching._visit(watching._doctor.due_at)
    assert watching._doctor.process is None and "cannot be started" in said[0]


def test_the_first_process_of_a_container_buries_what_others_left_and_none_of_its_own() -> None:
    probe = """
import ctypes, os, signal, subprocess
from furoshiki.app import supervisor
ctypes.CDLL(None).prctl(36, 1)  # orphans below come to us, as to a first process
ours = subprocess.Popen(["sleep", "60"])
between = subprocess.Popen(["sh", "-c", "sleep 0.1 & echo $!"], stdout=subprocess.PIPE)
orphan = f"/proc/{int(between.communicate()[0])}"
between.wait()
while open(f"{orphan}/stat").read().rpartition(")")[2].split()[0] != "Z":
    pass
supervisor._bury({ours.pid})
assert not os.path.exists(orphan)
ours.send_signal(signal.SIGKILL)
os.waitid(os.P_PID, ours.pid, os.WEXITED | os.WNOWAIT)
supervisor._bury({ours.pid})
assert ours.wait() == -signal.SIGKILL
"""
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def up(data: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start `furoshiki up` without a terminal; whatever is left of it is killed in the end."""
    started: list[subprocess.Popen[str]] = []

    def start(**more: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "furoshiki", "up"],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **more},
            cwd=ROOT,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.e2e
def test_up_restarts_a_killed_brain_refuses_a_second_one_and_goes_within_five_seconds(
    up: Callable[..., subprocess.Popen[str]], command: Command
) -> None:
    process = up()
    _until(lambda: command("status", "--json").json["running"]["brain"], "the brain runs")
    [brain] = _children(process.pid)
    second = command("up")
    assert second.status == 1 and "already runs" in second.err
    os.kill(brain, signal.SIGKILL)
    _until(lambda: [child for child in _children(process.pid) if child != brain], "another brain is started")
    _until(lambda: command("status", "--json").json["running"]["brain"], "and runs")
    [brain] = _children(process.pid)
    process.send_signal(signal.SIGTERM)
    assert process.wait(WAIT_SECONDS) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(brain, 0)


@pytest.mark.e2e
def test_a_killed_supervisor_leaves_no_orphan(up: Callable[..., subprocess.Popen[str]]) -> None:
    process = up()
    _until(lambda: _children(process.pid), "the brain is started")
    [brain] = _children(process.pid)
    time.sleep(0.5)
    process.kill()
    process.wait()

    def gone() -> bool:
        with contextlib.suppress(ProcessLookupError):
            os.kill(brain, 0)
            return False
        return True

    _until(gone, "the brain ended with its supervisor")


@pytest.mark.e2e
def test_with_a_token_it_runs_both_and_shows_how_to_pair(
    up: Callable[..., subprocess.Popen[str]],
) -> None:
    process = up(TELEGRAM_BOT_TOKEN="123456:nonsense", TELEGRAM_API_URL="http://127.0.0.1:9")
    _until(lambda: len(_children(process.pid)) == 2, "listener and brain are started")
    process.send_signal(signal.SIGINT)
    _out, err = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 0
    assert "/start" in err and "works for 10 minutes" in err
    assert "nonsense" not in err


def test_the_supervisor_itself_is_small() -> None:
    looks = f"import sys, {supervisor.__name__}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", looks], capture_output=True, text=True, check=True, cwd=ROOT)
    assert not {"pydantic", "sqlite3", "asyncio", "sqlalchemy"} & set(done.stdout.split())


@pytest.mark.parametrize(
    ("asked", "small", "names"),
    [
        (["up"], False, ("listen", "brain")),
        (["up"], True, ("single",)),
        (["up", "--single"], False, ("single",)),
        (["up", "--no-single"], True, ("listen", "brain")),
        ([], False, ("listen", "brain")),
        ([], True, ("single",)),
    ],
)
def test_a_small_machine_runs_listener_and_brain_in_one_process(
    command: Command, monkeypatch: pytest.MonkeyPatch, asked: list[str], small: bool, names: tuple[str, ...]
) -> None:
    became: list[tuple[str, ...]] = []
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "123456789:AAH-abcdefghijklmnopqrstuvwxyz012345")
    monkeypatch.setattr(machine, "is_small", lambda: small)
    monkeypatch.setattr(up_command, "_become_supervisor", lambda *given: became.append(given) or 0)
    command(*asked)
    assert became == [names]


def test_how_small_a_machine_is_comes_from_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 262_143}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__)
    assert machine.is_small()
    pages["SC_PHYS_PAGES"] += 1
    assert not machine.is_small()
