"""Listener and brain: alive, hanging, dead, never started; with systemd and without."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from doctor_checks import main, processes, services, soul, usage
from doctor_checks.findings import Finding
from doctor_checks.look import Look
from doctor_checks.processes import Process

from tests.doctor.conftest import NOON, MakeLook

STUBBORN = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); signal.pause()"


@pytest.fixture
def hanging() -> Iterator[subprocess.Popen[str]]:
    """A process of ours that does nothing, and does not end when it is asked to."""
    command = [sys.executable, "-I", "-S", "-c", STUBBORN, "furoshiki"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def show(data: Path, name: str, pid: int, minutes_ago: float = 0.5) -> None:
    """Leave a sign of life."""
    path = data / "run" / f"{name}.alive"
    path.write_text(f"{pid}\n")
    at = (NOON - timedelta(minutes=minutes_ago)).timestamp()
    os.utime(path, (at, at))


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of lock files that somebody holds."""
    names: set[str] = set()
    monkeypatch.setattr(processes, "holder", lambda path: 0 if path.name in names else None)
    return names


@pytest.fixture
def no_systemd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "installed_units", lambda _look: {})


def found(look: Look) -> dict[str, tuple[str, str]]:
    return {one.key: (one.state, one.words) for one in services.check(look)}


@pytest.mark.usefixtures("no_systemd", "held")
def test_where_nobody_started_anything_that_is_said_without_an_alert(look: Look) -> None:
    [one] = services.check(look)
    assert (one.state, one.alert) == ("note", "never")
    assert "nobody has started" in one.words


@pytest.mark.usefixtures("no_systemd", "held")
def test_one_that_shows_that_it_lives_is_well(look: Look, data: Path, hanging: subprocess.Popen[str]) -> None:
    show(data, "brain", hanging.pid)
    assert found(look) == {"service.brain": ("well", "the brain runs")}


@pytest.mark.usefixtures("no_systemd")
def test_one_without_a_sign_that_holds_its_lock_is_well(look: Look, data: Path, held: set[str]) -> None:
    (data / "run" / "telegram-42.lock").touch()
    held.add("telegram-42.lock")
    assert found(look) == {"service.listener": ("well", "the listener runs")}


@pytest.mark.usefixtures("no_systemd", "held")
@pytest.mark.parametrize("pid", [2**22 + 5, os.getppid()])
def test_one_that_died_and_that_nobody_starts_again_is_told(look: Look, data: Path, pid: int) -> None:
    show(data, "listener", pid, 600)
    [one] = services.check(look)
    assert (one.state, one.alert) == ("wrong", "while")
    assert "ended 10 hours ago without being stopped" in one.words


@pytest.mark.usefixtures("no_systemd")
def test_one_that_hangs_is_ended_so_that_it_is_started_again(
    look: Look, data: Path, held: set[str], hanging: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "PATIENCE_SECONDS", 0.1)
    held.add("up.lock")
    show(data, "brain", hanging.pid, 12)
    state, words = found(look)["service.brain"]
    assert state == "mended"
    assert "no sign of life for 12 minutes" in words
    assert hanging.wait(10) == -9


@pytest.mark.usefixtures("no_systemd")
@pytest.mark.parametrize("left_alone", [{"dry": True}, {"steady": False}])
def test_it_is_not_ended_in_a_dry_run_nor_after_a_sleep(
    make_look: MakeLook, data: Path, held: set[str], hanging: subprocess.Popen[str], left_alone: dict[str, bool]
) -> None:
    held.add("up.lock")
    show(data, "brain", hanging.pid, 12)
    found(make_look(**left_alone))
    assert hanging.poll() is None


@pytest.mark.usefixtures("no_systemd", "held")
def test_one_that_hangs_where_nobody_would_start_it_is_left_to_a_person(
    look: Look, data: Path, hanging: subprocess.Popen[str]
) -> None:
    show(data, "brain", hanging.pid, 12)
    assert found(look)["service.brain"][0] == "wrong"
    assert hanging.poll() is None


@pytest.mark.usefixtures("no_systemd")
def test_one_that_up_gave_up_is_told_with_the_second_look(make_look: MakeLook, held: set[str]) -> None:
    held.update({"up.lock", "brain.lock"})
    look = make_look(settings={"TELEGRAM_BOT_TOKEN": "1:x"})
    (look.place.run / "brain.lock").touch()
    assert found(look)["service.listener"][0] == "note"
    assert found(look)["service.listener"][0] == "wrong"
    assert found(look)["service.brain"][0] == "well"
    without = make_look()
    assert found(without)["service.listener"][0] == "note"
    assert found(without)["service.listener"][0] == "note"


