"""Backups: young, whole, asked for, and what is said when that fails."""

from __future__ import annotations

import hashlib
import json
import os
import time
from datetime import timedelta
from pathlib import Path

import pytest
from doctor_checks import backups
from doctor_checks.look import Look

from furoshiki.maintenance import backup
from tests.doctor.conftest import NOON, MakeLook


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Look]:
    """The looks in which a backup was begun."""
    begun: list[Look] = []
    monkeypatch.setattr(backups, "_started", lambda look: begun.append(look) or True)
    return begun


def made(data: Path, hours_ago: float) -> Path:
    """A real backup."""
    at = NOON - timedelta(hours=hours_ago)
    return backup.make(data, data / "memory" / "longmemory.sqlite", data / "backups", at).path


def state(look: Look) -> tuple[str, str]:
    [one] = backups.check(look)
    return one.state, one.words


def test_a_young_whole_one_is_well_and_read_through_once_a_week(
    make_look: MakeLook, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(data, 20)
    look = make_look()
    assert state(look)[0] == "well"
    assert look.notebook.part("backups")[path.name]["ok"] is True
    assert backups.newest_good(look) == path
    read: list[Path] = []
    monkeypatch.setattr(backups, "_read", lambda one, _until: read.append(one.path))
    assert state(look)[0] == "well"
    assert read == []
    look.now += timedelta(days=8)
    state(look)
    assert read == [path]


def test_one_that_changed_is_found_and_another_is_made(make_look: MakeLook, data: Path, started: list[Look]) -> None:
    good = made(data, 30)
    path = made(data, 6)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    look = make_look()
    assert state(look)[0] == "mended"
    assert started == [look]
    assert look.notebook.part("backups")[path.name]["ok"] is False
    assert backups.newest_good(look) == good


def test_what_is_no_backup_at_all_is_said(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.tar.gz"
    path.write_bytes(b"nothing")
    assert backups.read_through(path, float("inf")) == "cannot be read: ReadError"


def test_an_old_one_has_another_made_and_when_that_fails_a_person_is_needed(
    make_look: MakeLook, data: Path, started: list[Look]
) -> None:
    made(data, 60)
    look = make_look()
    states = []
    for minutes in (0, 10, 30, 50, 90, 100, 120):
        look.now = NOON + timedelta(minutes=minutes)
        states.append(state(look)[0])
    assert states == ["mended", "note", "wrong", "wrong", "wrong", "note", "wrong"]
    assert len(started) == 2
    made(data, 0)
    assert state(look)[0] == "well"


def test_no_backup_is_made_of_a_database_that_is_not_known_to_be_whole(
    make_look: MakeLook, data: Path, started: list[Look]
) -> None:
    made(data, 60)
    assert state(make_look(sound=False))[0] == "wrong"
    assert started == []


def test_one_that_cannot_be_begun_needs_a_person(make_look: MakeLook, data: Path) -> None:
    made(data, 60)
    found = state(make_look())  # there is no virtual environment beside this checkout
    assert found[0] == "wrong"
    assert "does not start" in found[1]


def test_a_new_companion_has_two_days_for_its_first(make_look: MakeLook, started: list[Look]) -> None:
    look = make_look()
    assert state(look)[0] == "note"
    look.now += timedelta(hours=49)
    assert state(look) == ("mended", "there is no backup: began to make one")


def test_an_encrypted_one_is_judged_by_its_age(look: Look, data: Path, started: list[Look]) -> None:
    (data / "backups" / "furoshiki-20260513T010000Z.tar.gz.age").write_bytes(b"sealed")
    (data / "backups" / "notes.txt").write_text("mine")
    assert state(look) == ("well", "the newest backup is 11 hours old (furoshiki-20260513T010000Z.tar.gz.age)")
    look.now += timedelta(days=3)
    assert state(look)[0] == "mended"


def test_what_was_noted_when_it_was_read_back_is_held_against_the_file(
    look: Look, data: Path, started: list[Look]
) -> None:
    path = data / "backups" / "furoshiki-20260513T010000Z.tar.gz.age"
    path.write_bytes(b"sealed")
    note = {"at": "2026-05-13T01:00:00+00:00", "sha256": hashlib.sha256(b"sealed").hexdigest(), "ok": True, "turns": 7}
    (data / "backups" / "verified.json").write_text(json.dumps({path.name: note}))
    assert state(look)[0] == "well"
    path.write_bytes(b"sealed?")
    assert state(look) == (
        "mended",
        f"the newest backup ({path.name}) is damaged: it has changed since it was verified: began to make one",
    )
    (data / "backups" / "verified.json").write_text(json.dumps({path.name: {**note, "ok": False}}))
    os.utime(path, (1, 1))
    look.notebook.page.pop("backup_asked_at")
    assert "was found damaged" in state(look)[1]


def test_it_is_made_with_the_programs_own_python(make_look: MakeLook, data: Path, checkout: Path) -> None:
    made(data, 60)
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$FUROSHIKI_DATA $*" >{data}/said.new && mv {data}/said.new {data}/said\n')
    python.chmod(0o755)
    look = make_look()
    assert state(look)[0] == "mended"
    until = time.monotonic() + 30
    while not (data / "said").exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert (data / "said").read_text() == f"{data} -P {checkout / 'scripts' / 'backup.py'} --json\n"


def test_one_that_is_too_large_for_a_look_is_not_called_damaged(
    look: Look, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(data, 6)
    monkeypatch.setattr(backups, "VERIFY_SECONDS", -1.0)
    assert state(look)[0] == "well"
    assert look.notebook.part("backups") == {}
