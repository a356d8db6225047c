"""One conversation about reminders and lists with the built-in mind: over Telegram, and in a terminal by itself."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from furoshiki.core.paths import ROOT
from tests.e2e.program import PATIENCE_SECONDS, Program
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedTerminal

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


TALK = (
    ("hello, my name is Ines", "Ines"),
    ("remind me on the 1st of every month to pay rent", "1st of every month"),
    ("remind me tomorrow at 9 and at 5 to take my pills", "take your pills"),
    ("remind me to buy cake on 24 December at 3pm", "15:00"),
    ("move the cake reminder to 6pm", "18:00"),
    ("remind me to call Tom", "When should I remind you to call Tom?"),
    ("add milk and eggs and bread", "And still open: When should I remind you to call Tom?"),
    ("on 24 December at 8pm", "20:00"),
    ("I bought the eggs", "Still there: milk and bread"),
    ("remind me when I get home to water the plants", "no way of knowing when you get home"),
    ("never mind", "Dropped"),
    ("send an email to Tom", "I can't send emails"),
    ("what do I have to do?", "On the shopping list: milk and bread"),
    ("clear the shopping list", "The shopping list is empty"),
    ("undo that", "Open again: milk, bread"),
    ("cancel all reminders", "Cancelled, all 5"),
    ("erinnere mich am 24.12. um 9 an den Baum", "24. Dezember"),
)


def left(data: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(data / "memory" / "longmemory.sqlite") as db:
        return db.execute("SELECT list_id, title FROM tasks WHERE state='open' ORDER BY id").fetchall()


LEFT = [("shopping", "milk"), ("shopping", "bread"), ("user_reminders", "den Baum")]


def test_over_telegram(program: Program, telegram: TelegramEmulator) -> None:
    program.set(OPENAI_API_KEY=None, OPENAI_BASE_URL=None, FUROSHIKI_MODEL_CHAT=None)
    program.listening()
    for said, words in TALK:
        before = len(telegram.replies())
        telegram.say(said)
        telegram.wait_for(lambda before=before: len(telegram.replies()) > before)
        program.wait_quiet()
        assert words in "\n".join(telegram.replies()[before:]), f"{said!r} was answered {telegram.replies()[before:]}"
    assert left(program.data) == LEFT


def test_in_a_terminal_it_says_that_nothing_rings_once_it_is_closed(tmp_path: Path) -> None:
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("OPENAI", "ANTHROPIC"))},
        "FUROSHIKI_DATA": str(tmp_path / "data"),
        "FUROSHIKI_MEMORYD_IDLE_MINUTES": "0.2",
    }
    with ForkedTerminal(["chat"], environ, ROOT, columns=300) as terminal:
        terminal.sees("you ›")
        for number, (said, words) in enumerate(TALK, 2):
            terminal.types(f"{said}\r")
            terminal.sees("you ›", number)
            assert words in " ".join(terminal.text.split()), f"{said!r} was answered:\n{terminal.text[-600:]}"
        assert terminal.text.count("Once this chat is closed, you get no reminders") == 1
        terminal.types("/quit\r")
        terminal.process.wait(PATIENCE_SECONDS)
    assert left(tmp_path / "data") == LEFT
