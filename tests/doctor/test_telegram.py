"""Telling the owner without the program: what Telegram makes of it, and where the token does not go."""

from __future__ import annotations

import sqlite3
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from doctor_checks import findings, main
from doctor_checks.keys import secrets
from doctor_checks.telling import telegram
from doctor_checks.telling.telegram import Way

from furoshiki.owner.agenda.store import quiet
from tests.doctor.conftest import NOON, MakeLook
from tests.emulators.telegram import TOKEN, TelegramEmulator


@pytest.fixture
def way(telegram_server: TelegramEmulator) -> Way:
    telegram_server.say("hello")
    return Way(telegram_server.url, telegram_server.token, "7")


@pytest.fixture
def telegram_server() -> TelegramEmulator:
    with TelegramEmulator() as server:
        yield server  # type: ignore[misc]


def test_it_arrives(way: Way, telegram_server: TelegramEmulator) -> None:
    result, why, message_id = telegram.send(way, "✗ the disk is full")
    assert (result, why) == ("sent", "")
    assert message_id == telegram_server.chat(7)[-1].id
    assert telegram_server.replies(7) == ["✗ the disk is full"]


def test_what_is_too_long_is_cut(way: Way, telegram_server: TelegramEmulator) -> None:
    assert telegram.send(way, "🧺" * 9000)[0] == "not sent"  # two units each: the emulator is as strict as Telegram
    assert telegram.send(way, "x" * 9000)[0] == "sent"


def test_what_comes_of_it_is_told_without_the_token(way: Way, telegram_server: TelegramEmulator) -> None:
    telegram_server.faults.refuse("sendMessage")
    assert telegram.send(way, "x")[0] in ("not sent", "unknown")
    telegram_server.faults.bad_gateway("sendMessage")
    assert telegram.send(way, "x")[0] == "unknown"
    telegram_server.faults.cut_after("sendMessage")
    assert telegram.send(way, "x")[0] == "unknown"
    telegram_server.faults.too_many("sendMessage")
    assert telegram.send(way, "x")[0] == "not sent"
    for wrong in (
        Way(way.api, "1:" + "x" * 35, "7"),
        Way("http://127.0.0.1:9", way.token, "7"),
        Way("http://[", way.token, "7"),
    ):
        result, why, _ = telegram.send(wrong, "x", 0.5)
        assert result != "sent"
        assert wrong.token not in why


def test_an_address_that_is_looked_up_for_ever_stops_nothing(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    looking = threading.Event()
    sent: list[str] = []
    monkeypatch.setattr(telegram, "_reach", lambda _api, _seconds: looking.wait())
    monkeypatch.setattr(telegram, "_post", lambda _way, text, _seconds: sent.append(text))
    assert telegram.send(way, "x", 0.01)[:2] == ("not sent", "Telegram is not reached: it takes too long")
    looking.set()
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.daemon and "run" in thread.name:
            thread.join()
    assert sent == []


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({}, "TELEGRAM_BOT_TOKEN is not set"),
        ({"TELEGRAM_BOT_TOKEN": "x"}, "is not what @BotFather gives out"),
        ({"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_API_URL": "file:///etc/passwd"}, "is not an address"),
        ({"TELEGRAM_BOT_TOKEN": TOKEN}, "nobody is paired"),
    ],
)
def test_why_nobody_can_be_told(make_look: MakeLook, settings: dict[str, str], why: str) -> None:
    found = telegram.way(make_look(settings=settings))
    assert isinstance(found, str)
    assert why in found


def test_the_owner_is_known_from_the_database_and_remembered_when_it_is_gone(make_look: MakeLook, data: Path) -> None:
    settings = {"TELEGRAM_BOT_TOKEN": TOKEN}
    path = data / "memory" / "longmemory.sqlite"
    with sqlite3.connect(path) as db:
        for role, chat in (("member", "8"), ("owner", "7")):
            row = ("telegram", chat, role, "Robin", chat, "2026-01-01T00:00:00.000000+00:00")
            db.execute(
                "INSERT INTO accounts (channel, external_id, role, name, chat_id, paired_at) VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )
    look = make_look(settings=settings)
    assert telegram.way(look) == Way("https://api.telegram.org", TOKEN, "7")
    look.notebook.save(NOON)
    path.write_bytes(b"damaged")
    assert telegram.way(make_look(settings=settings)) == Way("https://api.telegram.org", TOKEN, "7")


def test_what_systemd_hands_to_the_services_the_doctor_reads_for_itself(make_look: MakeLook, data: Path) -> None:
    folder = data / "credentials"
    folder.mkdir()
    (folder / "telegram_bot_token").write_text(f"{TOKEN}\n")
    (folder / "TELEGRAM_OWNER_ID").write_text("7")
    (folder / "telegram_bot_token").chmod(0o644)
    look = make_look()
    assert telegram.way(look) == Way("https://api.telegram.org", TOKEN, "7")
    assert "mended" in [one.state for one in secrets.check(look)]
    assert (folder / "telegram_bot_token").stat().st_mode & 0o777 == 0o600


def test_without_a_database_the_setting_names_the_owner(make_look: MakeLook, data: Path) -> None:
    (data / "memory" / "longmemory.sqlite").unlink()
    settings = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_OWNER_ID": "7"}
    assert telegram.way(make_look(settings=settings)) == Way("https://api.telegram.org", TOKEN, "7")


def test_while_the_owner_asked_for_quiet_nothing_is_told_and_what_lasts_is_told_after_it(
    make_look: MakeLook, data: Path, way: Way, telegram_server: TelegramEmulator
) -> None:
    path = data / "memory" / "longmemory.sqlite"
    settings = {"TELEGRAM_BOT_TOKEN": way.token, "TELEGRAM_API_URL": way.api, "TELEGRAM_OWNER_ID": way.chat}
    full = findings.wrong("disk", "the disk is full", "make room")
    with sqlite3.connect(path) as db:
        quiet.keep(db, NOON + timedelta(hours=6), NOON)
    told = main.tell(make_look(NOON, settings), [full, findings.wrong("clock", "the clock is odd", "set it")])
    assert told is not None
    assert "asked for quiet until 2026-05-13T18:00" in told
    assert telegram_server.replies(7) == []
    assert main.tell(make_look(NOON + timedelta(hours=7), settings), [full]) is None
    [said] = telegram_server.replies(7)
    assert "the disk is full" in said
    assert "clock" not in said
