"""The wizard with somebody who answers: line by line through a pipe, in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.faces.setup import main, pairing
from furoshiki.messages.store import accounts
from tests.emulators.telegram import TOKEN, TelegramEmulator
from tests.faces.setup.conftest import Typing, env
from tests.support.files import contents
from tests.support.world import START

NOTHING = ""
SECRET = TOKEN.partition(":")[2]
COMPANION = ("Miso", "en", "Europe/Paris", "22-7", "2")


def test_bad_answers_are_told_why_and_asked_again(home: Path, typing: Typing, paired: Database) -> None:
    shown = typing(
        "hello", "1234567:AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", TOKEN, "k", "99", "none", "", "xx", "de"
    ).out
    assert "isn't a bot token" in shown and "does not know this token" in shown and "Connected to @furo" in shown
    assert "type a number from 1 to 11" in shown and "built-in mind" in shown
    assert "isn't one of the languages it reads" in shown


def test_it_speaks_as_the_locale_does_and_from_then_on_as_it_is_told(
    home: Path, typing: Typing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    shown = typing(NOTHING, "none", "Miso", "土语", "德文", "", "keine", "viel", "0", "nein").out
    assert "这里设置你的伙伴" in shown and "你用什么语言写 [zh]" in shown and "“土语”不在我能读的语言里" in shown
    assert "„viel“ ist kein Betrag" in shown and "Ruhezeit keine" in shown and "Was noch zu tun ist:" in shown
    assert env(home)["FUROSHIKI_LANGUAGE"] == "de"
    again = typing(NOTHING, "none", "b", "b", "b", "b", "b").out
    assert "[b]ehalten, [ä]ndern oder [z]urücksetzen [behalten]" in again and "Ruhezeit" in again


def test_a_secret_is_shown_as_dots_alone(home: Path, typing: Typing, paired: Database) -> None:
    ended = typing(TOKEN)
    assert SECRET not in ended.out + ended.err and "••••" in ended.out
    assert [path.name for path, held in contents(home) if SECRET.encode() in held] == [".env"]


def test_what_ends_too_early_goes_on_where_it_was(home: Path, typing: Typing, paired: Database) -> None:
    first = typing(TOKEN, "keep", "none", "Miso", "en")
    assert first.status == 1 and main.BROKEN_OFF in first.out
    assert env(home) == {
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "FUROSHIKI_COMPANION_NAME": "Miso",
        "FUROSHIKI_LANGUAGE": "en",
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


def test_every_question_goes_back_to_the_one_before_and_answers_are_kept(
    home: Path, typing: Typing, paired: Database
) -> None:
    name_again = ("Miso", "en", "<", "c", "de", "<", "b", "Europe/Paris")
    shown = typing(TOKEN, "<", "k", "k", "none", "<", "none", *name_again, "22-7", "2", "n").out
    assert shown.count("1/6  ") == 2 and shown.count("3/6  ") == 2 and "just Enter skips Telegram): " in shown
    assert "Its name [Furo] (< goes back): " in shown and "(< zurück): <" in shown
    held = env(home)
    assert held["TELEGRAM_BOT_TOKEN"] == TOKEN and held["FUROSHIKI_LANGUAGE"] == "de"
    assert held["FUROSHIKI_COMPANION_NAME"] == "Miso" and held["FUROSHIKI_TIMEZONE"] == "Europe/Paris"


def test_from_the_first_question_of_a_step_one_goes_back_to_the_step_before(
    home: Path, typing: Typing, paired: Database
) -> None:
    typing(TOKEN, "k", "none", "Miso")
    again = typing(TOKEN, "none", "<", "<", "k", "k", "none", "k", "fr", flags=("--reset", "telegram")).out
    assert again.count("1/6  ") == 2 and again.count("2/6  ") == 2 and again.count("3/6  ") == 3
    assert env(home)["TELEGRAM_BOT_TOKEN"] == TOKEN, "what was reset is reset once"
    assert env(home)["FUROSHIKI_LANGUAGE"] == "fr"


def test_telegram_may_be_left_out(home: Path, typing: Typing) -> None:
    ended = typing(NOTHING, "none", "", "", "", "", "", "n")
    assert "No Telegram for now" in ended.out and "TELEGRAM_BOT_TOKEN" not in env(home)
    assert env(home)["FUROSHIKI_TIMEZONE"] == "Europe/Lisbon", "what the machine says, confirmed"


def test_a_member_becomes_the_owner_after_a_clear_question(home: Path, typing: Typing, paired: Database) -> None:
    with paired.write() as db:
        accounts.pair(db, "telegram", "77", "77", "member", START, "Anika")
    asked = "Robin would lose access.\n  Anika will then be able to read, change and delete everything"
    nobody = typing(TOKEN, "c", "77", "n")
    assert asked in nobody.out and "TELEGRAM_OWNER_ID" not in env(home)
    shown = typing("c", "2", "y", "none").out
    assert "Anika is the owner now." in shown and "Robin no longer has" in shown and "is kept separately" in shown
    with paired.read() as db:
        assert [(one.external_id, one.role) for one in accounts.everyone(db)] == [("77", "owner")]
    assert env(home)["TELEGRAM_OWNER_ID"] == "77"


def test_lines_that_are_no_settings_are_set_aside_or_corrected_and_nothing_is_lost(
    home: Path, typing: Typing, paired: Database
) -> None:
    lines = ["# mine", f"TELEGRAM_BOT_TOKEN={TOKEN}", "hello there", "FUROSHIKI_LANGUAG=de", "FUROSHIKI_SEED=often"]
    (home / ".env").write_text("\n".join(lines))
    refused = typing(flags=("--non-interactive",))
    assert refused.status == 3 and "line 3" in refused.err
    answers = ("aside", "correct", "FUROSHIKI_LANGUAG=tr", "FUROSHIKI_LANGUAGE=de", "1", "k", "keep", "none")
    shown = typing(*answers).out
    assert "line 3: hello there" in shown and "line 4: FUROSHIKI_LANGUAG=de" in shown and "did you mean" in shown
    assert "FUROSHIKI_SEED: must be a whole number" in shown and SECRET not in shown and "Sein Name" in shown
    kept = (home / ".env").read_text()
    for aside in ("hello there", "FUROSHIKI_SEED=often"):
        assert f"# set aside by furoshiki setup: {aside}\n" in kept
    assert kept.startswith("# mine\n") and env(home)["FUROSHIKI_LANGUAGE"] == "de"


def test_a_file_of_settings_that_is_no_text_is_moved_beside_itself(home: Path, typing: Typing) -> None:
    (home / ".env").write_bytes(b"\xff\xfeT\x00")
    assert "Move it to" in typing("y", NOTHING, "none").out
    [aside] = home.glob(".env.aside-*")
    assert aside.read_bytes() == b"\xff\xfeT\x00" and (home / ".env").is_file()


def test_a_webhook_is_taken_away_when_that_is_wanted(
    home: Path, typing: Typing, telegram: TelegramEmulator, paired: Database
) -> None:
    telegram.state.webhook = "https://example.org/hook"
    shown = typing(TOKEN, "y").out
    assert "a webhook is set" in shown and "Webhook removed" in shown and telegram.state.webhook == ""


def test_without_a_network_the_rest_goes_on(home: Path, typing: Typing, telegram: TelegramEmulator) -> None:
    telegram.offline()
    shown = typing(TOKEN, "none").out
    assert "can't be reached" in shown and pairing.NO_NETWORK in shown and "Its name" in shown
