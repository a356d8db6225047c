"""What versions between two releases left opens: what their databases lack is added, whatever number they say."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.core.database import migrate
from furoshiki.core.database.connection import connect
from furoshiki.core.errors import StorageUnavailable
from furoshiki.maintenance import upgrading
from tests.support import filled
from tests.support.backups import listed

NOW = datetime(2026, 3, 24, 9, tzinfo=UTC)
VERSIONS = [
    line.split("\t")
    for line in Path(__file__).with_name("unreleased.tsv").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.fixture(scope="module")
def of_revision(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A database of each revision that versions in between wrote on theirs."""
    folder = tmp_path_factory.mktemp("revisions")
    found = {}
    for revision in sorted({row[1] for row in VERSIONS}):
        found[revision] = folder / f"{revision}.sqlite"
        filled.make(found[revision], revision)
        with contextlib.closing(sqlite3.connect(found[revision])) as db:
            db.execute(
                "INSERT INTO turns (session_id, channel, chat_id, speaker, kind, text, at) "
                "VALUES ('s', 'console', 'me', 'user', 'text', 'her cat is Miso', '2026-03-01T10:00:00.000000Z')"
            )
            db.commit()
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("commit", "revision", "undoing"), [(row[0], row[1], row[2:]) for row in VERSIONS])
def test_a_database_of_a_version_in_between_is_completed(
    of_revision: dict[str, Path], tmp_path: Path, commit: str, revision: str, undoing: list[str]
) -> None:
    path = tmp_path / "memory" / "longmemory.sqlite"
    path.parent.mkdir()
    shutil.copyfile(of_revision[revision], path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        for statement in undoing:
            db.execute(statement)
        db.commit()
    assert upgrading.ensure(tmp_path, path, lambda: NOW) is True
    assert migrate.current(path) == migrate.HEAD and upgrading.ensure(tmp_path, path, lambda: NOW) is False
    assert len(listed(tmp_path / "backups")) == 1, "there is a way back"
    with contextlib.closing(connect(path, "ro")) as db:
        assert migrate.list_missing(db) == []
        assert db.execute("SELECT text FROM turns").fetchall()[0][0] == "her cat is Miso"
        assert db.execute("SELECT count(*) FROM sqlite_master WHERE name='curiosities'").fetchone()[0] == 0
        assert set(filled.tables(db)) >= {"self_questions", "style_dimensions", "anticipations"}


def test_one_that_says_it_is_the_newest_is_completed_too(empty_database: Path, tmp_path: Path) -> None:
    """A version in between whose database was brought to the newest number before anything looked at the rest."""
    path = tmp_path / "longmemory.sqlite"
    shutil.copyfile(empty_database, path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE style_dimensions DROP COLUMN shifted_cycles")
        db.execute("DROP TABLE commitment_judgements")
        db.execute("DROP INDEX turns_live")
        db.commit()
        missing = migrate.list_missing(db)
    assert {"style_dimensions.shifted_cycles", "commitment_judgements.verdict", "turns_live"} <= set(missing)
    assert migrate.ensure(path) is True and migrate.ensure(path) is False


def test_what_cannot_be_added_is_said_with_what_to_do(empty_database: Path, tmp_path: Path) -> None:
    path = tmp_path / "longmemory.sqlite"
    shutil.copyfile(empty_database, path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE commitments DROP COLUMN sign")
        db.commit()
    before = path.read_bytes()
    with pytest.raises(
        StorageUnavailable, match=r"lacks commitments\.sign.*export with that version.*restore a backup"
    ):
        migrate.ensure(path)
    assert path.read_bytes() == before
