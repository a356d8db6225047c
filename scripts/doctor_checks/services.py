"""Listener and brain must run; a dead or hanging one is restarted, at most three times an hour.

systemd restarts its own services. Without it a hanging process is killed, so that `furoshiki up`
restarts it. If nobody has started anything, nothing is done.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from doctor_checks import processes
from doctor_checks.findings import Finding, mended, note, well, wrong
from doctor_checks.look import Look

# the services, with the locks they hold while they run
LOCKS = {"listener": "telegram-*.lock", "brain": "brain.lock"}

# the unit of listener and brain in one process (`furoshiki service install --single`)
SINGLE = "single"

CALLED = {SINGLE: "listener with the brain"}  # names for people, where they differ

# signs of life are renewed every 60 s; an older one means that the process hangs
STALE_SECONDS = 300.0

MOST_RESTARTS = 3
AN_HOUR = timedelta(hours=1)
PATIENCE_SECONDS = 1.0  # seconds that a hanging process may take to end after SIGTERM
ABSENT_LOOKS = 2  # consecutive checks without a service after which `furoshiki up` has given it up

# restarts by systemd since the last check that mean that the service fails at start
RESTARTS_IN_A_LOOK = 3

# exit codes of a service that cannot run with its settings: a restart would fail again
NOT_AS_THINGS_ARE = ("2", "3")


@dataclass(frozen=True)
class Sign:
    """The content of `run/<name>.alive`: a process id, and its age in seconds."""

    pid: int
    age: float


Units = Mapping[str, Mapping[str, str]]  # properties of the installed units, by service


def check(look: Look, units: Callable[[Look], Units] | None = None) -> Iterator[Finding]:
    """Check that each runs and does not hang; homes on a host are checked by its doctor."""
    if look.place.in_host and processes.holder(look.place.run / "up.lock") is None:
        return
    installed = (units or installed_units)(look)
    if installed:
        for name, unit in installed.items():
            if name == SINGLE or SINGLE not in installed:  # only the remaining layout counts
                yield _of_systemd(look, name, unit)
        return
    supervised = processes.holder(look.place.run / "up.lock") is not None
    found = [_alone(look, name, supervised) for name in LOCKS]
    if all(one is None for one in found) and not supervised:
        yield note("services", "nobody has started the companion", "`furoshiki up`, or `furoshiki service install`")
    for one in found:
        if one is not None:
            yield one


def running(look: Look, name: str) -> processes.Process | None:
    """Return the process of a service with a sign of life, if it is ours."""
    found = sign_of(look, name)
    process = None if found is None else processes.process(found.pid)
    return process if process is not None and process.ours else None


def sign_of(look: Look, name: str) -> Sign | None:
    """Return the sign of life of a service, or None."""
    path = look.place.run / f"{name}.alive"
    try:
        pid = int(path.read_text(encoding="ascii", errors="replace").strip() or 0)
        return Sign(pid, look.now.timestamp() - path.stat().st_mtime)
    except (OSError, ValueError):
        return None


def installed_units(look: Look) -> Units:
    """Return our units and their properties; empty without systemd for this user."""
    if shutil.which("systemctl") is None:
        return {}
    names = {f"furoshiki-{name}.service": name for name in (*LOCKS, SINGLE)}
    wanted = "Id,LoadState,ActiveState,Result,UnitFileState,MainPID,NRestarts,ExecMainStatus"
    text = _systemctl(look, "show", f"--property={wanted}", *names)
    found = {}
    for block in (text or "").split("\n\n"):
        unit = dict(line.partition("=")[::2] for line in block.splitlines() if "=" in line)
        if unit.get("LoadState") == "loaded" and unit.get("Id") in names:
            found[names[unit["Id"]]] = unit
    return found


def restart(look: Look, name: str, why: str, process: processes.Process | None) -> Finding:
    """Restart a service, recorded before, and report it, unless that was done too often."""
    key = f"service.{name}"
    supervised = processes.holder(look.place.run / "up.lock") is not None
    units = installed_units(look)
    unit = f"furoshiki-{SINGLE if SINGLE in units else name}"
    by_systemd = name in units or SINGLE in units
    if not (by_systemd or (supervised and process is not None)):
        fix = f"stop it (`kill {process.pid}`) and start it again" if process is not None else "`furoshiki up`"
        return wrong(key, f"{why}, and nobody would start it again", fix)
    if look.dry:
        return mended(key, f"{why}: would restart it")
    if look.notebook.note_time("restarts", name, look.now, AN_HOUR) > MOST_RESTARTS:
        return wrong(
            key, f"{why}, also after {MOST_RESTARTS} restarts within an hour", f"see `furoshiki logs {_log(name)}`"
        )
    if not look.notebook.save(look.now):
        return wrong(key, f"{why}, and it is not restarted because nothing can be written down", "see the disk")
    if by_systemd:
        if _systemctl(look, "restart", "--no-block", f"{unit}.service") is None:
            return wrong(key, f"{why}, and systemd does not start it", f"`systemctl --user status {unit}`")
        return mended(key, f"{why}: had it restarted")
    if process is not None:
        end(process)
    return mended(key, f"{why}: ended it, so that `furoshiki up` starts it again")


def end(process: processes.Process) -> None:
    """End one of our processes, with SIGTERM, then SIGKILL."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(OSError):
            os.kill(process.pid, number)
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            now = processes.process(process.pid)
            if now is None or now.started != process.started:
                return
            time.sleep(0.02)


