"""Homes: made, carried in, put to rest, carried away and taken down, each apart from the others."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.core import paths, settings
from furoshiki.core.atomic_files import locked
from furoshiki.core.database.connection import Database
from furoshiki.host import deferred_updates, homes
from furoshiki.host.homes import BadName, HomeRuns, NoSuchHome
from furoshiki.maintenance import restore
from furoshiki.messages.store import accounts, outbox, turns
from tests.support.rows import user_said
from tests.support.shell import Command

NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)


def said(data: Path, words: str) -> None:
    database = Database(data / "memory" / "longmemory.sqlite")
    with database.write() as db:
        turns.add(db, user_said(words))
    database.close()


@contextmanager
def inside(data: Path) -> Iterator[None]:
    with paths.living_in(data):
        yield


def test_a_home_is_a_whole_data_directory_for_its_owner_alone(root: Path, command: Command) -> None:
    made = command("host", "add", "anna", "--json")
    assert made.status == 0 and made.json["data"] == str(root / "anna")
    assert (root / "anna").stat().st_mode & 0o077 == 0 and root.stat().st_mode & 0o077 == 0
    assert command("status", "--home", "anna", "--offline", "--json").json["memory"]["turns"] == 0
    assert [one["name"] for one in command("host", "list", "--json").json] == ["anna"]


@pytest.mark.parametrize("name", ["", "Anna", "../anna", "a" * 33, "-anna", ".host", "an na", "änna"])
def test_what_is_no_name_is_refused_with_what_would_be(root: Path, name: str) -> None:
    with pytest.raises(BadName, match="small letters"):
        homes.add(root, name, NOW)
    assert not root.exists() or not list(root.iterdir())


def test_a_name_is_given_once(root: Path) -> None:
    homes.add(root, "anna", NOW)
    with pytest.raises(BadName, match="already"):
        homes.add(root, "anna", NOW)


def test_a_name_that_is_not_there_is_told_with_the_nearest(root: Path, command: Command) -> None:
    homes.add(root, "anna", NOW)
    missed = command("--home", "ana", "status")
    assert missed.status == 1 and "did you mean 'anna'?" in missed.err
    with pytest.raises(NoSuchHome):
        homes.get_home(root, "../anna")


def test_homes_share_the_keys_of_the_host_and_never_a_bot_or_a_database(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    homes.add(root, "anna", NOW, "TELEGRAM_BOT_TOKEN=1:" + "a" * 35 + "\n")
    homes.add(root, "ben", NOW)
    (root / ".host" / ".env").write_text(f"OPENAI_API_KEY=shared\nTELEGRAM_BOT_TOKEN=9:{'h' * 35}\n")
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "8:" + "e" * 35)
    monkeypatch.setenv("FUROSHIKI_DATABASE_URL", "sqlite:////nowhere/x.sqlite")
    tokens = {}
    for name in ("anna", "ben"):
        with inside(root / name):
            held = settings.load()
            tokens[name] = held.telegram_bot_token and held.telegram_bot_token.get_secret_value()
            assert held.openai_api_key is not None and held.openai_api_key.get_secret_value() == "shared"
            assert held.database == paths.database() == root / name / "memory" / "longmemory.sqlite"
    assert tokens == {"anna": "1:" + "a" * 35, "ben": None}


def test_a_home_that_was_carried_away_stands_by_itself(root: Path, tmp_path: Path) -> None:
    homes.add(root, "anna", NOW)
    (root / ".host" / ".env").write_text("OPENAI_API_KEY=shared\n")
    (root / "anna").rename(tmp_path / "alone")
    with inside(tmp_path / "alone"):
        assert settings.load().openai_api_key is None


def test_who_rests_does_not_begin_until_it_is_resumed(root: Path, command: Command) -> None:
    homes.add(root, "anna", NOW)
    assert command("host", "pause", "anna").status == 0
    refused = command("up", "--home", "anna")
    assert refused.status == 3 and "furoshiki host resume anna" in refused.err
    assert homes.every(root)[0].paused_at is not None
    assert command("host", "resume", "anna", "--json").json == {"changed": True}
    assert command("host", "resume", "anna", "--json").json == {"changed": False}
    assert homes.every(root)[0].paused_at is None


def test_a_removed_home_leaves_a_backup_that_brings_it_back(root: Path, tmp_path: Path, command: Command) -> None:
    homes.add(root, "anna", NOW)
    said(root / "anna", "My sister is called Zephyrine.")
    asked = command("host", "remove", "anna")
    assert asked.status == 2 and (root / "anna").is_dir()
    gone = command("host", "remove", "anna", "--yes", "--json")
    assert not (root / "anna").exists() and homes.every(root) == []
    back = tmp_path / "back"
    restore.restore(Path(gone.json["backup"]), back, back / "memory" / "longmemory.sqlite", NOW)
    with Database(back / "memory" / "longmemory.sqlite").read() as db:
        assert db.execute("SELECT text FROM turns").fetchone()[0] == "My sister is called Zephyrine."


def test_what_runs_is_neither_removed_nor_adopted(root: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(homes, "PATIENCE_SECONDS", 0.1)
    homes.add(root, "anna", NOW)
    with locked(root / "anna" / "run" / "mind.lock"), pytest.raises(HomeRuns, match="host pause anna"):
        homes.remove(root, "anna", NOW)
    with locked(data / "run" / "brain.lock"), pytest.raises(HomeRuns):
        homes.adopt(root, data, "ben")
    assert (root / "anna").is_dir() and data.is_dir()


def test_one_that_lived_by_itself_is_taken_in_whole(root: Path, data: Path, command: Command) -> None:
    said(data, "I play the cello.")
    (data / ".env").write_text("FUROSHIKI_COMPANION_NAME=Momo\n")
    homes.add(root, "anna", NOW)
    assert command("host", "adopt", "ben", str(data)).status == 0
    assert not data.exists()
    assert command("--home=ben", "config", "show", "--json").status == 0
    with inside(root / "ben"):
        assert settings.load().furoshiki_companion_name == "Momo"


def test_what_is_no_data_directory_is_not_taken_in(root: Path, tmp_path: Path, command: Command) -> None:
    (tmp_path / "photos").mkdir()
    refused = command("host", "adopt", "ben", str(tmp_path / "photos"))
    assert refused.status == 1 and "is no data directory" in refused.err and (tmp_path / "photos").is_dir()


def test_the_status_tells_figures_and_no_word(root: Path, command: Command) -> None:
    homes.add(root, "anna", NOW)
    homes.add(root, "ben", NOW)
    said(root / "anna", "Zephyrine")
    (root / "ben" / "memory" / "longmemory.sqlite").write_bytes(b"no database" * 1000)
    shown = command("host", "status", "--json")
    anna, ben = shown.json
    assert shown.status == 4 and anna["trouble"] is None and anna["megabytes"] > 0
    assert "cannot be read" in ben["trouble"]
    assert "Zephyrine" not in shown.out + command("host", "status").out


def test_who_is_looked_into_is_told_of_each_command_once_a_day_and_keeps_a_line_of_each(
    root: Path, command: Command
) -> None:
    homes.add(root, "anna", NOW)
    database = Database(root / "anna" / "memory" / "longmemory.sqlite")
    with database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", NOW, "Anna", None)
    for typed in (("memory", "list"), ("memory", "stats"), ("doctor", "--offline"), ("why",)):
        command(*typed, "--home", "anna")
    with inside(root / "anna"):
        command("journal")
    command("host", "export", "anna", str(root.parent / "out"))
    with database.read() as db:
        told = [one.text for one in outbox.read_waiting(db, "telegram")]
    assert len(told) == 4  # of each command once a day: a copy in the morning hides no look in the evening
    for used in ("memory", "why", "journal", "host export"):
        assert sum(f"`furoshiki {used}`" in text for text in told) == 1
    lines = (root / "anna" / "logs" / "operator.log").read_text().splitlines()
    assert [line.partition(" ")[2] for line in lines] == [
        *("furoshiki memory", "furoshiki memory", "furoshiki why", "furoshiki journal", "furoshiki host export")
    ]


def test_what_waited_for_a_home_that_was_removed_is_given_to_nobody(root: Path, command: Command) -> None:
    homes.add(root, "anna", NOW)
    deferred_updates.keep(root, "anna", [{"update_id": 7, "message": {"text": "Zephyrine"}}])
    kept = Path(command("host", "remove", "anna", "--yes", "--json").json["backup"])
    homes.add(root, "anna", NOW)
    assert not deferred_updates.list_waiting(root, "anna")
    [left] = kept.parent.glob("*-not-delivered/*.json")
    assert "Zephyrine" in left.read_text()


@pytest.mark.parametrize(
    "typed", [("--hom", "anna", "status"), ("status", "--home"), ("--home=anna", "status", "--home", "ben")]
)
def test_a_home_that_is_named_in_no_clear_way_is_refused(root: Path, command: Command, typed: tuple[str, ...]) -> None:
    for name in ("anna", "ben"):
        homes.add(root, name, NOW)
    assert command(*typed).status == 2


def test_notes_that_are_damaged_are_told_with_what_to_do(root: Path, command: Command) -> None:
    homes.add(root, "anna", NOW)
    (root / ".host" / "homes.json").write_text("{")
    told = command("host", "list")
    assert told.status == 1 and "homes.json cannot be used" in told.err


def test_an_export_opens_anywhere(root: Path, tmp_path: Path, command: Command) -> None:
    homes.add(root, "anna", NOW)
    made = Path(command("host", "export", "anna", str(tmp_path / "out"), "--json").json["file"])
    assert made.parent == tmp_path / "out"
    with tarfile.open(made) as opened:
        assert any(name.endswith("longmemory.sqlite") for name in opened.getnames())


def test_a_keeper_sets_limits_with_one_command_and_sees_what_is_used_of_them(root: Path, command: Command) -> None:
    homes.add(root, "anna", NOW)
    assert command("host", "limit", "--money", "0.50").status == 0
    set_to = command("host", "limit", "anna", "--calls", "200", "--at-once", "2", "--json").json["limits"]
    assert set_to["calls"] == {"used": 0, "limit": 200} and set_to["money"] == {"used": 0.0, "limit": 0.5}
    assert command("host", "limit", "anna", "--money", "none", "--json").json["limits"]["money"]["limit"] is None
    assert command("host", "status", "anna", "--json").json[0]["limits"]["at_once"]["limit"] == 2
    shown = command("host", "status", "anna").out
    assert "model calls a day\t0\t200" in shown
    command("host", "limit", "anna", "--disk", "1M", "--calls", "0")
    assert command("host", "status").out.splitlines()[0].endswith("\tat its limit of calls and disk")
    wrong = command("host", "limit", "anna", "--calls", "many")
    assert wrong.status == 2 and "a whole number of calls a day, as in 200, or none" in wrong.err
    assert "there is no home 'bob'" in command("host", "limit", "bob").err
    command("host", "remove", "anna", "--yes")
    homes.add(root, "anna", NOW)
    assert command("host", "limit", "anna", "--json").json["limits"]["calls"]["limit"] is None


def test_no_home_can_change_what_is_set_for_the_host(root: Path) -> None:
    homes.add(root, "anna", NOW, "FUROSHIKI_HOST_DAILY_BUDGET_USD=900\n")
    (root / ".host" / ".env").write_text("FUROSHIKI_HOST_DAILY_BUDGET_USD=5\n")
    with inside(root / "anna"):
        assert settings.load().furoshiki_host_daily_budget_usd == 5


def test_two_homes_have_never_the_same_bot(command: Command, root: Path, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("123456:" + "A" * 35)
    assert command("host", "add", "anna", "--token-file", str(token)).status == 0
    token.write_text("123456:" + "B" * 35)  # another token of the same bot
    again = command("host", "add", "ben", "--token-file", str(token))
    assert again.status != 0 and "anna has that bot already" in again.err and not (root / "ben").exists()
    (root / paths.HOST / ".env").write_text("TELEGRAM_BOT_TOKEN=654321:" + "C" * 35 + "\n")
    token.write_text("654321:" + "C" * 35)
    assert "the host has that bot already" in command("host", "add", "ben", "--token-file", str(token)).err
