"""Whenever the power goes, a file is the one before or the one after, and what was acknowledged is there.

`bench/power_cut.py` cuts the power of a real file system, where it may, and looks at the database as well.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from furoshiki.archive.import_export import exporting
from furoshiki.core import atomic_files
from furoshiki.core.database.connection import Database
from furoshiki.feelings import heartbeat
from furoshiki.feelings.heartbeat import Felt
from furoshiki.feelings.state_files import StateFiles
from furoshiki.maintenance import backup
from furoshiki.messages import typed_lines
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from tests.support import power_cuts
from tests.support.backups import listed
from tests.support.laws import NOON, shipped
from tests.support.power_cuts import Found

pytestmark = pytest.mark.faults

LEAST_STATES = 200
"""So many different disks are looked at, all in all."""


@dataclass(frozen=True)
class Work:
    """What is done `times` in a row below a folder (the state after one is the beginning of the next), and what must be
    read there afterwards: the number of the last time that left its mark, 0 for none."""

    name: str
    does: Callable[[Path, int], object]
    reads: Callable[[Path], int]
    times: int = 8


def _write(folder: Path, number: int) -> None:
    atomic_files.write_text(folder / "state.json", json.dumps({"number": number, "more": "x" * 300}))


def _written(folder: Path) -> int:
    path = folder / "state.json"
    return int(json.loads(path.read_text())["number"]) if path.exists() else 0


STATE = Work("a file of state", _write, _written)


def _type(folder: Path, number: int) -> None:
    typed_lines.add(folder, [f"line {number}"])


def _typed(folder: Path) -> int:
    lines = typed_lines.read(folder)
    assert lines == [f"line {number}" for number in range(1, len(lines) + 1)]
    return len(lines)


def heartbeats(database: Database) -> tuple[Work, Work]:
    """The two files that processes talk through."""

    def state(folder: Path) -> StateFiles:
        return StateFiles(folder, lambda: heartbeat.rebuilt(database, shipped(), NOON), lambda: NOON)

    def beat(folder: Path, number: int) -> None:
        state(folder).change(heartbeat.hear(shipped(), Felt(number, "telegram:7", {}, NOON)))

    def beaten(folder: Path) -> int:
        found = state(folder).heartbeat().last_message_id
        assert not list(folder.glob("*.corrupt-*")), "set aside as damaged"
        return found

    def prepare(folder: Path, number: int) -> None:
        state(folder).write_context({"number": number, "block": "words " * 200})

    def prepared(folder: Path) -> int:
        found = int(state(folder).context().get("number", 0))
        assert not list(folder.glob("*.corrupt-*")), "set aside as damaged"
        return found

    return Work("the heartbeat", beat, beaten), Work("the prepared context", prepare, prepared)


def keepsakes(database: Database, scratch: Path) -> tuple[Work, Work]:
    """What is made to be kept: exports and backups."""

    def export(folder: Path, _number: int) -> None:
        exporting.to_file(database, folder / "export.jsonl", "jsonl", NOON, UTC)

    def exported(folder: Path) -> int:
        path = folder / "export.jsonl"
        if not path.exists():
            return 0
        lines = path.read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["record"] for line in lines].count("turn") == SAID
        return 1

    def save(folder: Path, number: int) -> None:
        backup.make(database.path.parent.parent, database.path, folder, NOON + timedelta(hours=number))

    def saved(folder: Path) -> int:
        for path in listed(folder):
            assert backup.verify(path, scratch)["turns"] == SAID
            shutil.rmtree(scratch)
        return len(listed(folder))

    return Work("an export", export, exported, 1), Work("a backup", save, saved, 1)


SAID = 3


@pytest.fixture
def lived(database: Database) -> Database:
    """A database in which a little was said."""
    with database.write() as db:
        for number in range(SAID):
            turns.add(db, NewTurn("s", "console", "me", "user", f"line {number} of Lisbon", NOON))
    return database


def disks(work: Work, folder: Path) -> Sequence[Found]:
    """Every disk that may be found when the power goes while this is done."""
    folder.mkdir()
    with power_cuts.recorded(folder) as record:
        for number in range(1, work.times + 1):
            work.does(folder, number)
            record.acknowledge()
    return record.states(random.Random(5))


def broken(work: Work, found: Sequence[Found], tmp_path: Path) -> list[str]:
    """What is wrong with each of these disks."""
    wrong = []
    for one in found:
        folder = tmp_path / "found"
        folder.mkdir()
        one.lay_out(folder)
        try:
            last = work.reads(folder)
            if not one.acknowledged <= last <= one.acknowledged + 1:
                wrong.append(f"{one.acknowledged} were acknowledged, and {last} is found")
        except (AssertionError, ValueError, backup.archive.BackupUnusable) as error:
            wrong.append(str(error))
        shutil.rmtree(folder)
    return wrong


@pytest.mark.slow
def test_every_file_is_the_one_before_or_the_one_after(lived: Database, tmp_path: Path) -> None:
    works = (
        STATE,
        Work("what was typed", _type, _typed),
        *heartbeats(lived),
        *keepsakes(lived, tmp_path / "scratch"),
    )
    seen = 0
    for number, work in enumerate(works):
        found = disks(work, tmp_path / str(number))
        seen += len(found)
        assert broken(work, found, tmp_path) == [], work.name
    assert seen >= LEAST_STATES


@pytest.mark.parametrize("left_out", ["file", "folder"])
def test_what_is_not_synchronised_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_out: str) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    with power_cuts.recorded(folder) as record:
        whole = os.fsync

        def forgetful(handle: int) -> None:
            if Path(f"/proc/self/fd/{handle}").readlink().is_dir() != (left_out == "folder"):
                whole(handle)

        monkeypatch.setattr(os, "fsync", forgetful)
        STATE.does(folder, 1)
        record.acknowledge()
        monkeypatch.setattr(os, "fsync", whole)
    assert broken(STATE, record.states(random.Random(5)), tmp_path)
