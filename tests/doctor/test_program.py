"""The doctor as it runs on a machine: alone, with the system's Python, and the rest of the house broken."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from doctor_checks import notebook

from furoshiki.channels.telegram.listener import read_doctors_messages
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.slow, pytest.mark.faults]

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
NOBODY = 65534


class Patient:
    """A data directory, and a doctor whose checkout holds nothing but itself."""

    def __init__(self, data: Path, checkout: Path, telegram: TelegramEmulator) -> None:
        self.data = data
        self.database = data / "memory" / "longmemory.sqlite"
        self.page = data / "run" / "doctor.json"
        self.script = checkout / "scripts" / "doctor.py"
        shutil.copytree(SCRIPTS / "doctor_checks", checkout / "scripts" / "doctor_checks")
        shutil.copy(SCRIPTS / "doctor.py", self.script)
        self.telegram = telegram
        self.environ = {
            "PATH": os.environ["PATH"],
            "FUROSHIKI_DATA": str(data),
            "TELEGRAM_BOT_TOKEN": telegram.token,
            "TELEGRAM_API_URL": telegram.url,
        }

    def look(self, *flags: str, **environ: str) -> tuple[int, dict[str, str]]:
        """One look: the exit code, and the state of each thing looked at."""
        code, found = self.ask(*flags, **environ)
        return code, {one["check"]: one["state"] for one in found["found"]}

    def ask(self, *flags: str, **environ: str) -> tuple[int, dict[str, Any]]:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(self.script), "--json", *flags],
            env={**self.environ, **environ},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert self.telegram.token not in done.stdout + done.stderr
        return done.returncode, json.loads(done.stdout)

    def damage(self) -> None:
        """Overwrite the middle of the database."""
        content = bytearray(self.database.read_bytes())
        content[8192 * 3 : 8192 * 12] = os.urandom(8192 * 9)
        self.database.write_bytes(content)

    def contents(self) -> dict[Path, bytes]:
        """Every file that is more than a lock or SQLite's own."""
        found = {path for path in self.data.rglob("*") if path.is_file() and path.suffix != ".lock"}
        return {path: path.read_bytes() for path in found if not path.name.endswith(("-shm", "-wal"))}

    def later(self, **span: float) -> None:
        """Let what was told have been told earlier."""
        page = json.loads(self.page.read_text())
        for held in page["alerts"].values():
            if held.get("told_at"):
                held["told_at"] = (datetime.fromisoformat(held["told_at"]) - timedelta(**span)).isoformat()
        self.page.write_text(json.dumps(page))


@pytest.fixture
def patient(data: Path, tmp_path: Path) -> Iterator[Patient]:
    with TelegramEmulator() as telegram:
        telegram.say("hello")
        with sqlite3.connect(data / "memory" / "longmemory.sqlite") as db:
            db.execute(
                "INSERT INTO accounts (channel, external_id, role, chat_id, paired_at) VALUES (?, ?, ?, ?, ?)",
                ("telegram", "7", "owner", "7", datetime.now(UTC).isoformat()),
            )
        yield Patient(data, tmp_path / "alone", telegram)


def test_a_damaged_database_is_told_once_again_after_a_day_and_when_it_is_over(patient: Patient) -> None:
    whole = patient.database.read_bytes()
    assert patient.look()[1]["database"] == "well"
    assert patient.telegram.replies(7) == []
    patient.damage()
    code, found = patient.look()
    assert (code, found["database"]) == (2, "wrong")
    assert len(patient.telegram.replies(7)) == 1
    assert "the database is damaged" in patient.telegram.replies(7)[0]
    told = [one.id for one in patient.telegram.chat(7) if one.author == "bot"]
    assert read_doctors_messages(patient.page, "7") == set(told)  # so that the program never takes them for its own
    patient.look()
    assert len(patient.telegram.replies(7)) == 1
    patient.later(hours=25)
    patient.look()
    assert len(patient.telegram.replies(7)) == 2
    patient.database.write_bytes(whole)
    assert patient.look()[1]["database"] == "well"
    assert patient.telegram.replies(7)[2:] != []
    assert "over: the database is damaged" in patient.telegram.replies(7)[2]
    patient.look()
    assert len(patient.telegram.replies(7)) == 3


