"""Services where systemd answers, and the doctor's last look."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from furoshiki.faces.setup import main
from furoshiki.faces.setup.session import Given, Session
from furoshiki.maintenance.service_manager import ServiceManager

Ran = Callable[..., list[tuple[str, ...]]]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Ran:
    """What is run ends like this; returns the list of what was run."""

    def ends(status: int, out: str = "", err: str = "", systemd: int | None = 252) -> list[tuple[str, ...]]:
        commands: list[tuple[str, ...]] = []

        def run(command: list[str], **_more: Any) -> subprocess.CompletedProcess[str]:
            commands.append(tuple(command))
            return subprocess.CompletedProcess(command, status, out, err)

        monkeypatch.setattr(ServiceManager, "version", lambda _self: systemd)
        monkeypatch.setattr(main, "subprocess", SimpleNamespace(run=run, DEVNULL=subprocess.DEVNULL))
        monkeypatch.setattr(main, "subprocess", SimpleNamespace(run=run, DEVNULL=subprocess.DEVNULL))
        return commands

    return ends


def session(home: Path, said: list[str] | None = None, **given: Any) -> Session:
    return Session(Given(**given), None, (said if said is not None else []).append, home)


def test_services_are_installed_where_they_are_wanted(home: Path, ran: Ran) -> None:
    units = {
        "started": ["furoshiki-listener.service"],
        "lingers": False,
        "notes": ["the services end when you log out"],
    }
    commands = ran(0, json.dumps(units))
    found = main.keep_running(session(home, service=True))
    assert [command[-3:] for command in commands] == [("service", "install", "--json")]
    assert found.state == "done" and "furoshiki-listener.service" in found.words
    assert found.fix == "The services end when you log out."


def test_services_that_cannot_be_installed_are_told_with_the_fix(home: Path, ran: Ran) -> None:
    ran(1, err="furoshiki: somebody edited x: --yes writes over it\n")
    found = main.keep_running(session(home, service=True))
    assert (found.state, found.words) == ("failed", "somebody edited x: --yes writes over it")
    assert found.fix is not None and "service install" in found.fix


@pytest.mark.parametrize(
    ("systemd", "wanted", "state"), [(None, None, "left out"), (None, True, "failed"), (252, False, "left out")]
)
def test_without_services_up_is_named(
    home: Path, ran: Ran, systemd: int | None, wanted: bool | None, state: str
) -> None:
    commands = ran(0, systemd=systemd)
    found = main.keep_running(session(home, service=wanted))
    assert found.state == state and found.fix is not None and "run.sh up" in found.fix and commands == []


def test_each_thing_the_doctor_finds_comes_with_its_fix(home: Path, ran: Ran) -> None:
    found = [
        {"check": "disk", "state": "well", "words": "66 GB are free", "fix": ""},
        {"check": "secrets", "state": "mended", "words": "closed .env", "fix": "make new keys"},
        {"check": "clock", "state": "wrong", "words": "the clock is not synchronised", "fix": "timedatectl"},
    ]
    said: list[str] = []
    commands = ran(2, json.dumps({"exit": 2, "found": found}))
    result = main.check_up(session(home, said))
    assert commands[0][1:3] == ("-I", "-S") and "--offline" in commands[0]
    assert result.state == "failed" and result.words == "The doctor found 1 thing to mend."
    assert [line.strip() for line in said] == [
        "closed .env",
        "→ make new keys",
        "the clock is not synchronised",
        "→ timedatectl",
    ]


def test_a_doctor_that_finds_nothing_is_content(home: Path, ran: Ran) -> None:
    ran(0, json.dumps({"exit": 0, "found": []}))
    assert main.check_up(session(home)).words == main.ALL_WELL
    ran(1, "Traceback", "it broke")
    assert main.check_up(session(home)).state == "failed"
