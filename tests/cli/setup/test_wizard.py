"""The wizard with somebody who answers: line by line through a pipe, in this process."""

from __future__ import annotations

from pathlib import Path

from furoshiki.cli.setup import main, pairing
from furoshiki.core.database.connection import Database
from tests.cli.setup.conftest import Typing, env
from tests.emulators.telegram import TOKEN, TelegramEmulator
from tests.support.files import contents

NOTHING = ""
SECRET = TOKEN.partition(":")[2]
COMPANION = ("Miso", "tr", "Europe/Paris", "22-7", "2")


def test_bad_answers_are_told_why_and_asked_again(home: Path, typing: Typing, paired: Database) -> None:
    shown = typing(
        "hello", "1234567:AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", TOKEN, "k", "9", "none", "", "xx", "de"
    ).out
    assert "no bot token" in shown and "does not know this token" in shown and "Connected to @furo" in shown
    assert "type a number from 1 to 6" in shown and "built-in mind" in shown
    assert "among the languages it reads" in shown


def test_a_secret_is_shown_as_dots_alone(home: Path, typing: Typing, paired: Database) -> None:
    ended = typing(TOKEN)
    assert SECRET not in ended.out + ended.err and "••••" in ended.out
    assert [path.name for path, held in contents(home) if SECRET.encode() in held] == [".env"]


def test_what_ends_too_early_goes_on_where_it_was(home: Path, typing: Typing, paired: Database) -> None:
    first = typing(TOKEN, "keep", "none", "Miso", "tr")
    assert first.status == 1 and main.BROKEN_OFF in first.out
    assert env(home) == {
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "FUROSHIKI_COMPANION_NAME": "Miso",
        "FUROSHIKI_LANGUAGE": "tr",
    }
    again = typing("none", "Europe/Paris", "22-7", "2", "n")
    assert main.GOES_ON in again.out and "Its name" in again.out and "[k]eep" not in again.out
    assert env(home)["FUROSHIKI_TIMEZONE"] == "Europe/Paris" and env(home)["FUROSHIKI_HARD_BUDGET_USD"] == "2"
    assert not (home / "run" / "setup.json").exists()


def test_each_answer_is_kept_changed_or_reset(home: Path, typing: Typing, paired: Database) -> None:
    typing(TOKEN, "keep", "none", *COMPANION, "n")
    before = env(home)
    kept = typing("", "", "none", "", "", "", "", "", "n")
    assert kept.out.count("[k]eep, [c]hange or [r]eset") == 7 and env(home) == before
    typing("k", "k", "none", "c", "Momo", "r", "k", "k", "r", "n")
    assert env(home) == {"TELEGRAM_BOT_TOKEN": TOKEN, "FUROSHIKI_COMPANION_NAME": "Momo"} | {
        "FUROSHIKI_TIMEZONE": "Europe/Paris"
    }


def test_telegram_may_be_left_out(home: Path, typing: Typing) -> None:
    ended = typing(NOTHING, "none", "", "", "", "", "", "n")
    assert "No Telegram for now" in ended.out and "TELEGRAM_BOT_TOKEN" not in env(home)
    assert env(home)["FUROSHIKI_TIMEZONE"] == "Europe/Lisbon", "what the machine says, confirmed"


def test_a_webhook_is_taken_away_when_that_is_wanted(
    home: Path, typing: Typing, telegram: TelegramEmulator, paired: Database
) -> None:
    telegram.state.webhook = "https://example.org/hook"
    shown = typing(TOKEN, "y").out
    assert "a webhook is set" in shown and "The webhook is gone" in shown and telegram.state.webhook == ""


def test_without_a_network_the_rest_goes_on(home: Path, typing: Typing, telegram: TelegramEmulator) -> None:
    telegram.offline()
    shown = typing(TOKEN, "none").out
    assert "cannot be reached" in shown and pairing.NO_NETWORK in shown and "Its name" in shown
