"""`furoshiki backup` and `restore`, as they are typed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.paths import read_env_file
from furoshiki.maintenance import encryption
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from tests.support.shell import Command

NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)
RECIPIENTS = "FUROSHIKI_BACKUP_RECIPIENTS"


def test_a_key_is_shown_once_and_only_its_recipient_is_kept(command: Command, data: Path) -> None:
    made = command("backup", "key", "--yes", "--json").json
    assert made["secret"].startswith("AGE-SECRET-KEY-1") and made["written"]
    assert read_env_file(data / ".env") == {RECIPIENTS: made["recipient"]}
    kept = "".join(path.read_text(errors="replace") for path in data.rglob("*") if path.is_file())
    assert made["secret"] not in kept
    again = command("backup", "key", "--yes")
    assert again.status == 0 and "shown once" in again.out
    assert len(read_env_file(data / ".env")[RECIPIENTS].split(",")) == 2


def test_a_key_is_not_written_where_it_would_not_hold(
    command: Command, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("backup", "key").status == 2
    monkeypatch.setenv(RECIPIENTS, encryption.new_key()[1])
    refused = command("backup", "key", "--yes")
    assert refused.status == 1 and "set by the environment" in refused.err and not (data / ".env").exists()


def test_what_makes_no_sense_together_is_said(command: Command) -> None:
    for wrong in (
        ("--list", "--encrypt"),
        ("--verify", "--to", "/tmp"),
        ("key", "--keep", "3"),
        ("--with-secrets",),
        ("--identity", "key.txt"),
        ("--list", "--verify"),
        ("keys",),
    ):
        assert command("backup", *wrong).status == 2, wrong
    assert command("backup", "--encrypt").status == 3
    assert "There is no backup yet" in command("backup", "--list").out
    assert command("backup", "--verify").status == 1
    assert command("backup", "--verify", "nothing.tar.gz").status == 1


def test_an_encrypted_backup_from_the_first_to_the_last(
    command: Command, data: Path, database: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (data / "key.txt").write_text(command("backup", "key", "--yes", "--json").json["secret"])
    disk = tmp_path_factory.mktemp("disk")
    made = command("backup", "--encrypt", "--to", str(disk), "--json").json
    assert made["encrypted"] and Path(made["copy"]).parent == disk
    [one] = command("backup", "--list", "--json").json
    assert one["encrypted"] and one["verified"]["ok"] and one["file"] == made["file"]
    assert "encrypted" in command("backup", "--list").out
    assert "to the byte what was verified" in command("backup", "--verify").out
    opened = command("backup", "--verify", made["copy"], "--identity", str(data / "key.txt"), "--json").json
    assert opened["opened"] and opened["fault"] is None
    database.close()
    assert "--identity" in command("restore", made["file"], "--yes").err
    done = command("restore", made["file"], "--yes", "--identity", str(data / "key.txt"), "--json").json
    assert done["holds"]["turns"] == 0 and done["next"] == "Next: start it with `furoshiki up`."
    Path(made["copy"]).write_bytes(Path(made["copy"]).read_bytes()[:-9])
    wrong = command("backup", "--verify", made["copy"])
    assert wrong.status == 1 and "changed or damaged" in wrong.out


@pytest.mark.slow
def test_backups_that_hold_what_was_forgotten_can_go_at_once(command: Command, data: Path, database: Database) -> None:
    with database.write() as db:
        for text in ("the river was high on our walk", "my sister Zephyrine sings in a choir"):
            turns.add(db, NewTurn("s", "console", "me", USER, text, NOW))
    (data / "backups" / "replaced-20260101T000000Z" / "memory").mkdir(parents=True)
    of_plugin = data / "backups" / "plugins" / "dice" / "20990101T000000-000" / "files" / "data"
    of_plugin.mkdir(parents=True)
    first = Path(command("backup", "--json").json["file"])
    older = first.rename(first.with_name("furoshiki-20260101T010000Z.tar.gz"))
    assert "memory forget --backups" in command("memory", "forget", "Zephyrine", "--dry-run").out + (
        command("memory", "forget", "river", "--yes").out
    )
    kept = of_plugin.relative_to(data / "backups").as_posix()
    assert command("memory", "forget", "Zephyrine", "--dry-run", "--json").json["plugin_data"] == [kept]
    done = command("memory", "forget", "Zephyrine", "--yes", "--backups", "--json").json
    assert done["backups_removed"] == [older.name, kept, "replaced-20260101T000000Z"]
    assert of_plugin.parent.is_dir() and not of_plugin.exists()
    [one] = command("backup", "--list", "--json").json
    assert one["verified"]["ok"] and one["verified"]["turns"] == 0
    assert command("memory", "forget", "--backups").status == 2
    assert command("memory", "forget", "--backups", "--dry-run").status == 2


@pytest.mark.slow
def test_restore_says_what_stayed_forgotten(command: Command, database: Database) -> None:
    with database.write() as db:
        turns.add(db, NewTurn("s", "console", "me", USER, "my sister Zephyrine sings in a choir", NOW))
    made = command("backup", "--json").json["file"]
    command("memory", "forget", "Zephyrine", "--yes")
    database.close()
    done = command("restore", made, "--yes")
    assert "Stayed forgotten: 1 message" in done.out and done.status == 0
    assert command("memory", "stats", "--json").json["turns"] == 0


@pytest.mark.slow
def test_who_moves_to_another_machine_is_told_what_is_missing_there(
    command: Command, data: Path, database: Database
) -> None:
    with database.write() as db:
        db.execute(
            "INSERT INTO accounts (channel, external_id, role, name, chat_id, paired_at) "
            "VALUES ('telegram', '42', 'owner', 'Noor', '42', '2026-01-01T00:00:00.000000+00:00')"
        )
    (data / "key.txt").write_text(command("backup", "key", "--yes", "--json").json["secret"])
    with (data / ".env").open("a") as file:
        file.write("TELEGRAM_BOT_TOKEN=1:abc\n")
    made = command("backup", "--encrypt", "--with-secrets", "--json").json["file"]
    database.close()
    (data / ".env").unlink()
    key = ("--identity", str(data / "key.txt"), "--yes")
    without = command("restore", made, *key)
    assert "--with-secrets puts them in place" in without.out and "one token serves one machine" in without.out
    assert "Tokens and keys in this backup set: FUROSHIKI_BACKUP_RECIPIENTS, TELEGRAM_BOT_TOKEN" in without.err
    assert "1:abc" not in without.out + without.err
    done = command("restore", made, *key, "--with-secrets")
    assert "and the tokens and keys" in done.out and "Next: start it" in done.out
    assert read_env_file(data / ".env")["TELEGRAM_BOT_TOKEN"] == "1:abc"


def test_export_and_import_stand_at_the_top_as_well(command: Command, data: Path, database: Database) -> None:
    with database.write() as db:
        turns.add(db, NewTurn("s", "console", "me", USER, "the river was high", NOW))
    (data / ".env").write_text("TELEGRAM_BOT_TOKEN=1:secret\n")
    done = command("export", str(data / "all.jsonl"), "--json").json
    assert done["tables_left_out"]["turn_tokens"] and done["records"] > 1
    text = (data / "all.jsonl").read_text()
    assert "the river was high" in text and "1:secret" not in text and '"TELEGRAM_BOT_TOKEN"' in text
    again = command("import", str(data / "all.jsonl"), "--no-wait", "--json").json
    assert again["known"] == 1 and again["bad_count"] == 0
    assert command("memory", "export", str(data / "two.jsonl"), "--json").json["records"] == done["records"]
