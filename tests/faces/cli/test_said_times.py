"""Times in the real program: a reminder that was said, and an import with dates that nobody can mean."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.support.shell import Command

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_a_reminder_is_kept_for_the_day_that_was_said(program: Command, data: Path) -> None:
    assert "24 December" in program("chat", "--once", "remind me 12/24 at 6pm to call Anika").out
    assert "When should I remind you" in program("chat", "--once", "remind me in 99999999999 weeks to call Tom").out
    with sqlite3.connect(data / "memory" / "longmemory.sqlite") as db:
        [(title, due)] = db.execute("SELECT title, due_at FROM tasks").fetchall()
    assert title == "call Anika" and due[5:16] == "12-24T18:00"


def test_an_import_with_impossible_dates_is_taken_in_shown_and_forgotten(program: Command, tmp_path: Path) -> None:
    said = {"session": "S1", "speaker": "Ines", "text": "I sold the lighthouse boat."}
    times = ("0001-01-01T00:00", "9999-12-31T23:59:59Z", "NaN", "2023-05-08T13:56")
    lines = [json.dumps({**said, "id": f"D{number}", "at": at}) for number, at in enumerate(times)]
    (tmp_path / "diary.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert program("memory", "import", str(tmp_path / "diary.jsonl")).status in (0, 1)
    [found] = program("memory", "search", "lighthouse boat", "--json").json
    assert "lighthouse" in found["text"]
    assert program("chat", "--once", "what do you know about the lighthouse boat?").status == 0
    assert program("memory", "forget", "lighthouse", "--yes").status == 0
    assert program("memory", "search", "lighthouse boat", "--json").json == []
