"""What this machine lacks: said, and nobody called."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

import pytest
from doctor_checks import machine

from tests.doctor.conftest import MakeLook


@pytest.mark.parametrize(
    ("version", "faulty"),
    [
        ("3.6.23", False),
        ("3.7.0", True),
        ("3.40.1", True),
        ("3.44.5", True),
        ("3.44.6", False),
        ("3.45.0", True),
        ("3.50.6", True),
        ("3.50.7", False),
        ("3.51.2", True),
        ("3.51.3", False),
        ("3.53.4", False),
        ("", False),
        ("unknown", False),
    ],
)
def test_which_sqlite_has_the_fault(version: str, faulty: bool) -> None:
    assert machine.faulty(version) is faulty


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each time that programs are started to find out."""
    done: list[str] = []
    monkeypatch.setattr(machine, "_sqlite_of", lambda _look: done.append("sqlite") or "3.40.1")
    monkeypatch.setattr(machine, "_sandboxed", lambda: False)
    return done


def test_it_is_said_and_asked_once_a_day(make_look: MakeLook, data: Path, asked: list[str]) -> None:
    look = make_look()
    assert [(one.key, one.state, one.alert) for one in machine.check(look)] == [("machine.sqlite", "note", "never")]
    look.now += timedelta(hours=23)
    list(machine.check(look))
    assert len(asked) == 1
    look.now += timedelta(hours=2)
    list(machine.check(look))
    assert len(asked) == 2


@pytest.mark.usefixtures("asked")
def test_that_plugins_cannot_be_held_is_said_where_there_are_any(make_look: MakeLook, data: Path) -> None:
    (data / "plugins").mkdir()
    assert [one.key for one in machine.check(make_look())] == ["machine.sqlite"]
    (data / "plugins" / "weather").mkdir()
    (data / ".env").write_text("A=1\n")
    [_, one] = machine.check(make_look())
    assert "none is run: it could read the keys in .env" in one.words


def test_the_program_s_own_python_is_asked(make_look: MakeLook, checkout: Path) -> None:
    look = make_look()
    import sqlite3

    assert machine._sqlite_of(look) == sqlite3.sqlite_version  # there is no other
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho 3.51.3\n")
    python.chmod(0o755)
    assert machine._sqlite_of(look) == "3.51.3"
    python.unlink()
    python.symlink_to(sys.executable)
    assert machine._sqlite_of(look) == sqlite3.sqlite_version