def _of_systemd(look: Look, name: str, unit: Mapping[str, str]) -> Finding:
    key, state, called = f"service.{name}", unit.get("ActiveState", ""), CALLED.get(name, name)
    waits = look.notebook.part("waiting")
    before = waits.pop(name, None)
    if state == "active":
        return _hanging(look, name) or _restarting(look, name, unit)
    if state == "failed":
        if unit.get("ExecMainStatus") in NOT_AS_THINGS_ARE:
            if not look.dry:  # systemd does not restart it; the cause may be fixed by now
                _systemctl(look, "restart", "--no-block", f"furoshiki-{name}.service")
            words = f"the {called} could not run as things are set; it is tried again with every look"
            return wrong(key, words, f"`furoshiki logs {_log(name)}` says what is missing")
        return restart(look, name, f"the {called} had failed ({unit.get('Result')})", None)
    if state in ("activating", "deactivating", "reloading"):
        waits[name] = True
        if before:
            return wrong(key, f"the {called} has been {state} for two looks", f"see `furoshiki logs {_log(name)}`")
        return note(key, f"the {called} is {state}")
    if unit.get("UnitFileState") != "enabled":
        return note(key, f"the {called} is not enabled", f"`systemctl --user enable --now furoshiki-{name}` starts it")
    return note(key, f"the {called} was stopped", f"`systemctl --user start furoshiki-{name}` starts it again")


def _restarting(look: Look, name: str, unit: Mapping[str, str]) -> Finding:
    """Report a running service, and frequent restarts."""
    kept = look.notebook.part("starts")
    count = int(unit["NRestarts"]) if unit.get("NRestarts", "").isdigit() else 0
    before = kept.get(name)
    kept[name] = count
    often = count - before if isinstance(before, int) and count >= before else 0
    if often >= RESTARTS_IN_A_LOOK:
        words = f"the {CALLED.get(name, name)} was restarted {often} times since the last look"
        return wrong(f"service.{name}", words, f"see `furoshiki logs {_log(name)}`")
    return well(f"service.{name}", f"the {CALLED.get(name, name)} runs")


def _hanging(look: Look, name: str) -> Finding | None:
    """Restart a running service without sign of life; None if it is fine, or that is unknown."""
    for one in LOCKS if name == SINGLE else (name,):
        sign, process = sign_of(look, one), running(look, one)
        if sign is not None and process is not None and sign.age >= STALE_SECONDS and look.steady:
            why = f"the {one} has given no sign of life for {sign.age / 60:.0f} minutes"
            return restart(look, name, why, process)
    return None


def _log(name: str) -> str:
    """Return a service's log: the listener's for the single process."""
    return "listener" if name == SINGLE else name


def _alone(look: Look, name: str, supervised: bool) -> Finding | None:
    """Check a service without systemd; None if it never started, or ended properly."""
    key, absent = f"service.{name}", look.notebook.part("absent")
    sign = sign_of(look, name)
    if running(look, name) is not None:
        absent.pop(name, None)
        return _hanging(look, name) or well(key, f"the {name} runs")
    if any(processes.holder(path) is not None for path in look.place.run.glob(LOCKS[name])):
        return well(key, f"the {name} runs")
    if supervised:
        if name == "listener" and not look.place.settings.get("TELEGRAM_BOT_TOKEN"):
            return note(key, "the listener is not needed: there is no TELEGRAM_BOT_TOKEN")
        looks = absent.get(name)
        absent[name] = count = looks + 1 if isinstance(looks, int) and 0 < looks < 1000 else 1
        if count < ABSENT_LOOKS:
            return note(key, f"the {name} is not there at this moment; `furoshiki up` starts it again")
        return wrong(key, f"`furoshiki up` could not keep the {name} running", f"`furoshiki logs {name}` says why")
    absent.pop(name, None)
    if sign is None:
        return None
    words = f"the {name} ended {_ago(sign.age)} without being stopped, and nobody started it again"
    return wrong(key, words, "`furoshiki up`, or `furoshiki service install`, which starts it by itself from then on")


def _ago(seconds: float) -> str:
    hours = seconds / 3600
    if hours < 2:
        return f"{max(1, round(seconds / 60))} minutes ago"
    return f"{hours / 24:.0f} days ago" if hours >= 48 else f"{hours:.0f} hours ago"


def _systemctl(look: Look, *arguments: str) -> str | None:
    """Return systemctl's output for this user; None if it fails."""
    environ = dict(look.place.environ)
    folder = Path(f"/run/user/{os.geteuid()}")
    if "XDG_RUNTIME_DIR" not in environ and folder.is_dir():
        environ["XDG_RUNTIME_DIR"] = str(folder)
    try:
        done = subprocess.run(
            ["systemctl", "--user", *arguments],
            env=environ,
            capture_output=True,
            text=True,
            timeout=min(2.0, look.left()),
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
