"""Backups: whole while others write, verified, let go by age; and brought back as they were."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import json
import os
import shutil
import sqlite3
import tarfile
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.wiring import build_world
from furoshiki.core.atomic_files import locked
from furoshiki.core.database import kv, migrate
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import AlreadyRunning, StorageUnavailable
from furoshiki.core.paths import DATABASE
from furoshiki.core.settings import load
from furoshiki.maintenance import archive, backup, restore
from furoshiki.maintenance import store as backup_store
from furoshiki.maintenance.archive import BackupUnusable
from furoshiki.maintenance.rules import to_keep
from furoshiki.maintenance.trust import BackupChanges
from furoshiki.messages.roles import Person
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.owner.people import places
from furoshiki.recall.retrieval.store import full_text, multilingual, vectors
from furoshiki.recall.retrieval.store.multilingual import Made
from furoshiki.recall.retrieval.store.vectors import Embedded
from tests.support.backups import listed
from tests.support.world import FrozenClock

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 24, 1, 0, tzinfo=UTC)


@pytest.fixture
def data(tmp_path: Path, database: Database) -> Path:
    """A data directory with something of everything."""
    for name, text in {
        "memory/heartbeat-state.json": '{"schema": 1}',
        "memory/schedules.json": '{"jobs": []}',
        "memory/chroma/index.bin": "vectors",
        "memory/heartbeat-state.json.corrupt-1": "{",
        "memory/.heartbeat.lock": "",
        "config/SELF.md": "I am Furo.",
        "plugins/weather/plugin.py": "print('sun')",
        "run/brain.lock": "",
        ".env": "TELEGRAM_BOT_TOKEN=secret",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    say(database, "my name is Noor")
    return tmp_path


def say(database: Database, text: str) -> None:
    with database.write() as db:
        db.execute(
            "INSERT INTO turns (session_id, channel, chat_id, speaker, kind, text, at, index_state) "
            "VALUES ('s', 'console', '1', 'user', 'text', ?, '2026-03-23T10:00:00.000000+00:00', 'indexed')",
            (text,),
        )


def said(path: Path) -> list[tuple[str, str]]:
    db = sqlite3.connect(path)
    try:
        return db.execute("SELECT text, index_state FROM turns ORDER BY id").fetchall()
    finally:
        db.close()


def names(path: Path) -> set[str]:
    with tarfile.open(path) as tar:
        return set(tar.getnames())


def made(data: Path, database: Database, now: datetime = NOW) -> backup.Backup:
    return backup.make(data, database.path, data / "backups", now)


def test_a_backup_holds_everything_but_vectors_locks_and_secrets(data: Path, database: Database) -> None:
    found = made(data, database)
    assert names(found.path) == {
        "manifest.json",
        "memory/longmemory.sqlite",
        "memory/heartbeat-state.json",
        "memory/heartbeat-state.json.corrupt-1",
        "memory/schedules.json",
        "config/SELF.md",
        "plugins/weather/plugin.py",
    }
    assert found.holds["turns"] == 1
    assert found.path.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (data / "backups").iterdir() if path.is_dir()] == []


def test_what_a_plugin_has_written_ends_no_backup(
    data: Path, database: Database, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = data / "plugins" / "weather" / "data"
    deep = own.joinpath(*["d" * 100] * 8)
    deep.mkdir(parents=True)
    (deep / "deep").write_text("deep")
    (own / "kept").write_text("kept")
    (own / "closed").write_text("closed")
    (own / "link").symlink_to(data / ".env")
    Path(os.fsdecode(os.fsencode(own) + b"/\xff")).write_text("odd")
    really = os.open

    def opened(path: Any, *args: Any, **more: Any) -> int:
        if str(path).endswith("/closed"):  # root may read a file of mode 0
            raise PermissionError(errno.EACCES, "closed")
        return really(path, *args, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", opened)
        found = made(data, database)
    assert {name for name in names(found.path) if "/data/" in name} == {"plugins/weather/data/kept"}
    assert [one for one in ("\\xff", "closed", "dddd") if one not in caplog.text] == []

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "the disk is full")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    with pytest.raises((OSError, StorageUnavailable)):
        made(data, database, NOW + timedelta(hours=1))


def embed(database: Database, text: str) -> int:
    """A turn with its vector and tokens, as memoryd leaves it."""
    with database.write() as db:
        row_id = turns.add(db, NewTurn("s", "console", "me", "user", text, NOW))
        vectors.keep_vectors(db, "turn", "m.1", [Embedded(row_id, b"v" * 768, "h" * 32, b"t" * 1600)])
        vectors.mark_indexed(db, "turn", [row_id])
    return row_id


def test_vectors_are_made_again_and_not_saved(
    data: Path, database: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rows = [embed(database, f"line {number}") for number in range(300)]
    with database.write() as db:
        multilingual.put(db, "turn", [Made(row, False, b"w" * 133, b"t" * 1600) for row in rows])
        turns.add(db, NewTurn("s", "console", "me", "companion", " ", NOW, kind="silence"))
    found = made(data, database)
    other = tmp_path_factory.mktemp("other")
    restore.restore(found.path, other, other / "memory" / "longmemory.sqlite", NOW)
    there = other / "memory" / "longmemory.sqlite"
    with database.read() as db:
        derived = db.execute("SELECT sum(length(embedding) + length(tokens)) FROM turns JOIN turn_tokens USING (id)")
        assert there.stat().st_size < database.path.stat().st_size - 0.8 * derived.fetchone()[0]
    with Database(there).read() as db:
        assert db.execute("SELECT count(*) FROM turn_tokens").fetchone()[0] == 0
        assert db.execute("SELECT count(*) FROM turn_multilingual").fetchone()[0] == 0
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert db.execute("SELECT count(embedding) + count(embed_model) FROM turns").fetchone()[0] == 0
        assert vectors.backlog(db)["turn"] == {"pending": 301, "empty": 1}
        assert full_text.full_text(db, "turn", ("line", "7"), 5)
    with database.read() as db:
        assert vectors.backlog(db)["turn"] == {"indexed": 301, "empty": 1}
        assert db.execute("SELECT count(*) FROM turn_tokens").fetchone()[0] == 300


def test_a_backup_is_whole_while_others_write(data: Path, database: Database) -> None:
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            say(database, "and more")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        found = [made(data, database, NOW + timedelta(days=number)) for number in range(3)]
    finally:
        stop.set()
        writer.join()
    counts = [one.holds["turns"] for one in found]
    assert counts == sorted(counts)
    assert counts[-1] > counts[0] >= 1


def test_a_damaged_database_is_not_backed_up_over_good_backups(data: Path, database: Database) -> None:
    good = made(data, database)
    database.checkpoint()
    database.close()
    with database.path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xff" * 4096 * 4)
    with pytest.raises(StorageUnavailable):
        made(data, database, NOW + timedelta(days=1))
    assert listed(data / "backups") == [good.path]


def test_a_full_disk_is_said_before_it_is_filled(
    data: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "ROOM", 1e12)
    with pytest.raises(StorageUnavailable, match="free some space"):
        made(data, database)


def test_old_backups_go_and_the_newest_stays(data: Path, database: Database) -> None:
    folder = data / "backups"
    folder.mkdir()
    for number in range(400):
        (folder / (NOW - timedelta(days=number)).strftime("furoshiki-%Y%m%dT%H%M%SZ.tar.gz")).touch()
    (folder / "furoshiki-mine.tar.gz").touch()
    (folder / "notes.txt").touch()
    backup.let_go(folder)
    left = listed(folder)
    assert 7 + 2 <= len(left) <= 7 + 4 + 6
    assert (folder / "notes.txt").exists()
    assert (folder / "furoshiki-mine.tar.gz").exists()
    backup.let_go(folder, keep=2)
    assert listed(folder) == left[:2]


def test_days_weeks_and_months_are_kept() -> None:
    every_day = [NOW - timedelta(days=number) for number in range(400)]
    kept = sorted(to_keep(every_day), reverse=True)
    assert kept[:7] == every_day[:7]
    assert len({moment.isocalendar()[:2] for moment in kept}) >= 4
    assert len({(moment.year, moment.month) for moment in kept}) == 6
    assert to_keep([]) == set()


def test_after_a_long_absence_the_past_is_still_there() -> None:
    old = [NOW - timedelta(days=300 + number) for number in range(3)]
    assert set(old) <= to_keep([*old, NOW])


def test_a_restore_brings_everything_back_and_keeps_what_it_replaces(data: Path, database: Database) -> None:
    found = made(data, database)
    say(database, "this came later")
    (data / "config" / "SELF.md").write_text("I am somebody else.")
    database.close()
    restored = restore.restore(found.path, data, database.path, NOW + timedelta(hours=1))
    assert said(database.path) == [("my name is Noor", "pending")]
    assert (data / "config" / "SELF.md").read_text() == "I am Furo."
    assert (data / ".env").read_text() == "TELEGRAM_BOT_TOKEN=secret"
    assert not (data / "memory" / "chroma").exists()
    assert len(said(restored.replaced / "memory" / "longmemory.sqlite")) == 2
    assert (restored.replaced / "config" / "SELF.md").read_text() == "I am somebody else."
    assert restored.holds["turns"] == 1


def test_two_restores_in_one_second_keep_what_each_replaced(data: Path, database: Database) -> None:
    found = made(data, database)
    database.close()
    restored = [restore.restore(found.path, data, database.path, NOW) for _ in range(2)]
    folders = [one.replaced for one in restored if one is not None]
    assert len(set(folders)) == 2
    assert all(said(folder / "memory" / "longmemory.sqlite") for folder in folders)


def test_a_restore_works_on_a_new_machine(
    data: Path, database: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = made(data, database)
    other = tmp_path_factory.mktemp("other")
    restore.restore(found.path, other, other / "memory" / "longmemory.sqlite", NOW)
    assert said(other / "memory" / "longmemory.sqlite") == [("my name is Noor", "pending")]


def test_a_database_elsewhere_is_put_back_where_it_was(data: Path, database: Database, tmp_path: Path) -> None:
    found = made(data, database)
    elsewhere = tmp_path / "disk" / "mind.sqlite"
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(b"old")
    restored = restore.restore(found.path, data, elsewhere, NOW)
    assert said(elsewhere) == [("my name is Noor", "pending")]
    assert (restored.replaced / "mind.sqlite").read_bytes() == b"old"
    assert not (data / "memory" / "longmemory.sqlite").exists()


def test_an_older_schema_is_migrated(
    data: Path, database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = made(data, database)
    asked: list[Path] = []
    ensure = migrate.ensure
    monkeypatch.setattr(restore.migrate, "ensure", lambda path: asked.append(path) or ensure(path))
    other = tmp_path_factory.mktemp("other")
    restore.restore(found.path, other, other / "memory" / "longmemory.sqlite", NOW)
    assert len(asked) == 1


def rewritten(source: Path, target: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """An archive with its members changed or left out."""
    with tarfile.open(source) as old, tarfile.open(target, "w:gz") as new:
        for member in old:
            content = old.extractfile(member)
            assert content is not None
            after = change(member.name, content.read())
            if after is not None:
                member.size = len(after)
                new.addfile(member, io.BytesIO(after))
    return target


def newer(name: str, content: bytes) -> bytes:
    return json.dumps({**json.loads(content), "schema": "9999"}).encode() if name == archive.MANIFEST else content


def other_format(name: str, content: bytes) -> bytes:
    return json.dumps({**json.loads(content), "format": 2}).encode() if name == archive.MANIFEST else content


def outside(name: str, content: bytes) -> bytes:
    return content.replace(b"config/SELF.md", b"../config/SELF.md") if name == archive.MANIFEST else content


def altered(name: str, content: bytes) -> bytes:
    return content.replace(b"I am Furo.", b"I am Evil.") if name == "config/SELF.md" else content


def incomplete(name: str, content: bytes) -> bytes | None:
    return None if name == "config/SELF.md" else content


def no_manifest(name: str, content: bytes) -> bytes | None:
    return None if name == archive.MANIFEST else content


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (newer, "newer Furoshiki"),
        (other_format, "format 2"),
        (outside, "not a place where Furoshiki keeps a file"),
        (altered, "is not what was saved"),
        (incomplete, "is missing"),
        (no_manifest, "does not begin with a manifest"),
    ],
)
def test_a_backup_that_is_not_as_it_was_made_is_refused_and_nothing_is_touched(
    data: Path, database: Database, tmp_path: Path, change: Callable[[str, bytes], bytes | None], words: str
) -> None:
    bad = rewritten(made(data, database).path, tmp_path / "bad.tar.gz", change)
    with pytest.raises(BackupUnusable, match=words):
        restore.restore(bad, data, database.path, NOW)
    assert said(database.path) == [("my name is Noor", "indexed")]
    assert not (data / "backups" / ".restoring").exists()


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b" + b"0" * 50])
def test_what_is_no_backup_is_refused(data: Path, database: Database, tmp_path: Path, content: bytes) -> None:
    bad = tmp_path / "bad.tar.gz"
    bad.write_bytes(content)
    with pytest.raises(BackupUnusable):
        restore.restore(bad, data, database.path, NOW)


def test_a_link_in_an_archive_is_refused(data: Path, database: Database, tmp_path: Path) -> None:
    source = made(data, database).path
    bad = tmp_path / "bad.tar.gz"
    with tarfile.open(source) as old, tarfile.open(bad, "w:gz") as new:
        for member in old:
            if member.name == "config/SELF.md":
                member.type, member.linkname, member.size = tarfile.SYMTYPE, "/etc/passwd", 0
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    with pytest.raises(BackupUnusable):
        restore.restore(bad, data, database.path, NOW)


def test_nothing_is_restored_under_a_running_brain(
    data: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restore, "PATIENCE_SECONDS", 0.0)
    found = made(data, database)
    with locked(data / "run" / "brain.lock"), pytest.raises(AlreadyRunning, match="brain"):
        restore.restore(found.path, data, database.path, NOW)


class Cut(BaseException):
    """The power is gone."""


@pytest.fixture
def power(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, int], None]]:
    """Lets the power go at the nth time a point is reached."""
    left: dict[str, int] = {}

    def reach(name: str) -> None:
        if name in left:
            left[name] -= 1
            if left[name] == 0:
                raise Cut

    def arm(name: str, nth: int = 1) -> None:
        left.clear()
        left[name] = nth

    for module in (archive, backup, restore):
        monkeypatch.setattr(module, "point", reach)
    yield arm


@pytest.mark.parametrize(
    "point", ["backup.snapshot_taken", "backup.file_added", "backup.before_rename", "backup.after_rename"]
)
def test_a_backup_that_is_cut_off_leaves_none_or_a_whole_one_and_the_next_cleans_up(
    data: Path, database: Database, power: Callable[..., None], point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup.shutil, "rmtree", lambda *_args, **_more: None)  # the dead do not clean up
    power(point)
    with pytest.raises(Cut):
        made(data, database)
    for path in listed(data / "backups"):
        backup.verify(path, data / "check")
    monkeypatch.undo()
    made(data, database, NOW + timedelta(hours=1))
    assert not list((data / "backups").glob(".making-*"))


@pytest.mark.parametrize("nth", range(1, 7))
def test_a_restore_that_is_cut_off_anywhere_is_completed_at_the_next_start(
    data: Path, database: Database, power: Callable[..., None], nth: int
) -> None:
    found = made(data, database)
    say(database, "this came later")
    database.close()
    power("restore.moved", nth)
    with pytest.raises(Cut):
        restore.restore(found.path, data, database.path, NOW)
    power("nothing")
    assert restore.finish(data)
    assert not restore.finish(data)
    assert said(database.path) == [("my name is Noor", "pending")]
    assert (data / "config" / "SELF.md").read_text() == "I am Furo."
    assert (data / "plugins" / "weather" / "plugin.py").exists()
    kept = next((data / "backups").glob("replaced-*"))
    assert len(said(kept / "memory" / "longmemory.sqlite")) == 2


def test_a_restore_on_a_new_machine_that_is_cut_off_is_completed(
    data: Path, database: Database, power: Callable[..., None], tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = made(data, database)
    other = tmp_path_factory.mktemp("other")
    power("restore.moved", 1)
    with pytest.raises(Cut):
        restore.restore(found.path, other, other / "memory" / "longmemory.sqlite", NOW)
    power("nothing")
    assert restore.finish(other)
    assert said(other / "memory" / "longmemory.sqlite") == [("my name is Noor", "pending")]
    assert (other / "config" / "SELF.md").exists()


def test_what_points_at_nothing_is_a_fault(database: Database) -> None:
    assert backup_store.faults(database.path) == []
    db = sqlite3.connect(database.path)
    db.execute("INSERT INTO memory_sources (memory_id, turn_id) VALUES (7, 8)")
    db.commit()
    db.close()
    assert backup_store.faults(database.path)


def test_small_values_come_back_too(data: Path, database: Database, tmp_path_factory: pytest.TempPathFactory) -> None:
    with database.write() as db:
        kv.put(db, "window", {"code": 1}, NOW)
    found = made(data, database)
    other = tmp_path_factory.mktemp("other") / "memory" / "longmemory.sqlite"
    restore.restore(found.path, other.parent.parent, other, NOW)
    with Database(other).read() as db:
        assert kv.get(db, "window") == {"code": 1}


def test_what_replaced_plugins_had_written_is_kept_no_longer_than_a_backup(data: Path, database: Database) -> None:
    (data / ".env").write_text("")
    world = build_world(load({"FUROSHIKI_DATA": str(data)}), FrozenClock(NOW), spawn_memoryd=False)
    old, recent = (
        data / "backups/plugins/dice" / f"{NOW - timedelta(days=days):%Y%m%dT%H%M%S}-000/files" for days in (218, 216)
    )
    for files in (old, recent):
        (files / "data").mkdir(parents=True)
        (files / "PLUGIN.md").touch()
    backup.daily(world)
    assert [path.name for path in old.iterdir()] == ["PLUGIN.md"]
    assert (recent / "data").is_dir()


def test_the_daily_job_makes_one_and_says_what_it_holds(data: Path, database: Database) -> None:
    (data / ".env").write_text("")
    clock = FrozenClock(NOW)
    report = backup.daily(build_world(load({"FUROSHIKI_DATA": str(data)}), clock, spawn_memoryd=False), keep=1)
    clock.pass_(days=1)
    again = backup.daily(build_world(load({"FUROSHIKI_DATA": str(data)}), clock, spawn_memoryd=False), keep=1)
    assert report.did
    assert report.data["holds"]["turns"] == 1
    assert again.data["gone"] == ["furoshiki-20260324T010000Z.tar.gz"]
    assert [str(path) for path in listed(data / "backups")] == [again.data["file"]]


def test_a_database_on_another_disk_is_copied_there_whole(
    data: Path, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = made(data, database)
    elsewhere = tmp_path / "disk" / "mind.sqlite"
    rename = Path.rename

    def across(self: Path, target: Path) -> Path:
        if (Path(target) == elsewhere) != (self.parent == elsewhere.parent):
            raise OSError(errno.EXDEV, "another disk")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", across)
    restore.restore(found.path, data, elsewhere, NOW)
    assert said(elsewhere) == [("my name is Noor", "pending")]
    assert [path.name for path in elsewhere.parent.iterdir()] == ["mind.sqlite"]


def test_the_places_of_other_people_are_saved_and_brought_back(data: Path, database: Database) -> None:
    (data / ".env").unlink()
    world = build_world(load({"FUROSHIKI_DATA": str(data)}), FrozenClock(NOW), spawn_memoryd=False)
    people = places.People()
    guest = people.world(world, Person("member", "telegram", "31", "31", "Bea"))
    say(guest.database, "my name is Bea")  # in the log beside the database, not in its file yet
    saved = backup.make(data, data / DATABASE, data / "backups", NOW).path
    with guest.database.write() as db:
        db.execute("DELETE FROM turns")
    people.close()
    world.database.close()
    database.close()
    restore.restore(saved, data, data / DATABASE, NOW)
    [again] = places.People().everybody(build_world(load({"FUROSHIKI_DATA": str(data)}), FrozenClock(NOW)))
    with again.database.read() as db:
        assert [one["text"] for one in db.execute("SELECT text FROM turns")] == ["my name is Bea"]
    assert again.who.name == "Bea"


def sabotaged(data: Path, database: Database, tmp_path: Path, *sql: str) -> Path:
    """A backup whose database somebody has changed; its manifest fits, as that of a forger would."""
    source = made(data, database).path
    with tarfile.open(source) as tar:
        members = {member.name: tar.extractfile(member).read() for member in tar}  # type: ignore[union-attr]
    place = tmp_path / "forged.sqlite"
    place.write_bytes(members["memory/longmemory.sqlite"])
    with contextlib.closing(sqlite3.connect(place)) as db:
        for one in sql:
            db.execute(one)
        db.commit()
    members["memory/longmemory.sqlite"] = place.read_bytes()
    manifest = json.loads(members.pop("manifest.json"))
    for name, content in members.items():
        manifest["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    forged = tmp_path / "forged.tar.gz"
    with tarfile.open(forged, "w:gz") as tar:
        for name, content in {"manifest.json": json.dumps(manifest).encode(), **members}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return forged


MALLORY = (
    "INSERT INTO accounts (channel, external_id, role, name, chat_id, paired_at) "
    "VALUES ('telegram', '666', 'owner', 'Mallory', '666', '2026-01-01T00:00:00.000000+00:00')"
)


@pytest.mark.parametrize(
    "sql",
    [
        f"CREATE TRIGGER harmless AFTER INSERT ON turns BEGIN {MALLORY}; END",
        f"CREATE TRIGGER turns_fts_late AFTER UPDATE ON turns BEGIN {MALLORY}; END",
        "CREATE VIEW notes AS SELECT * FROM turns",
        "CREATE VIRTUAL TABLE notes USING fts5(text)",
    ],
)
def test_code_in_a_backup_that_is_not_ours_is_refused_before_anything_runs(
    data: Path, database: Database, tmp_path: Path, sql: str
) -> None:
    forged = sabotaged(data, database, tmp_path, sql)
    database.close()
    with pytest.raises(BackupUnusable, match="which Furoshiki never makes"):
        restore.restore(forged, data, database.path, NOW)
    assert said(database.path) == [("my name is Noor", "indexed")]


def test_a_known_trigger_with_another_body_is_refused(data: Path, database: Database, tmp_path: Path) -> None:
    change = f"CREATE TRIGGER turns_fts_insert AFTER INSERT ON turns BEGIN {MALLORY}; END"
    forged = sabotaged(data, database, tmp_path, "DROP TRIGGER turns_fts_insert", change)
    with pytest.raises(BackupUnusable, match="'turns_fts_insert'"):
        restore.restore(forged, data, database.path, NOW)


def test_who_would_be_obeyed_is_shown_before_the_yes(data: Path, database: Database, tmp_path: Path) -> None:
    noor = MALLORY.replace("666", "42").replace("Mallory", "Noor")
    with database.write() as db:
        db.execute(noor)
    forged = sabotaged(data, database, tmp_path, MALLORY)
    (data / "memory" / "operator_settings.json").write_text('{"TELEGRAM_OWNER_ID": 42}')
    shown: list[BackupChanges] = []

    def no(found: BackupChanges) -> bool:
        shown.append(found)
        return False

    database.close()
    assert restore.restore(forged, data, database.path, NOW, no) is None
    assert shown[0].owners == ("Noor (telegram 42)", "Mallory (telegram 666)")
    assert shown[0].new_owners == ("Mallory (telegram 666)",)
    assert shown[0].settings == (("TELEGRAM_OWNER_ID", "as by default"),)
    assert (data / "memory" / "operator_settings.json").exists() and not list((data / "backups").glob("replaced-*"))


def test_a_pairing_code_does_not_come_back(data: Path, database: Database, tmp_path: Path) -> None:
    with database.write() as db:
        kv.put(db, "pairing", {"code": "123456", "role": "owner", "until": "2999-01-01", "wrong": []}, NOW)
    found = made(data, database)
    database.close()
    restore.restore(found.path, data, database.path, NOW)
    with Database(database.path).read() as db:
        assert kv.get(db, "pairing") is None


def test_a_restore_looks_for_room_first(data: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    found = made(data, database)
    usage = shutil.disk_usage(data)
    monkeypatch.setattr(archive.shutil, "disk_usage", lambda _path: usage._replace(free=1000))
    with pytest.raises(BackupUnusable, match="0 MB free: free some space"):
        restore.restore(found.path, data, database.path, NOW)