def test_a_disk_that_takes_nothing_is_told_once_all_the_same(patient: Patient, tmp_path: Path) -> None:
    """Nothing can be written into the data directory: a full disk as tmpfs makes it."""
    small = tmp_path / "small"
    small.mkdir()
    elsewhere = notebook.fallbacks(small / "home")
    for page in elsewhere:  # in memory, where what was told outlives this run of the tests
        page.unlink(missing_ok=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", small], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("a small file system takes root")
    try:
        shutil.copytree(patient.data, small / "home", dirs_exist_ok=True)
        (small / "home").chmod(0o700)
        with (small / "full").open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
            while True:
                file.write(bytes(4096))
        for _ in range(3):
            code, found = patient.look(FUROSHIKI_DATA=str(small / "home"))
            assert (code, found["disk"]) == (2, "wrong")
        assert len(patient.telegram.replies(7)) == 1
    finally:
        subprocess.run(["umount", "-l", small], check=True)
        for page in elsewhere:
            page.unlink(missing_ok=True)


def test_broken_settings_a_broken_venv_and_somebody_who_is_away_break_nothing(patient: Patient) -> None:
    (patient.data / ".env").write_text("what is this\n")
    (patient.data / "memory" / "schedules.json").write_text("{")
    (patient.data / "memory" / "session-context.json").write_text("")
    patient.telegram.offline()
    code, found = patient.look(FUROSHIKI_VENV="/nonexistent")
    assert code == 2
    assert found["state.session-context.json"] == "mended"
    assert sum(state == "wrong" for key, state in found.items() if key.startswith("settings.")) == 2
    patient.telegram.online()
    patient.look()
    [said] = patient.telegram.replies(7)
    assert "schedules.json line 1 is not valid JSON" in said


def test_a_doctor_that_is_killed_while_telling_does_not_tell_for_ever(patient: Patient) -> None:
    patient.damage()
    with socket.create_server(("127.0.0.1", 0)) as deaf:  # takes what is sent and never answers
        environ = {**patient.environ, "TELEGRAM_API_URL": f"http://127.0.0.1:{deaf.getsockname()[1]}"}
        command = [sys.executable, "-I", "-S", str(patient.script)]
        for _ in range(3):
            with subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL) as process:
                line = _asked(deaf)
                process.kill()
            line.close()
        subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=False)
        deaf.setblocking(False)
        with pytest.raises(BlockingIOError):
            deaf.accept()


def _asked(deaf: socket.socket) -> socket.socket:
    """The connection on which something is asked: before, it looks whether anybody is there."""
    while True:
        line, _ = deaf.accept()
        if line.recv(10_000):
            return line
        line.close()


def test_run_sh_needs_no_environment_to_call_the_doctor(patient: Patient, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    environ = {**patient.environ, "FUROSHIKI_VENV": str(venv)}
    done = subprocess.run(
        [str(SCRIPTS / "run.sh"), "doctor", "--dry-run"], env=environ, capture_output=True, text=True, check=False
    )
    assert "the database can be read and is whole" in done.stdout
    assert not venv.exists()


def test_nothing_is_changed_and_nobody_told_in_a_dry_run(patient: Patient) -> None:
    patient.damage()
    (patient.data / "memory" / "heartbeat-state.json").write_text("{")
    before = patient.contents()
    assert patient.look("--dry-run")[0] == 2
    assert patient.contents() == before
    assert patient.telegram.replies(7) == []


def test_a_second_doctor_leaves_it_to_the_first(patient: Patient) -> None:
    import fcntl

    patient.look()
    with (patient.data / "run" / "doctor.lock").open("w") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        code, found = patient.ask()
    assert found["busy"] is True
    assert code == found["exit"]
