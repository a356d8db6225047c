"""What this machine lacks: said, and nobody called."""

from __future__ import annotations

import sqlite3
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from doctor_checks import machine
from doctor_checks.look import Look
from doctor_checks.notebook import Notebook
from doctor_checks.place import found

from furoshiki.extensions.plugins.sandbox import probing
from tests.doctor.conftest import NOON, MakeLook


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


def enable(data: Path) -> None:
    with sqlite3.connect(data / "memory" / "longmemory.sqlite") as db:
        db.execute("INSERT INTO plugins VALUES ('rain', '1', 'enabled', 'folder', '{}', '{}', 0, NULL, 'x', 'x')")


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("why", "system", "fix"),
    [
        (
            "bubblewrap: bubblewrap is not installed (…)",
            "ID=raspbian\nID_LIKE=debian\n",
            "`sudo apt install bubblewrap`",
        ),
        ("bubblewrap: bubblewrap is not installed (…)", 'ID="fedora"\n', "`sudo dnf install bubblewrap`"),
        ("bubblewrap: bubblewrap is not installed (…)", "ID=strange\n", "with your system's packages"),
        ("bubblewrap: setting up uid map: … namespaces …", "ID=ubuntu\n", "apparmor"),
        ("landlock: this kernel has no Landlock", "ID=debian\n", "a kernel of 6.2 or newer"),
    ],
)
def test_that_nothing_holds_a_plugin_is_said_where_one_is_switched_on(
    make_look: MakeLook, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: str, system: str, fix: str
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(machine, "_not_held", lambda _look: asked.append(why) or why)
    monkeypatch.setattr(machine, "OS_RELEASE", tmp_path / "os-release")
    (tmp_path / "os-release").write_text(system)
    look = make_look()
    assert [one.key for one in machine.check(look)] == ["machine.sqlite"]
    assert asked == []
    enable(data)
    for _ in range(2):
        [_, one] = machine.check(look)
    assert (one.key, asked) == ("machine.sandbox", [why])
    assert why in one.words
    assert fix in one.fix


@pytest.mark.slow
def test_the_program_says_whether_it_can_hold_a_plugin(data: Path) -> None:
    here = machine._not_held(Look(found({}, data), Notebook(data, others=[]), NOON, 1.0, 1.0, "this start"))
    assert here == ("" if probing.choose_backend("auto").backend else probing.choose_backend("auto").words)


def test_the_program_s_own_python_is_asked(make_look: MakeLook, checkout: Path) -> None:
    look = make_look()
    assert machine._sqlite_of(look) == sqlite3.sqlite_version  # there is no other
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho 3.51.3\n")
    python.chmod(0o755)
    assert machine._sqlite_of(look) == "3.51.3"
    python.unlink()
    python.symlink_to(sys.executable)
    assert machine._sqlite_of(look) == sqlite3.sqlite_version
