"""Killed at any moment, the bot still answers every message exactly once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from tests.emulators.telegram import TelegramEmulator

KILLS = int(os.environ.get("KILLS", "12"))
POINTS = ["outbox.sent", "outbox.claimed", "inbox.stored", "store.before_commit", "store.after_commit"]


def start(telegram: TelegramEmulator, database: Database, folder: Path, crash_at: str = "") -> subprocess.Popen[bytes]:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"FUROSHIKI_CRASH_AT": crash_at, "PYTHONPYCACHEPREFIX": str(folder / "cache")}
    command = [sys.executable, "-m", "tests.channels.telegram.echo_bot", telegram.url, telegram.token]
    return subprocess.Popen([*command, str(database.path), str(folder / "run")], env=environment)


def until_polling(telegram: TelegramEmulator, bot: subprocess.Popen[bytes]) -> None:
    """Wait until the bot asks who it is, or dies on the way."""
    asked = len(telegram.called("getMe"))
    until = time.monotonic() + 30
    while len(telegram.called("getMe")) == asked and bot.poll() is None:
        assert time.monotonic() < until, "the bot does not get going"
        time.sleep(0.02)


@pytest.mark.faults
@pytest.mark.slow
def test_killed_at_any_moment_every_message_is_answered_once(
    telegram: TelegramEmulator, database: Database, tmp_path: Path
) -> None:
    rng = random.Random(3)
    said: list[str] = []

    def talk(seconds: float, bot: subprocess.Popen[bytes]) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and bot.poll() is None:
            if rng.random() < 0.5:
                said.append(f"m{len(said)}")
                telegram.say(said[-1])
            time.sleep(0.03)

    telegram.faults.cut_after("sendMessage", p=0.02)
    for number in range(KILLS):
        crash_at = f"{rng.choice(POINTS)}:{rng.randint(1, 12)}" if number % 2 else ""
        bot = start(telegram, database, tmp_path, crash_at)
        until_polling(telegram, bot)
        talk(rng.uniform(0.05, 0.6), bot)
        bot.kill()
        bot.wait()
    telegram.faults.clear()
    bot = start(telegram, database, tmp_path)
    try:
        telegram.wait_for(lambda: len(telegram.replies()) >= len(said), 60)
        telegram.wait_for(lambda: telegram.pending == 0, 10)
        time.sleep(0.5)
        bot.send_signal(signal.SIGTERM)
        assert bot.wait(5) == 0
    finally:
        bot.kill()
        bot.wait()
    replies = Counter(telegram.replies())
    wanted = {f"re: {text}" for text in said}
    assert len(said) > KILLS
    assert wanted - replies.keys() == set()
    assert {text: times for text, times in replies.items() if times > 1} == {}
    assert [m.edits for m in telegram.chat() if m.author == "bot" and m.edits] == []
    print(f"{KILLS} kills, {len(said)} messages, 0 lost, 0 doubled")
