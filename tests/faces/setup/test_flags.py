"""`furoshiki setup --non-interactive`: every answer a flag, what is not given stays, and JSON says what came of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.messages.store import accounts, outbox
from furoshiki.owner.agenda.store import quiet
from tests.emulators.telegram import TOKEN, TelegramEmulator
from tests.faces.setup.conftest import env
from tests.support.files import contents
from tests.support.shell import Command


def answered(command: Command, *flags: str, status: int = 0) -> dict[str, Any]:
    """The steps of a set-up that asks nobody."""
    ended = command("setup", "--json", *flags)
    assert ended.status == status, ended.err
    found: dict[str, Any] = ended.json
    assert found["ok"] == (status == 0)
    return found["steps"]


@pytest.fixture
def token_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("secrets") / "token"
    path.write_text(f"{TOKEN}\n", encoding="utf-8")
    return str(path)


def test_everything_by_flag(home: Path, command: Command, token_file: str) -> None:
    steps = answered(
        command,
        *("--token-file", token_file, "--owner", "7", "--provider", "none", "--name", "Miso", "--language", "German"),
        *("--zone", "new york", "--quiet", "22-7", "--budget", "0.5"),
    )
    assert steps["telegram"]["words"] == "Connected to @furoshiki_test_bot."
    assert {name: step["state"] for name, step in steps.items() if name in ("telegram", "pairing", "model")} == {
        "telegram": "done",
        "pairing": "done",
        "model": "done",
    }
    assert env(home) == {
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "TELEGRAM_OWNER_ID": "7",
        "FUROSHIKI_COMPANION_NAME": "Miso",
        "FUROSHIKI_LANGUAGE": "de",
        "FUROSHIKI_TIMEZONE": "America/New_York",
        "FUROSHIKI_HARD_BUDGET_USD": "0.5",
    }
    with Database(home / "memory" / "longmemory.sqlite").read() as db:
        hours = quiet.hours(db)
        assert hours is not None and f"{hours[0]:%H:%M} {hours[1]:%H:%M}" == "22:00 07:00"


def test_without_flags_nothing_is_asked_and_nothing_changes(home: Path, command: Command) -> None:
    steps = answered(command)
    assert (steps["telegram"]["state"], steps["pairing"]["state"], steps["model"]["state"]) == ("left out",) * 3
    assert env(home) == {}
    assert command("setup", "--non-interactive").status == 0


def test_what_was_set_stays_until_a_flag_changes_or_resets_it(home: Path, command: Command, token_file: str) -> None:
    answered(command, "--token-file", token_file, "--name", "Miso", "--zone", "Europe/Paris", "--quiet", "none")
    steps = answered(command, "--name", "Momo")
    assert steps["telegram"]["state"] == "kept" and steps["companion"]["name"] == "Momo"
    assert env(home)["FUROSHIKI_TIMEZONE"] == "Europe/Paris" and steps["companion"]["quiet"] == "none"
    steps = answered(command, *(f"--reset={one}" for one in ("telegram", "name", "zone", "quiet", "budget")))
    assert steps["telegram"]["state"] == "left out"
    assert env(home) == {} and steps["companion"]["name"] == "Furo" and steps["companion"]["quiet"] == "23:00-08:00"


def test_without_an_id_there_is_a_link_that_pairs(home: Path, command: Command, token_file: str) -> None:
    found = answered(command, "--token-file", token_file)["pairing"]
    assert found["link"] == f"https://t.me/furoshiki_test_bot?start={found['code']}" and found["minutes"] == 10
    with Database(home / "memory" / "longmemory.sqlite").write() as db:
        assert accounts.redeem_code(db, found["code"], "7", datetime.now(UTC)) == "owner"
        assert accounts.redeem_code(db, found["code"], "8", datetime.now(UTC)) is None


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--zone", "Europe/Lisboa"), "did you mean Europe/Lisbon?"),
        (("--budget", "much"), "isn't an amount"),
        (("--owner", "@me"), "isn't a Telegram ID"),
        (("--provider", "anthropic"), "--key-file"),
        (("--provider", "compatible", "--base-url", "http://x/v1"), "needs --model"),
        (("--provider", "ollama"), "no Ollama with a model is answering"),
        (("--model", "qwen"), "name the model's provider"),
        (("--provider", "gguf", "--model", "x.bin"), "must end in .gguf"),
        (("--provider", "claude"), "“claude” isn't an option"),
        (("--token", "x", "--token-file", "y"), "not allowed with"),
        (("--token-file", "/dev/null"), "it's empty"),
    ],
)
def test_a_flag_that_means_nothing_is_refused_in_words(
    home: Path, command: Command, token_file: str, flags: tuple[str, ...], said: str
) -> None:
    given = () if "--token" in " ".join(flags) else ("--token-file", token_file)
    ended = command("setup", "--json", *given, *flags)
    assert ended.status == 2 and said in ended.err, ended.err
    assert "Traceback" not in ended.err


def test_a_token_that_telegram_refuses_is_not_kept(home: Path, command: Command) -> None:
    ended = command("setup", "--json", "--token", "123456:AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
    assert ended.status == 1 and ended.json["steps"]["telegram"]["state"] == "failed"
    assert "list processes" in ended.err and env(home) == {}


def test_without_a_network_it_goes_on(
    home: Path, command: Command, telegram: TelegramEmulator, token_file: str
) -> None:
    telegram.offline()
    steps = answered(command, "--token-file", token_file, "--name", "Miso")
    assert "can't be reached" in steps["telegram"]["words"] and env(home)["TELEGRAM_BOT_TOKEN"] == TOKEN
    assert env(home)["FUROSHIKI_COMPANION_NAME"] == "Miso"


def test_a_second_program_that_takes_the_messages_is_named(
    home: Path, command: Command, telegram: TelegramEmulator, token_file: str
) -> None:
    telegram.faults.conflict(n=None)
    steps = answered(command, "--token-file", token_file, status=1)
    assert "another program" in steps["telegram"]["words"] and "/revoke" in steps["telegram"]["fix"]


def test_a_webhook_is_named_and_taken_away_on_request(
    home: Path, command: Command, telegram: TelegramEmulator, token_file: str
) -> None:
    telegram.state.webhook = "https://example.org/hook"
    steps = answered(command, "--token-file", token_file, status=1)
    assert "webhook" in steps["telegram"]["words"] and "--delete-webhook" in steps["telegram"]["fix"]
    steps = answered(command, "--token-file", token_file, "--delete-webhook")
    assert steps["telegram"]["words"] == "Connected to @furoshiki_test_bot." and telegram.state.webhook == ""


def test_a_setting_of_the_environment_is_left_to_it(
    home: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUROSHIKI_COMPANION_NAME", "Fixed")
    steps = answered(command, "--name", "Miso")
    assert "change it there" in steps["companion"]["fix"] and env(home) == {}


def test_hello_is_said_once(home: Path, command: Command, token_file: str, paired: Database) -> None:
    for _again in range(2):
        answered(command, "--token-file", token_file, "--name", "Miso")
    with paired.read() as db:
        [hello] = outbox.read_waiting(db, "telegram")
    assert hello.text.startswith("Hallo, Robin! Ich bin Miso."), "in the language their Telegram is set to"
    assert hello.policy == "unprompted"
    assert hello.text.count("•") == 3
    why = command("why", "outreach", "--json").json["decisions"]
    assert [(one["kind"], one["reason"]) for one in why] == [("greeting", "setup was finished, and you were at it")]


def test_an_owner_by_id_takes_the_place_of_the_one_before(
    home: Path, command: Command, token_file: str, paired: Database
) -> None:
    answered(command, "--token-file", token_file, "--owner", "8")
    with paired.read() as db:
        assert accounts.everyone(db) == []
    assert env(home)["TELEGRAM_OWNER_ID"] == "8"


def test_no_secret_is_left_anywhere_but_in_env(home: Path, command: Command, token_file: str) -> None:
    ended = command("setup", "--json", "--token-file", token_file, "--provider", "none")
    secret = TOKEN.partition(":")[2]
    assert secret not in ended.out + ended.err
    holding = [path.name for path, held in contents(home) if secret.encode() in held]
    assert holding == [".env"]
