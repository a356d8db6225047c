"""docs/hosting.md says how a home is moved and a lost disk made good: here exactly these commands are typed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.host import homes
from furoshiki.host.members import MemberFile
from furoshiki.messages.store import accounts
from tests.support.shell import OURS

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

NOW = datetime.now(UTC)
ANNA = 101
SHIMS = {
    "furoshiki": f'cd "{ROOT}" && exec "{sys.executable}" -P -m furoshiki "$@"',
    "ssh": 'shift; HOME="$NEW_MACHINE" exec bash -euc "$*"',
}


def commands(section: str) -> list[str]:
    """The blocks of commands of a section of the page, in order."""
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    _, _, found = page.partition(f"\n## {section}\n")
    return re.findall(r"^```\n(.*?)^```$", found.partition("\n## ")[0], re.DOTALL | re.MULTILINE)


class Machines:
    """Two machines with a stick that fits into both."""

    def __init__(self, folder: Path) -> None:
        self.old, self.new, self._stick, self._bin = (folder / name for name in ("old", "new", "usb", "bin"))
        for path in (self.old, self.new, self._stick, self._bin):
            path.mkdir()
        for name, body in SHIMS.items():
            (self._bin / name).write_text(f"#!/bin/bash\n{body}\n")
            (self._bin / name).chmod(0o755)

    def type(self, machine: Path, block: str) -> str:
        """What a block of commands prints on one of the two."""
        environ = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        environ |= {"HOME": str(machine), "NEW_MACHINE": str(self.new), "PATH": f"{self._bin}:{os.environ['PATH']}"}
        block = block.replace("/mnt/usb", str(self._stick))
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block],
            env=environ,
            cwd=machine,
            capture_output=True,
            text=True,
            timeout=90,
        )
        assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr


def root(machine: Path) -> Path:
    return machine / ".furoshiki-homes"


@pytest.fixture
def machines(tmp_path: Path) -> Machines:
    """Anna lives on the old machine, on the bot of all, and a companion who is called something."""
    made = Machines(tmp_path)
    for name in ("anna", "ben"):
        home = homes.add(root(made.old), name, NOW)
        (home.data / "config" / "SOUL.md").write_text(f"You are the companion of {name}.\n")
    MemberFile(root(made.old)).settle(ANNA, "anna")
    database = Database(root(made.old) / "anna" / "memory" / "longmemory.sqlite")
    with database.write() as db:
        accounts.pair(db, "telegram", str(ANNA), str(ANNA), "owner", NOW)
    database.close()
    (root(made.old) / ".host" / ".env").touch()
    return made


def soul(machine: Path, name: str) -> str:
    return (root(machine) / name / "config" / "SOUL.md").read_text()


@pytest.mark.nightly
def test_a_home_moves_by_its_backup(machines: Machines) -> None:
    away, arrive, *_, remove = commands("Moving a home")
    machines.type(machines.old, away)
    (root(machines.new) / ".host").mkdir(parents=True)
    (root(machines.new) / ".host" / ".env").write_text("TELEGRAM_BOT_TOKEN=1:x\nTELEGRAM_API_URL=http://127.0.0.1:9\n")
    assert "The first person who opens this is at home in anna" in machines.type(machines.new, arrive)
    machines.type(machines.old, remove)
    assert soul(machines.new, "anna") == "You are the companion of anna.\n"
    assert [home.name for home in homes.every(root(machines.old))] == ["ben"]


def test_a_home_moves_as_it_is_and_its_person_with_it(machines: Machines) -> None:
    _, _, away, arrive, remove = commands("Moving a home")
    machines.type(machines.old, away)
    machines.type(machines.new, arrive)
    machines.type(machines.old, remove)
    assert soul(machines.new, "anna") == "You are the companion of anna.\n"
    assert MemberFile(root(machines.new)).read().person_of("anna") == ANNA
    assert MemberFile(root(machines.old)).read().person_of("anna") is None
    assert homes.get_home(root(machines.new), "anna").paused_at is None


def test_a_whole_host_comes_back_from_what_lay_elsewhere(machines: Machines) -> None:
    elsewhere, back = commands("When a disk is lost")
    for name in ("anna", "ben"):
        home = homes.get_home(root(machines.old), name)
        homes.export(home, home.data / "backups", NOW)
    machines.type(machines.old, elsewhere)
    assert "anna" in machines.type(machines.new, back)
    assert {name: soul(machines.new, name) for name in ("anna", "ben")} == {
        name: f"You are the companion of {name}.\n" for name in ("anna", "ben")
    }
    assert MemberFile(root(machines.new)).read().person_of("anna") == ANNA
