"""What was forgotten after a backup was made does not come back with it, and nobody can read it on the way."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.app.wiring import build_world, prepare
from furoshiki.archive.forgetting import after_restore, forgetting, record
from furoshiki.core.database import kv, migrate
from furoshiki.core.paths import DATABASE
from furoshiki.core.settings import load
from furoshiki.maintenance import archive, backup, restore
from furoshiki.memory.store import memories, tombstones
from furoshiki.memory.values import NewMemory
from furoshiki.messages.roles import Person
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.owner.people.places import People
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World
from tests.support import filled
from tests.support.files import contents
from tests.support.forgetting import forget
from tests.support.world import FrozenClock

NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)
SAID = datetime(2026, 3, 20, 9, tzinfo=UTC)

RIVER, SISTER = "the river was high on our walk", "my sister Zephyrine sings in a choir"


def awake(data: Path, now: datetime = NOW) -> World:
    return build_world(load({"FUROSHIKI_DATA": str(data)}), FrozenClock(now), spawn_memoryd=False)


@pytest.fixture
def data(tmp_path: Path, migrated: Callable[[Path], Path]) -> Path:
    """A home in which two things were said, one of them with a memory and a line in a file."""
    home = tmp_path / "home"
    migrated(home / "memory" / "longmemory.sqlite")
    world = awake(home)
    with world.database.write() as db:
        turns.add(db, NewTurn("s", "console", "me", "user", RIVER, SAID))
        sister = turns.add(db, NewTurn("s", "console", "me", "user", SISTER, SAID))
        memories.add(db, NewMemory("semantic", "Their sister Zephyrine sings.", (sister,)), SAID)
    (home / "memory" / "user_profile.txt").write_text("Walks by the river.\nHas a sister, Zephyrine.\n")
    world.database.close()
    return home


def saved(data: Path) -> Path:
    return backup.make(data, data / DATABASE, data / "backups", NOW).path


def forgotten(data: Path, what: str = "Zephyrine", now: datetime = NOW + timedelta(hours=1)) -> None:
    world = awake(data, now)
    assert forget(world, what).left == ()
    world.database.close()


def brought_back(path: Path, data: Path, now: datetime = NOW + timedelta(days=1)) -> restore.Restored:
    """As the command does it."""

    def settle(staged: Path, made_at: datetime) -> Mapping[str, int]:
        past = after_restore.load_past(data, data / DATABASE, path.parent)
        world = awake(staged, now)
        try:
            done = after_restore.forget(world, past, made_at, data)
        finally:
            world.database.close()
        assert done.left == ()
        return {"turns": done.turns, "memories": done.memories}

    done = restore.restore(path, data, data / DATABASE, now, settle=settle)
    assert done is not None
    return done


def said(data: Path) -> list[str]:
    world = awake(data)
    try:
        with world.database.read() as db:
            return [row[0] for row in db.execute("SELECT text FROM turns ORDER BY id")]
    finally:
        world.database.close()


def with_it(data: Path) -> list[str]:
    """Every file that has the name in its bytes, backups aside."""
    return [
        path.relative_to(data).as_posix()
        for path, held in contents(data)
        if b"zephyrin" in held.lower() and not path.name.endswith(".tar.gz")
    ]


def test_what_was_forgotten_since_does_not_come_back(data: Path) -> None:
    path = saved(data)
    forgotten(data)
    done = brought_back(path, data)
    assert done.forgotten == {"turns": 1, "memories": 1} and done.holds["turns"] == 1
    assert said(data) == [RIVER] and with_it(data) == []
    assert (data / "memory" / "user_profile.txt").read_text() == "Walks by the river.\n"
    world = awake(data)
    with world.database.read() as db:
        assert tombstones.is_buried(db, "turn", tombstones.turn("user", SAID, SISTER), SAID)
        assert kv.get(db, forgetting.FORGETTING) is None
    world.database.close()


def test_without_the_database_the_record_beside_the_backup_tells_it(data: Path, tmp_path: Path) -> None:
    """On an empty machine, with nothing but the folder that was saved elsewhere; and from there once more."""
    path = saved(data)
    forgotten(data)
    disk, empty, third = tmp_path / "disk", tmp_path / "empty", tmp_path / "third"
    disk.mkdir()
    for one in (path, data / "backups" / record.FILE):
        shutil.copy(one, disk)
    assert (data / "backups" / record.FILE).stat().st_mode & 0o777 == 0o600
    assert b"zephyrin" not in (disk / record.FILE).read_bytes().lower()
    assert brought_back(disk / path.name, empty).forgotten == {"turns": 1, "memories": 1}
    assert said(empty) == [RIVER] and with_it(empty) == []
    (disk / record.FILE).unlink()
    shutil.copy(empty / "backups" / record.FILE, disk)
    assert brought_back(disk / path.name, third).forgotten["turns"] == 1


def test_marks_alone_are_enough(data: Path) -> None:
    """A forgetting from before there was a record."""
    path = saved(data)
    forgotten(data)
    (data / "backups" / record.FILE).unlink()
    assert brought_back(path, data).forgotten == {"turns": 1, "memories": 1}
    assert said(data) == [RIVER] and with_it(data) == []


def test_marks_of_another_database_go_on_standing(data: Path, tmp_path: Path, migrated: Callable[[Path], Path]) -> None:
    """What was forgotten here cannot be imported after a backup came from elsewhere, which has a key of its own."""
    other = tmp_path / "other"
    migrated(other / DATABASE)
    world = awake(other)
    with world.database.write() as db:
        turns.add(db, NewTurn("s", "console", "me", "user", "I like Persimmon jam", SAID))
    forget(world, "Persimmon")
    world.database.close()
    strange = backup.make(other, other / DATABASE, other / "backups", NOW + timedelta(hours=2)).path
    forgotten(data)
    brought_back(strange, data)
    world = awake(data)
    with world.database.read() as db:
        assert tombstones.is_buried(db, "turn", tombstones.turn("user", SAID, SISTER), SAID)
        assert tombstones.is_buried(db, "turn", tombstones.turn("user", SAID, "I like Persimmon jam"), SAID)
        assert not tombstones.is_buried(db, "turn", tombstones.turn("user", SAID, RIVER), SAID)
    world.database.close()


@pytest.mark.slow
def test_a_backup_of_an_earlier_release_comes_back_without_what_was_forgotten_since(tmp_path: Path) -> None:
    home = tmp_path / "home"
    database = home / DATABASE
    database.parent.mkdir(parents=True)
    filled.make(database)
    with contextlib.closing(sqlite3.connect(database)) as db, db:
        [(turn,)] = db.execute(
            "INSERT INTO turns (session_id, channel, chat_id, speaker, kind, text, at, embedding, "
            "embed_model, index_state) VALUES ('s', 'console', 'me', 'user', 'text', ?, ?, ?, 'minilm', 'indexed') "
            "RETURNING id",
            (SISTER, SAID.isoformat(timespec="microseconds"), filled.VECTOR),
        ).fetchall()
        [(memory,)] = db.execute(
            "INSERT INTO memories (type, content, source_tag, created_at) VALUES ('semantic', ?, 'external_user', ?) "
            "RETURNING id",
            ("Their sister Zephyrine sings.", SAID.isoformat(timespec="microseconds")),
        ).fetchall()
        db.execute("INSERT INTO memory_sources (memory_id, turn_id) VALUES (?, ?)", (memory, turn))
        before = db.execute("SELECT count(*) FROM turns").fetchone()[0]
    path = saved(home)
    migrate.ensure(database)
    prepare(home)
    forgotten(home)
    done = brought_back(path, home)
    assert done.schema == filled.FIRST and done.forgotten == {"turns": 1, "memories": 1}
    assert migrate.current(database) == migrate.HEAD
    assert len(said(home)) == before - 1 and with_it(home) == []
    world = awake(home)
    with world.database.read() as db:
        assert set(vectors.backlog(db)["turn"]) <= {"pending", "empty"}, "vectors are made again"
        assert db.execute("SELECT count(embedding) FROM turns").fetchone()[0] == 0
        assert tombstones.is_buried(db, "turn", tombstones.turn("user", SAID, SISTER), SAID)
        assert not tombstones.is_buried(db, "turn", tombstones.turn("user", SAID, RIVER), SAID)
    world.database.close()


def test_words_said_again_after_they_were_forgotten_are_kept(data: Path) -> None:
    forgotten(data)
    world = awake(data)
    later = NOW + timedelta(hours=2)
    with world.database.write() as db:
        turns.add(db, NewTurn("s", "console", "me", "user", SISTER, later))
    world.database.close()
    path = backup.make(data, data / DATABASE, data / "backups", NOW + timedelta(hours=3)).path
    done = brought_back(path, data)
    assert done.forgotten["turns"] == 0 and said(data) == [RIVER, SISTER]


def test_what_stood_in_a_file_alone_stays_forgotten_too(data: Path) -> None:
    """No row says it: only the fingerprints of the words do."""
    (data / "memory" / "user_profile.txt").write_text("Walks by the river.\nCollects marzipan tins.\n")
    path = saved(data)
    forgotten(data, "marzipan tins")
    assert json.loads((data / "backups" / record.FILE).read_text())["rows"] == []
    brought_back(path, data)
    assert "marzipan" not in (data / "memory" / "user_profile.txt").read_text()


@pytest.mark.slow
def test_after_everything_was_forgotten_nothing_of_it_comes_back(
    data: Path, tmp_path: Path, migrated: Callable[[Path], Path]
) -> None:
    path = saved(data)
    forgotten(data, "everything")
    brought_back(path, data)
    assert said(data) == [] and with_it(data) == []
    other = tmp_path / "other"
    migrated(other / DATABASE)
    world = awake(other)
    with world.database.write() as db:
        turns.add(db, NewTurn("s", "console", "me", "user", "somebody else's life", SAID + timedelta(hours=5)))
    world.database.close()
    brought_back(saved(other), data, NOW + timedelta(days=2))  # which is none of what was forgotten
    assert said(data) == ["somebody else's life"]


@pytest.mark.slow
def test_somebody_whose_place_was_removed_stays_away(data: Path) -> None:
    world, people = awake(data), People()
    bea, tom = (
        people.world(world, Person("member", "telegram", id_, id_, name))
        for id_, name in (("31", "Bea"), ("32", "Tom"))
    )
    for guest in (bea, tom):
        with guest.database.write() as db:
            turns.add(db, NewTurn("s", "telegram", "1", "user", SISTER, SAID))
    places = bea.who.place, tom.who.place
    people.close()
    world.database.close()
    path = saved(data)
    record.add(data, [record.Forgetting("2026-03-25T00:00:00.000000+00:00", places[0], "", removed=True)])
    brought_back(path, data)
    assert [one.name for one in (data / "memory" / "people").iterdir()] == [places[1]]


@pytest.mark.slow
def test_what_a_guest_had_forgotten_stays_forgotten_with_them_alone(data: Path) -> None:
    world, people = awake(data), People()
    guest = people.world(world, Person("member", "telegram", "31", "31", "Bea"))
    with guest.database.write() as db:
        turns.add(db, NewTurn("s", "telegram", "31", "user", SISTER, SAID))
    path = saved(data)
    later = People()
    theirs = later.world(awake(data, NOW + timedelta(hours=1)), Person("member", "telegram", "31", "31", "Bea"))
    forget(theirs, "Zephyrine")
    for one in (people, later):
        one.close()
    world.database.close()
    assert brought_back(path, data).forgotten["turns"] == 1
    assert said(data) == [RIVER, SISTER]
    [found] = People().everybody(awake(data))
    with found.database.read() as db:
        assert turns.count(db) == 0


def test_the_record_is_kept_once_and_survives_a_line_that_was_cut_off(tmp_path: Path) -> None:
    one = record.Forgetting("2026-01-01", None, "ab", (("turn:1", "2025-12-31", "cd"),), ((1, "ef"),))
    other = record.Forgetting("2026-01-02", "telegram-31", "ab", everything=True)
    record.add(tmp_path, [one, one])
    path = tmp_path / "backups" / record.FILE
    with path.open("a") as file:
        file.write(other.line()[:30])
    record.add(tmp_path, [one, other])
    assert record.read(path) == [one, other]
    with path.open("a") as file:
        file.write('{"at": 1}\n[]\nnull\n')
    assert record.read(path) == [one, other] and record.read(tmp_path / "nothing") == []


class Cut(BaseException):
    """The power is gone."""


@pytest.mark.slow
def test_wherever_a_restore_is_cut_off_nothing_forgotten_is_there_after_the_next_start(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(data)
    forgotten(data)
    disk = tmp_path / "disk"
    disk.mkdir()
    for one in (path, data / "backups" / record.FILE):
        shutil.copy(one, disk)
    reached: list[str] = []

    def trial(dies: int, home: Path) -> bool:
        """Whether it was cut off at the nth point."""
        reached.clear()

        def point(name: str) -> None:
            reached.append(name)
            if len(reached) == dies:
                raise Cut

        with monkeypatch.context() as patched:
            for module in (restore, forgetting, archive):
                patched.setattr(module, "point", point)
            patched.setattr(restore.shutil, "rmtree", lambda *_args, **_more: None)  # the dead do not clean up
            try:
                brought_back(disk / path.name, home)
            except Cut:
                return True
        return False

    dies = 1
    while True:
        home = tmp_path / f"home-{dies}"
        shutil.copytree(data, home)
        (home / "backups" / path.name).unlink()
        cut = trial(dies, home)
        prepare(home)
        assert with_it(home) == [], reached
        assert SISTER not in said(home)
        if not cut:
            break
        dies += 1
    assert "restore.settled" in reached and "forgetting.removed" in reached and said(home) == [RIVER]
