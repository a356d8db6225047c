"""Nothing that was said or imported steers the terminal: no clipboard, no cleared screen, no hidden link."""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

import pytest

from furoshiki.channels.local.mailbox import Answer
from furoshiki.core import logs
from furoshiki.core.database.connection import Database
from furoshiki.core.framing import visible
from furoshiki.core.paths import ROOT
from furoshiki.core.terminal import guarded, style
from furoshiki.faces.terminal import markdown
from furoshiki.faces.terminal.screen import Screen
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn, Outgoing
from furoshiki.owner.agenda.store import tasks
from tests.support.shell import Command
from tests.support.terminal import Terminal

NOW = datetime.now(UTC)
CLIPBOARD = "\x1b]52;c;cm0gLXJmIH4=\x07"
CLEAR = "\x1b[2J\x1b[H"
LINK = "\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\"
EIGHT_BIT = "\x9b2J\x9d52;c;eA==\x9c"
HIDDEN = "\x1b[8mhidden\rover\x08\x7f\u202eback"
EVIL = f"harbour {CLIPBOARD}{CLEAR}{LINK}{EIGHT_BIT}{HIDDEN} end"
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OWN = re.compile(r"\x1b\[[0-9;]*m|\r\n|\x1b\[\?25[hl]|\x1b\[K|\x1b\[\?2004[hl]|\r")


@pytest.fixture
def database(data: Path) -> Database:
    """A companion whose owner was sent a letter that steers terminals, and who keeps it in every place there is."""
    database = Database(data / "memory" / "longmemory.sqlite")
    with database.write() as db:
        turn = turns.add(db, NewTurn("s", "console", "console", USER, EVIL, NOW))
        memories.add(db, NewMemory("semantic", EVIL, (turn,), subject="user", predicate="likes", object=EVIL), NOW)
        memories.add(db, NewMemory("episodic", EVIL, (turn,)), NOW)
        tasks.add(db, "shopping", EVIL, NOW)
        tasks.add(db, tasks.REMINDERS, EVIL, NOW, due_at=NOW)
    (data / "logs").mkdir(exist_ok=True)
    (data / "logs" / "listener.log").write_text(f"2026-03-24 WARNING {EVIL}\n", encoding="utf-8", newline="")
    return database


SHOWING = [
    ("memory", "search", "harbour", "--no-wait"),
    ("memory", "view"),
    ("memory", "list"),
    ("memory", "show", "memory:1"),
    ("memory", "show", "turn:1"),
    ("memory", "stats"),
    ("memory", "export", "-"),
    ("forget", "harbour", "--dry-run"),
    ("logs", "listener"),
    ("status",),
    ("profile",),
    ("why",),
    ("config", "show"),
    ("memory", "show", EVIL),
    ("logs", EVIL),
]


@pytest.mark.slow
@pytest.mark.parametrize("args", SHOWING, ids=" ".join)
def test_no_command_shows_a_character_that_steers(command: Command, database: Database, args: tuple[str, ...]) -> None:
    ended = command(*(one for one in args if one != "--no-wait"))
    assert STEERS.search(ended.out + ended.err) is None


def test_the_letter_is_shown_and_its_tricks_are_spelled_out(command: Command, database: Database) -> None:
    shown = command("memory", "show", "turn:1").out
    assert "harbour \\u001b]52;c;cm0gLXJmIH4=\\u0007\\u001b[2J" in shown
    assert "\\u009b2J" in shown
    assert "hidden\\u000dover" in shown


def test_what_machines_read_is_the_same_json_as_ever(command: Command, database: Database) -> None:
    ended = command("memory", "show", "turn:1", "--json")
    assert STEERS.search(ended.out) is None
    assert EVIL in json.dumps(ended.json, ensure_ascii=False) or any(
        value == EVIL for value in ended.json.values() if isinstance(value, str)
    )


def test_a_log_line_cannot_steer_who_reads_the_file(tmp_path: Path) -> None:
    record = logging.LogRecord("x", logging.WARNING, __file__, 1, "heard %s", (EVIL,), None)
    assert STEERS.search(logs.Redacting(()).format(record)) is None


def test_a_reply_reminder_and_button_cannot_steer_the_conversation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markdown, "colourful", lambda: True)
    part = Outgoing(
        id=1, turn_id=1, turn_key="k", channel="console", chat_id="console", text=EVIL,
        extra={"buttons": [[{"text": EVIL, "data": "x"}]]}, state="sent", external_id=None, attempts=0,
        not_before=None, created_at=NOW,
    )  # fmt: skip
    with guarded():
        screen = Screen("Furo", tmp_path)
        screen._live = screen._colours = True
        for length in range(0, len(EVIL), 7):
            screen.grow(EVIL[:length])
        screen.finish(Answer("k", (part,), None))
        screen.unprompted([part], "you › ", EVIL)
    assert STEERS.search(OWN.sub("", capsys.readouterr().out)) is None


def test_colours_of_our_own_pass_and_nothing_else_does(capsys: pytest.CaptureFixture[str]) -> None:
    with guarded():
        print("\x1b[1mplain\x1b[0m")
        print("\x1b[1mours\x1b[0m" + CLEAR, file=style(sys.stdout))
    assert capsys.readouterr().out == "\\u001b[1mplain\\u001b[0m\n\x1b[1mours\x1b[0m\\u001b[2J\\u001b[H\n"


@pytest.mark.parametrize("text", ["", "plain", "two\nlines\twith a tab", "Grüße 🌊 日本", "\u200d\ufe0f", "a\r\nb"])
def test_ordinary_words_are_left_as_they_are(text: str) -> None:
    assert visible(text) == text.replace("\r\n", "\n")


@pytest.mark.slow
@pytest.mark.parametrize("args", [("memory", "show", "turn:1"), ("memory", "list"), ("logs", "listener")], ids=" ".join)
def test_at_a_real_terminal_only_colours_of_our_own_arrive(database: Database, args: tuple[str, ...]) -> None:
    with Terminal(list(args), os.environ, ROOT) as screen:
        assert screen.leaves() == 0
        screen.sees("harbour")
        assert STEERS.search(OWN.sub("", screen.raw)) is None


def test_a_hint_in_a_terminal_names_the_command_as_it_was_typed(capsys: pytest.CaptureFixture[str]) -> None:
    hint = "one to see: `furoshiki memory list`, and furoshiki\n"
    for typed, terminal, shown in (
        ("scripts/run.sh", True, hint.replace("`furoshiki", "`scripts/run.sh")),
        ("scripts/run.sh", False, hint),
        (None, True, hint),
    ):
        environ = {} if typed is None else {"FUROSHIKI_COMMAND": typed}
        seen = mock.patch.object(sys.stdout, "isatty", lambda so=terminal: so)
        with mock.patch.dict(os.environ, environ), seen, guarded():
            print(hint, end="")
        assert capsys.readouterr().out == shown
