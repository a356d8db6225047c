"""Commands that look and tell: their JSON, their exit status, their one line when something is wrong."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import accounts, turn_journal, turns
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.mind.outreach.store import decisions, kinds
from furoshiki.mind.outreach.store.decisions import NewDecision
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import CallRecord, Usage
from furoshiki.owner.agenda.store import mind_queue
from tests.support.shell import Command

NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


def test_the_version_is_that_of_the_checkout(command: Command) -> None:
    ended = command("--version")
    assert ended.status == 0 and ended.out.startswith("furoshiki 0.")


def test_status_on_a_fresh_data_directory_is_healthy(command: Command) -> None:
    ended = command("status", "--json")
    assert ended.status == 0 and ended.json["health"]["ok"] is True
    assert command("status").out.startswith("**Furo**")


def test_status_of_a_damaged_database_is_unhealthy_and_still_json(command: Command, data: Path) -> None:
    (data / "memory" / "longmemory.sqlite").write_bytes(b"this is no database at all, not even a header" * 100)
    ended = command("status", "--json")
    assert ended.status == 4
    assert ended.json["health"]["ok"] is False and ended.json["mood"] is None
    plain = command("status")
    assert plain.status == 4 and plain.err.count("\n") == 1 and "Traceback" not in plain.err


def test_a_wrong_setting_is_one_line_with_its_nearest_match(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUROSHIKI_TIMEZNE", "Europe/Lisbon")
    ended = command("status")
    assert ended.status == 3
    assert "did you mean FUROSHIKI_TIMEZONE?" in ended.err and ended.err.count("\n") == 1


def test_the_traceback_goes_to_the_log_without_secrets(
    command: Command, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = "123456789:AAcanaryCANARYcanaryCANARYcanaryCANA"

    def broken(_args: object) -> int:
        raise ZeroDivisionError(f"with {token}")

    monkeypatch.setattr("furoshiki.faces.cli.look.status.run", broken)
    ended = command("status")
    assert ended.status == 1
    assert "a bug in the program, not your fault (ZeroDivisionError)" in ended.err and "Traceback" not in ended.err
    log = (data / "logs" / "furoshiki.log").read_text()
    assert "Traceback" in log and "canary" not in log


def test_cost_is_grouped_as_asked(command: Command, database: Database, data: Path) -> None:
    now = datetime.now(UTC)
    with database.write() as db:
        for purpose, usd in (("turn", 0.2), ("turn", 0.1), ("post_conversation", 0.05)):
            call = CallRecord("chat", "anthropic", "claude", purpose, Usage(1000, 500, 0, 10), usd, 1.0)
            costs.add(db, call, now)
        costs.add(
            db, CallRecord("chat", "openai", "gpt", "turn", Usage(10, 0, 0, 1), 0.01, 1.0), now - timedelta(days=3)
        )
    found = command("cost", "--by", "purpose", "--json").json
    assert found["today_usd"] == 0.35 and found["total_usd"] == 0.36
    assert [(row["purpose"], row["calls"]) for row in found["rows"]] == [("turn", 3), ("post_conversation", 1)]
    days = command("cost", "--json").json["rows"]
    assert [row["usd"] for row in days] == [0.01, 0.35], "days in order"
    assert command("cost", "--days", "1", "--json").json["total_usd"] == 0.35
    assert "$0.35" in command("cost").out
    assert "$0.36" in command("cost", "--plot", str(data / "cost.svg")).out
    drawn = (data / "cost.svg").read_text(encoding="utf-8")
    assert "<title>spent 0.35</title>" in drawn and drawn.count("<title>spent ") == 30


def test_config_shows_where_a_value_comes_from_and_no_secret(command: Command, data: Path) -> None:
    (data / ".env").write_text("ANTHROPIC_API_KEY=sk-ant-canary\nFUROSHIKI_COMPANION_NAME=Kit\n")
    found = command("config", "show", "--json").json
    assert found["FUROSHIKI_COMPANION_NAME"]["value"] == "Kit"
    assert found["FUROSHIKI_COMPANION_NAME"]["source"] == ".env of the data directory"
    assert "canary" not in json.dumps(found) and found["ANTHROPIC_API_KEY"]["value"] is not None
    assert "canary" not in command("config", "show").out


def test_a_password_in_an_address_is_shown_nowhere(command: Command, data: Path) -> None:
    (data / ".env").write_text("OPENAI_BASE_URL=http://noor:canary-pw@localhost:9/v1\nFUROSHIKI_MODEL_CHAT=openai:m\n")
    assert "http://••••••@localhost:9/v1" in command("config", "show").out
    for args in (("config", "show", "--json"), ("config", "check"), ("status",), ("status", "--json"), ("cost",)):
        ended = command(*args)
        assert "canary" not in ended.out + ended.err


def test_config_check_says_what_cannot_be_used(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert command("config", "check", "--json").json == {"ok": True, "notes": [], "passed_over": []}
    monkeypatch.setenv("FUROSHIKI_MODEL_CHAT", "anthropic:claude-sonnet-5-5")
    ended = command("config", "check", "--json")
    assert ended.status == 1 and "ANTHROPIC_API_KEY is not set" in ended.json["notes"][0]


def test_why_names_the_evidence_of_the_last_answer(command: Command, database: Database) -> None:
    assert command("why", "--last", "--json").json is None
    with database.write() as db:
        old = turns.add(db, NewTurn("s", "console", "console", USER, "I like tea", NOW))
        turns.add(db, NewTurn("s", "console", "console", COMPANION, "You like tea.", NOW, turn_key="inbox:1"))
        turn_journal.write(db, "inbox:1", [1], {"provider": "local", "model": "reflex"}, [f"turn:{old}"], NOW)
        turn_journal.mark_committed(db, "inbox:1", NOW)
    found = command("why", "--last", "--json").json
    assert found["answer"] == "You like tea." and found["model"] == "local:reflex"
    assert found["evidence"][0]["text"] == "I like tea"


def test_a_memory_is_listed_shown_and_explained(command: Command, database: Database) -> None:
    with database.write() as db:
        turn = turns.add(db, NewTurn("s", "console", "console", USER, "call me Noor", NOW))
        memories.add(db, NewMemory("semantic", "They want to be called Noor.", (turn,)), NOW)
    [listed] = command("memory", "list", "--json").json
    assert listed["text"] == "They want to be called Noor." and listed["turn_ids"] == [turn]
    why = command("memory", "why", listed["id"], "--json").json
    assert why["turns"][0]["text"] == "call me Noor"
    assert "“call me Noor”" in command("memory", "show", listed["id"]).out
    gone = command("memory", "why", "memory:99")
    assert gone.status == 1 and "memory:99" in gone.err


def test_memory_counts_what_waits_for_the_index(command: Command, database: Database) -> None:
    with database.write() as db:
        turns.add(db, NewTurn("s", "console", "console", USER, "I like tea", NOW))
    found = command("memory", "stats", "--json").json
    assert found["turns"] == 1 and found["pending"] == 1


@pytest.mark.parametrize(
    "typed", [["search"], ["search", "tea", "--batch", "-"], ["search", "tea", "--now", "teatime"]]
)
def test_a_search_that_makes_no_sense_is_status_2(typed: list[str], command: Command) -> None:
    assert command("memory", *typed).status == 2


def test_pairing_offers_a_code_and_turns_people_away(
    command: Command, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("pair").status == 3, "there is no bot yet"
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "123456:abc")
    monkeypatch.setenv("TELEGRAM_API_URL", "http://127.0.0.1:9")
    offered = command("pair", "--json").json
    assert len(offered["code"]) == 6 and offered["link"] is None
    now = datetime.now(UTC)
    with database.write() as db:
        assert accounts.redeem_code(db, offered["code"], "42", now) == "owner"
        accounts.pair(db, "telegram", "7", "7", "owner", now, "Noor")
    assert [person["name"] for person in command("pair", "--list", "--json").json] == ["Noor"]
    another = command("pair", "--json").json["code"]
    with database.write() as db:
        assert accounts.redeem_code(db, another, "42", now) == "member"
    assert command("pair", "--remove", "8").status == 1
    assert command("pair", "--remove", "7").status == 0
    assert command("pair", "--list", "--json").json == []


def test_with_an_owner_in_the_settings_a_code_is_for_another_person(
    command: Command, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the owner's first message the code made a second owner, who was shown everything of the first."""
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "123456:abc")
    monkeypatch.setenv("TELEGRAM_API_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("TELEGRAM_OWNER_ID", "7")
    offered = command("pair", "--json").json
    assert offered["role"] == "member"
    with database.write() as db:
        assert accounts.redeem_code(db, offered["code"], "42", datetime.now(UTC)) == "member"
    assert "will see nothing of yours" in command("pair").out


def test_schedules_name_every_job(command: Command) -> None:
    found = command("schedules", "--json").json
    assert {"soul_engine", "outreach_pulse"} <= {job["name"] for job in found}
    assert all(job["last_at"] is None and job["next_at"] for job in found)
    shown = command("schedules")
    assert "Feelings drift" in shown.out
    assert "Reading over what was said\tevery 20 minutes" in shown.out and "_" not in shown.out, "no inside names"
    backup = next(line.split("\t") for line in shown.out.splitlines() if line.startswith("Backup\t"))
    assert backup[1] == "every day at 01:00" and " at 01:" in backup[2]
    assert "The brain is not running" in shown.err


def test_a_wrong_schedule_is_status_3_and_names_the_line(command: Command, data: Path) -> None:
    (data / "memory" / "schedules.json").write_text('[{"name": "soul_engine", "when": "whenever"}]')
    ended = command("schedules")
    assert ended.status == 3 and "schedules.json" in ended.err


def test_a_script_runs_as_of_another_moment(command: Command) -> None:
    ended = command("run", "soul_engine", "--now", "2026-03-24T15:00:00+00:00", "--json")
    assert ended.status == 0 and ended.json["script"] == "soul_engine" and ended.json["did"] is True
    assert command("status", "--json").json["last_tick_at"].startswith("2026-03-24T15:00")
    assert "would run" in command("run", "soul_engine.py", "--dry-run").out
    wrong = command("run", "soulengine")
    assert wrong.status == 2 and "soul_engine" in wrong.err


def test_migrating_twice_does_nothing_the_second_time(command: Command) -> None:
    assert command("migrate", "--json").json["changed"] is False


@pytest.mark.slow
def test_a_backup_can_be_restored(command: Command, database: Database, data: Path) -> None:
    with database.write() as db:
        turns.add(db, NewTurn("s", "console", "console", USER, "before the backup", NOW))
    made = command("backup", "--json")
    assert made.status == 0
    with database.write() as db:
        turns.add(db, NewTurn("s", "console", "console", USER, "after the backup", NOW))
    database.close()
    unasked = command("restore", made.json["file"])
    assert unasked.status == 2 and "--yes" in unasked.err
    done = command("restore", made.json["file"], "--yes", "--json")
    assert done.json["holds"]["turns"] == 1 and Path(done.json["replaced"]).is_dir()
    assert command("memory", "stats", "--json").json["turns"] == 1
    assert command("restore", str(data / "nothing.tar.gz")).status == 1


@pytest.mark.slow
def test_a_backup_with_another_owner_is_not_restored_by_the_way(command: Command, database: Database) -> None:
    """--yes answers the question whether to replace, not whether a stranger shall be obeyed."""
    account = (
        "INSERT INTO accounts (channel, external_id, role, name, chat_id, paired_at) VALUES (?, ?, 'owner', ?, '1', ?)"
    )
    with database.write() as db:
        db.execute(account, ("telegram", "666", "Mallory", "2026-01-01T00:00:00.000000+00:00"))
    made = command("backup", "--json").json["file"]
    with database.write() as db:
        db.execute("UPDATE accounts SET external_id='42', name='Noor'")
    database.close()
    refused = command("restore", made, "--yes")
    assert refused.status == 2 and "Mallory (telegram 666)" in refused.err and "--new-owner" in refused.err
    done = command("restore", made, "--yes", "--new-owner")
    assert done.status == 0 and "NOT an owner here until now: Mallory (telegram 666)" in done.err


def test_why_shows_what_waits_and_how_it_decided(command: Command, database: Database) -> None:
    assert "Nothing is waiting" in command("why", "not").out
    assert command("why", "not", "--json").json == {"quiet_until": None, "quiet_why": None, "waiting": [], "let_go": []}
    assert "Nothing has been decided" in command("why", "outreach").out
    now = datetime.now(UTC)
    with database.write() as db:
        item = mind_queue.add(db, "question", "How was the interview?", "q:1", now, priority=3)
        seen = {"gate": "recent", "passed": False, "value": "5 min", "limit": "20 min", "until": None}
        new = NewDecision("question", 3, "held", "5 min beside 20 min", item_id=item, gate="recent", gates=(seen,))
        for _ in range(3):
            decisions.record(db, new, now)
        kinds.learn(db, "question", "ignored", 0.9, now)
    held, learned = command("why", "outreach").out.split("\n\n")
    assert "question\theld, 3 times\tHow was the interview?\tyou wrote 5 minutes ago (20 minutes needed)" in held
    assert "question\t0.9\t0\t0\t1\t0\twaits 1.1 times as long" in learned
    found = command("why", "outreach", "--limit", "5", "--json").json
    assert found["decisions"][0]["about"] == "How was the interview?" and found["decisions"][0]["passes"] == 3
    assert found["kinds"]["question"]["means"] == "waits 1.1 times as long"
    assert [one["about"] for one in command("why", "not", "--json").json["waiting"]] == ["How was the interview?"]


def test_settings_are_shown_by_what_they_are_about_with_what_they_are_for(command: Command) -> None:
    command("config", "set", "FUROSHIKI_BUBBLES", "true")
    shown = command("config", "show").out
    heads = [line for line in shown.splitlines() if line.startswith("**")]
    assert len(heads) > 3 and any("Models and costs" in head for head in heads)
    [bubbles] = [line for line in shown.splitlines() if line.startswith("FUROSHIKI_BUBBLES")]
    assert bubbles.split("\t")[1] == "true" and len(bubbles.split("\t")[3]) > 10
    assert "MISTRAL_API_KEY" not in shown


def test_what_memory_counts_has_no_names_of_tables(command: Command) -> None:
    shown = command("memory").out
    assert "sqlite" not in shown and "outbox" not in shown and "consolidation" not in shown
    assert "outbox" in command("memory", "stats", "--disk").out
