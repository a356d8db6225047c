"""The backups that are kept: encrypted or not, listed, verified again, copied elsewhere, and brought back."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.app.wiring import prepare
from furoshiki.core import env_file
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.files import digest
from furoshiki.core.paths import DATABASE, read_env_file
from furoshiki.maintenance import backup, encryption, restore, rules, verified
from furoshiki.maintenance.encryption import NoKey, Opener
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from tests.support.backups import listed

NOW = datetime(2026, 3, 24, 1, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=1)


@pytest.fixture
def data(tmp_path: Path, database: Database) -> Path:
    with database.write() as db:
        turns.add(db, NewTurn("s", "console", "console", USER, "my name is Noor", NOW))
    (tmp_path / ".env").write_text(
        "TELEGRAM_BOT_TOKEN=1:secret\nFUROSHIKI_DATABASE_URL=sqlite:////old/machine.sqlite\n"
    )
    return tmp_path


@pytest.fixture
def recipient(tmp_path: Path) -> str:
    """The recipient of a new key, which lies in `key.txt`."""
    secret, found = encryption.new_key()
    (tmp_path / "key.txt").write_text(secret)
    return found


def unlock(path: Path) -> Opener:
    return encryption.opener(path.parent.parent / "key.txt", path, lambda prompt: prompt)


def made(data: Path, *keys: str, now: datetime = NOW, secrets: bool = False) -> Path:
    database = data / DATABASE
    return backup.make(data, database, data / "backups", now, keys, secrets=secrets).path


def test_an_encrypted_backup_is_listed_verified_and_brought_back(
    data: Path, database: Database, recipient: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path, folder = made(data, recipient), data / "backups"
    assert path.name == "furoshiki-20260324T010000Z.tar.gz.age" and path.stat().st_mode & 0o777 == 0o600
    assert sorted(one.name for one in folder.iterdir() if not one.name.startswith(".")) == [path.name, verified.FILE]
    [one] = backup.list_backups(folder)
    assert one.encrypted and one.made_at == NOW and one.verified == verified.load_all(folder)[path.name]
    other = tmp_path_factory.mktemp("other")
    with pytest.raises(NoKey):
        restore.restore(path, other, other / DATABASE, NOW)
    assert not (other / "backups" / ".restoring").exists()
    done = restore.restore(path, other, other / DATABASE, NOW, unlock=unlock)
    assert done is not None and done.holds["turns"] == 1 and not list((other / "backups").rglob("*.tar.gz"))


def test_what_was_verified_is_noted_for_the_doctor(data: Path, recipient: str) -> None:
    path, folder = made(data, recipient), data / "backups"
    notes = json.loads((folder / "verified.json").read_text())
    assert notes[path.name] == {
        "at": "2026-03-24T01:00:00.000000+00:00",
        "sha256": digest(path),
        "ok": True,
        "turns": 1,
    }
    sealed = backup.check(path, folder, LATER)
    assert not sealed.opened and sealed.fault is None and sealed.found is not None and sealed.found.turns == 1
    opened = backup.check(path, folder, LATER, unlock(path))
    assert opened.opened and opened.fault is None and verified.load_all(folder)[path.name].at.startswith("2026-03-25")
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    changed = backup.check(path, folder, LATER)
    assert changed.fault is not None and "changed or damaged since" in changed.fault
    assert verified.load_all(folder)[path.name].ok is False and backup.list_backups(folder)[0].verified == changed.found


def test_a_plain_backup_that_was_damaged_is_found_out(data: Path) -> None:
    path, folder = made(data), data / "backups"
    assert backup.check(path, folder, LATER).fault is None
    path.write_bytes(path.read_bytes()[:-40])
    assert backup.check(path, folder, LATER).fault is not None
    assert not verified.load_all(folder)[path.name].ok


def test_of_an_encrypted_backup_from_elsewhere_the_form_is_all_that_can_be_seen(data: Path, recipient: str) -> None:
    folder = data / "backups"
    stranger = made(data, recipient).rename(data / "stranger.tar.gz.age")
    seen = backup.check(stranger, folder, LATER)
    assert (seen.found, seen.opened, seen.fault) == (None, False, None)
    stranger.write_bytes(stranger.read_bytes()[:90])
    assert "cut short" in str(backup.check(stranger, folder, LATER).fault)
    assert stranger.name not in verified.load_all(folder)


def test_notes_that_cannot_be_read_count_as_none(data: Path) -> None:
    folder = data / "backups"
    path = made(data)
    for text in ("{", "[]", '{"x": 1}', '{"x": {"at": 1}}'):
        (folder / verified.FILE).write_text(text)
        assert verified.load_all(folder) == {} and backup.list_backups(folder)[0].verified is None
    assert backup.check(path, folder, LATER).fault is None and list(verified.load_all(folder)) == [path.name]


def test_old_backups_age_out_whether_they_are_encrypted_or_not(data: Path) -> None:
    folder = data / "backups"
    folder.mkdir()
    days = [NOW - timedelta(days=number) for number in range(60)]
    for number, moment in enumerate(days):
        name = moment.strftime("furoshiki-%Y%m%dT%H%M%SZ.tar.gz") + (".age" if number % 2 else "")
        (folder / name).touch()
        verified.keep(folder, name, verified.Verification("2026-01-01", "0", True, 1))
    gone = backup.let_go(folder)
    kept = listed(folder)
    assert {path.suffix for path in kept} == {".gz", ".age"} and len(kept) + len(gone) == 60
    assert [moment for moment, _ in sorted(backup.list_dated(folder), reverse=True)] == sorted(
        rules.to_keep(days), reverse=True
    )
    assert verified.load_all(folder).keys() == {path.name for path in kept}


def test_a_copy_elsewhere_is_whole_or_not_there(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, disk = made(data), tmp_path / "disk"
    with pytest.raises(StorageUnavailable, match="is no folder"):
        backup.copy_to(path, disk)
    disk.mkdir()
    copy = backup.copy_to(path, disk)
    assert copy.read_bytes() == path.read_bytes() and copy.stat().st_mode & 0o777 == 0o600
    copy.unlink()

    def losing(source: object, target: object, _length: int) -> None:
        target.write(source.read()[:-1])  # type: ignore[attr-defined]

    monkeypatch.setattr(backup.shutil, "copyfileobj", losing)
    with pytest.raises(StorageUnavailable, match="check that disk"):
        backup.copy_to(path, disk)
    assert list(disk.iterdir()) == []


@pytest.mark.slow
def test_secrets_go_into_an_encrypted_backup_alone_and_come_back_when_asked_for(
    data: Path, recipient: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(ValueError, match="encrypted"):
        made(data, secrets=True)
    path = made(data, recipient, secrets=True)
    without, there = tmp_path_factory.mktemp("without"), tmp_path_factory.mktemp("there")
    done = restore.restore(path, without, without / DATABASE, NOW, unlock=unlock)
    assert done is not None and not done.with_secrets and not (without / ".env").exists()
    assert done.changes.secrets == ("TELEGRAM_BOT_TOKEN", "FUROSHIKI_DATABASE_URL")
    (there / ".env").write_text("TELEGRAM_BOT_TOKEN=2:here\n")
    done = restore.restore(path, there, there / DATABASE, NOW, unlock=unlock, secrets=True)
    assert done is not None and done.with_secrets
    assert read_env_file(there / ".env") == {"TELEGRAM_BOT_TOKEN": "1:secret"}  # where the database is, it says itself
    assert (there / ".env").stat().st_mode & 0o777 == 0o600
    assert (done.replaced / ".env").read_text() == "TELEGRAM_BOT_TOKEN=2:here\n"


def test_a_setting_is_written_without_touching_the_others(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    env_file.put(path, "A", "1")
    path.write_text("# mine\nexport A = 2\nAB=3\n")
    env_file.put(path, "A", "4")
    assert path.read_text() == "# mine\nA=4\nAB=3\n" and path.stat().st_mode & 0o777 == 0o600
    env_file.put(path, "A", None)
    assert read_env_file(path) == {"AB": "3"}


class Cut(BaseException):
    """The power is gone."""


@pytest.mark.slow
@pytest.mark.parametrize("begun_again", [False, True])
def test_what_starts_between_two_renames_neither_loses_the_backup_nor_what_it_began(
    data: Path, database: Database, monkeypatch: pytest.MonkeyPatch, begun_again: bool
) -> None:
    path = made(data)
    database.close()

    def cut(name: str) -> None:
        if name == "restore.moved":
            raise Cut

    with monkeypatch.context() as patched:
        patched.setattr(restore, "point", cut)
        with pytest.raises(Cut):
            restore.restore(path, data, database.path, NOW)
    assert not database.path.exists()
    if begun_again:  # by a process that had looked for an unfinished restore just before there was one
        database.path.parent.mkdir()
        (database.path.parent / "begun.txt").write_text("new")
    prepare(data)
    with Database(database.path).read() as db:
        assert turns.count(db) == 1
    [replaced] = (data / "backups").glob("replaced-*")
    assert [one.read_text() for one in replaced.glob("memory.begun-1/begun.txt")] == ["new"] * begun_again
    assert not (data / "backups" / ".restoring").exists()


def test_what_was_unpacked_for_a_restore_that_died_goes_away_at_the_next_start(data: Path) -> None:
    left = data / "backups" / ".restoring" / "memory"
    left.mkdir(parents=True)
    (left / "longmemory.sqlite").write_text("unpacked")
    prepare(data)
    assert not left.parent.exists()