ACTIVE = {"ActiveState": "active", "NRestarts": "0", "MainPID": "1"}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What systemctl was asked to do; it does it."""
    done: list[tuple[str, ...]] = []
    monkeypatch.setattr(services, "_systemctl", lambda _look, *arguments: done.append(arguments) or "")
    return done


def with_unit(monkeypatch: pytest.MonkeyPatch, **unit: str) -> None:
    monkeypatch.setattr(services, "installed_units", lambda _look: {"brain": unit})


@pytest.mark.parametrize(
    ("unit", "state"),
    [
        (ACTIVE, "well"),
        ({"ActiveState": "inactive", "Result": "success", "UnitFileState": "enabled"}, "note"),
        ({"ActiveState": "inactive", "Result": "success", "UnitFileState": "disabled"}, "note"),
        ({"ActiveState": "activating"}, "note"),
        ({"ActiveState": "failed", "Result": "exit-code", "ExecMainStatus": "3"}, "wrong"),
        ({"ActiveState": "failed", "Result": "signal", "ExecMainStatus": "9"}, "mended"),
    ],
)
def test_what_systemd_says_of_it(
    look: Look, monkeypatch: pytest.MonkeyPatch, asked: list[tuple[str, ...]], unit: dict[str, str], state: str
) -> None:
    with_unit(monkeypatch, **unit)
    assert found(look)["service.brain"][0] == state
    failed = unit["ActiveState"] == "failed"
    assert asked == ([("restart", "--no-block", "furoshiki-brain.service")] if failed else [])


def test_it_is_restarted_three_times_an_hour_and_then_a_person_is_needed(
    look: Look, monkeypatch: pytest.MonkeyPatch, asked: list[tuple[str, ...]]
) -> None:
    with_unit(monkeypatch, ActiveState="failed", Result="signal", ExecMainStatus="9")
    states = []
    for _ in range(9):
        states.append(found(look)["service.brain"][0])
        look.now += timedelta(minutes=10)
    assert states[:4] == ["mended", "mended", "mended", "wrong"]
    assert len(asked) < 9


def test_nothing_is_restarted_where_it_cannot_be_written_down(
    look: Look, monkeypatch: pytest.MonkeyPatch, asked: list[tuple[str, ...]], data: Path
) -> None:
    with_unit(monkeypatch, ActiveState="failed", Result="signal", ExecMainStatus="9")
    (data / "run").rename(data / "away")
    assert found(look)["service.brain"][0] == "wrong"
    assert asked == []


def test_a_service_that_is_started_again_and_again_is_told(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    for restarts, state in (("4", "well"), ("6", "well"), ("60", "wrong"), ("0", "well")):
        with_unit(monkeypatch, **{**ACTIVE, "NRestarts": restarts})
        assert found(look)["service.brain"][0] == state


def test_one_that_does_not_get_up_is_told_with_the_second_look(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    with_unit(monkeypatch, ActiveState="activating")
    assert [found(look)["service.brain"][0] for _ in range(2)] == ["note", "wrong"]


def test_listener_and_brain_as_one_service_are_looked_at_as_one(
    look: Look,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    asked: list[tuple[str, ...]],
    hanging: subprocess.Popen[str],
) -> None:
    monkeypatch.setattr(services, "installed_units", lambda _look: {"single": ACTIVE})
    show(data, "listener", hanging.pid, 0)
    show(data, "brain", hanging.pid, 0)
    assert found(look) == {"service.single": ("well", "the listener with the brain runs")}
    show(data, "brain", hanging.pid, 12)
    [(state, words)] = found(look).values()
    assert state == "mended" and words.startswith("the brain has given no sign of life for 12 minutes")
    assert services.restart(look, "listener", "too much memory", None).state == "mended"
    assert asked == [("restart", "--no-block", "furoshiki-single.service")] * 2
    assert hanging.poll() is None, "systemd ends it"


def test_units_are_read_from_what_systemctl_prints(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = (
        "Id=furoshiki-listener.service\nLoadState=not-found\nActiveState=inactive\n\n"
        "Id=furoshiki-brain.service\nLoadState=loaded\nActiveState=active\nNRestarts=2\n"
    )
    monkeypatch.setattr(services, "_systemctl", lambda _look, *_arguments: printed)
    monkeypatch.setattr(services.shutil, "which", lambda _name: "/usr/bin/systemctl")
    assert set(services.installed_units(look)) == {"brain"}
    monkeypatch.setattr(services, "_systemctl", lambda _look, *_arguments: None)
    assert services.installed_units(look) == {}


@pytest.mark.parametrize(
    ("ticked", "up", "state"),
    [(5, 900, "well"), (40, 900, "note"), (70, 900, "wrong"), (70, 15, "well"), (None, 70, "wrong")],
)
def test_a_soul_that_stands_still_is_told(
    look: Look, data: Path, monkeypatch: pytest.MonkeyPatch, ticked: int | None, up: int, state: str
) -> None:
    process = Process(1, look.awake - up * 60, 0.0, 0, "furoshiki brain")
    monkeypatch.setattr(services, "running", lambda _look, _name: process)
    if ticked is not None:
        at = (NOON - timedelta(minutes=ticked)).isoformat()
        (data / "memory" / "heartbeat-state.json").write_text(f'{{"last_tick_at": "{at}"}}')
    assert [one.state for one in soul.check(look)] == [state]


@pytest.mark.usefixtures("held")
def test_a_soul_whose_brain_does_not_run_is_no_matter(look: Look) -> None:
    assert list(soul.check(look)) == []


def using(
    look: Look, data: Path, *, resident: int = 0, cpu_per_minute: float = 0.0, name: str = "listener"
) -> list[str]:
    """States of looks every ten minutes for two hours at a process that uses this much."""
    show(data, name, 77)
    states: list[str] = []
    for number in range(12):
        process = Process(77, 5.0, number * 10 * cpu_per_minute, resident, "furoshiki")
        checks = {"usage": lambda one, process=process: usage.check(one, lambda _pid: process)}
        states += [one.state for one in main.looked(look, checks)]  # type: ignore[arg-type]
        look.now += timedelta(minutes=10)
        look.awake += 600
    return states


@pytest.fixture
def restarting(monkeypatch: pytest.MonkeyPatch) -> None:
    def restart(_look: Look, name: str, why: str, _process: Process) -> Finding:
        return Finding(f"service.{name}", "mended", why)

    monkeypatch.setattr(services, "restart", restart)


@pytest.mark.usefixtures("restarting", "held")
def test_what_leaks_for_half_an_hour_is_started_again_and_told_when_it_recurs(look: Look, data: Path) -> None:
    states = using(look, data, resident=900 * usage.MIB)
    assert states[:4] == ["well", "well", "well", "mended"]
    assert states[4] == "wrong"


@pytest.mark.usefixtures("restarting", "held")
def test_what_works_for_half_an_hour_without_a_pause_is_started_again(look: Look, data: Path) -> None:
    assert using(look, data, cpu_per_minute=59)[:5] == ["well", "well", "well", "well", "mended"]


@pytest.mark.usefixtures("restarting", "held")
def test_what_is_within_its_limits_is_well(look: Look, data: Path) -> None:
    assert set(using(look, data, resident=200 * usage.MIB, cpu_per_minute=20)) == {"well"}


@pytest.mark.usefixtures("restarting", "held")
def test_both_in_one_process_are_held_to_the_larger_limit(look: Look, data: Path) -> None:
    show(data, "brain", 77)
    assert set(using(look, data, resident=300 * usage.MIB)) == {"well"}


@pytest.mark.usefixtures("restarting", "held")
def test_a_model_inside_the_listener_may_have_half_of_the_machine(make_look: MakeLook, data: Path) -> None:
    look = make_look(settings={"FUROSHIKI_MODEL_CHAT": "local:small.gguf"})
    assert set(using(look, data, resident=450 * usage.MIB)) == {"well"}


def test_a_process_is_read_as_the_kernel_tells_it(hanging: subprocess.Popen[str]) -> None:
    process = processes.process(hanging.pid)
    assert process is not None
    assert process.ours
    assert 0 < process.resident < 100 * usage.MIB
    assert processes.process(2**22 + 5) is None


def test_who_holds_a_lock_is_told_without_taking_it(tmp_path: Path) -> None:
    import fcntl

    path = tmp_path / "x.lock"
    assert processes.holder(path) is None
    with path.open("w") as file:
        assert processes.holder(path) is None
        fcntl.flock(file, fcntl.LOCK_EX)
        assert processes.holder(path) == os.getpid()
