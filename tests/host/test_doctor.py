"""The doctor of a host: each home is looked at for itself, its owner hears of it, and the operator without words."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.memoryd import SHARED_LOCK
from furoshiki.core.atomic_files import locked
from furoshiki.host import doctors_rounds, homes
from furoshiki.host.bot_states import BotStates
from furoshiki.host.doctors_rounds import DoctorsRounds
from furoshiki.host.rules import staggering
from furoshiki.maintenance import doctor
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.slow, pytest.mark.faults]

NOW = datetime.now(UTC)
KEEPER = 99
OWNERS = {"anna": 7, "ben": 8, "cleo": 9}


@pytest.fixture
def telegram(root: Path) -> Iterator[TelegramEmulator]:
    """One bot for all, known to everybody; three homes with an owner each, and an operator who wants to know."""
    with TelegramEmulator() as server:
        for name, owner in OWNERS.items():
            home = homes.add(root, name, NOW)
            server.say("hello", user=owner, chat_id=owner)
            with sqlite3.connect(home.data / "memory" / "longmemory.sqlite") as db:
                db.execute(
                    "INSERT INTO accounts (channel, external_id, role, chat_id, paired_at) VALUES (?, ?, ?, ?, ?)",
                    ("telegram", str(owner), "owner", str(owner), NOW.isoformat()),
                )
        server.say("hello", user=KEEPER, chat_id=KEEPER)
        (root / ".host" / "run").mkdir()
        (root / ".host" / ".env").write_text(
            f"TELEGRAM_BOT_TOKEN={server.token}\nTELEGRAM_API_URL={server.url}\nFUROSHIKI_HOST_OPERATOR={KEEPER}\n"
        )
        yield server


def looks(root: Path, *flags: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """One look of the doctor: its exit code, and what it found by key; another one where a busy machine left it no time
    for something."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("TELEGRAM_", "FUROSHIKI_"))}
    for _ in range(10):
        done = subprocess.run(
            doctor.command_of_host(root, "--json", *flags), capture_output=True, text=True, check=False, env=environ
        )
        assert "Traceback" not in done.stderr, done.stderr
        found = {one["check"]: one for one in json.loads(done.stdout)["found"]}
        if not any(key.startswith("doctor.") for key in found):
            break
    return done.returncode, found


def test_one_damaged_home_of_three_is_told_to_its_owner_and_without_words_to_the_keeper(
    root: Path, telegram: TelegramEmulator
) -> None:
    database = root / "ben" / "memory" / "longmemory.sqlite"
    whole = database.read_bytes()
    assert looks(root)[0] == 0
    content = bytearray(whole)
    content[8192 * 3 : 8192 * 12] = os.urandom(8192 * 9)
    database.write_bytes(content)
    (root / "cleo" / "memory" / "schedules.json").write_text("{ the name of my lover")
    for _ in range(2):
        code, found = looks(root)
        assert code == 2
        assert found["home.anna"]["state"] == "well"
        assert found["home.ben"]["words"] == "ben: trouble with its database"
        assert found["home.cleo"]["words"] == "cleo: trouble with a file of its settings"
    [of_ben], [of_keeper] = telegram.replies(8), telegram.replies(KEEPER)
    assert "the database is damaged" in of_ben and telegram.replies(7) == []
    assert "ben: trouble with its database" in of_keeper and "cleo: trouble" in of_keeper
    assert "lover" not in of_keeper + (root / ".host" / "run" / "doctor.json").read_text()

    database.write_bytes(whole)
    looks(root, "--only", "ben")  # of the others it is known what was found
    assert len(telegram.replies(8)) == 2 and "over: the database is damaged" in telegram.replies(8)[1]
    assert "over: ben: trouble with its database" in telegram.replies(KEEPER)[1]
    assert len(telegram.replies(9)) == 1 and looks(root, "--only", "anna")[0] == 2


def test_what_homes_share_is_looked_at(root: Path, telegram: TelegramEmulator) -> None:
    host = root / ".host"
    (host / "members.json").write_text("{")
    waiting = host / "set_aside" / "anna" / "00000000000000000001.json"
    waiting.parent.mkdir(parents=True)
    waiting.write_text("{}")
    old = (NOW - timedelta(hours=1)).timestamp()
    os.utime(waiting, (old, old))
    (host / "set_aside" / "ben").mkdir()
    (host / "set_aside" / "ben" / "00000000000000000002.damaged").write_text("?")
    homes.pause(root, "cleo", NOW)
    states = BotStates(root)
    states.note("anna", "unauthorized")
    states.note(None, "telegram.conflict")
    living = subprocess.Popen(["sh", "-c", "read x # furoshiki host listen"], stdin=subprocess.PIPE)
    try:
        (host / "run" / "listener.alive").write_text(f"{living.pid}\n")
        found = looks(root)[1]
        assert found["bots.anna"]["words"] == "the bot of anna is refused by Telegram (401)"
        assert "(409)" in found["bots.all"]["words"]
        states.note(None, "telegram.conflict", over=True)
        states.works("anna")
        (host / "run" / "listener.alive").touch()
        os.utime(host / "run" / "listener.alive", (old, old))
        found |= looks(root)[1]
        assert "no sign of life" in found["processes.listener"]["words"]
    finally:
        living.kill()
        living.wait()
    wrong = {key for key, one in found.items() if one["state"] == "wrong"}
    assert {"files.members.json", "set_aside.anna", "damaged.ben"} <= wrong
    assert found["home.cleo"]["words"] == "cleo: rests" and "bots" in looks(root)[1]


def test_the_rounds_come_to_each_home_at_its_own_minute(root: Path, telegram: TelegramEmulator) -> None:
    rounds = DoctorsRounds(root)
    rounds._not_before = 0.0
    for name in OWNERS:
        minute = int(staggering.share(name, "doctor") * doctors_rounds.MINUTES)
        at = datetime.fromtimestamp(1_800_000_000 + 60 * minute, UTC)
        assert int(at.timestamp()) // 60 % doctors_rounds.MINUTES == minute
        rounds.go_on(at, OWNERS)
        assert rounds._process is not None
        rounds._process.wait(30)
        page = json.loads((root / ".host" / "run" / "doctor.json").read_text())
        assert page["homes"][name]["state"] == "well"


def test_a_memoryd_that_holds_its_lock_and_does_not_answer_is_found(root: Path, telegram: TelegramEmulator) -> None:
    assert "sleeps" in looks(root)[1]["memoryd"]["words"]
    with locked(root / ".host" / "run" / SHARED_LOCK):
        code, found = looks(root)
    assert (code, found["memoryd"]["state"]) == (2, "wrong")
    assert "memoryd" in found["memory"]["words"]  # and how much it uses is told with the machine's memory
    assert any("memoryd runs and does not answer" in text for text in telegram.replies(KEEPER))
