"""The shell as people use it: closed and poor output, a full disk, a file of keys others can read."""

from __future__ import annotations

import contextlib
import io
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from furoshiki.channels.console import dialogue
from furoshiki.core.errors import in_words
from furoshiki.core.paths import ROOT
from furoshiki.core.terminal import guarded
from furoshiki.faces.terminal.printing import table
from tests.support.shell import Command


def test_a_terminal_that_knows_only_ascii_gets_what_comes_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(held, encoding="ascii"))
    with guarded():
        print("Furo · “hello” — 3 × ⚠ and Ελλάδα …")
        sys.stdout.flush()
    assert held.getvalue() == b'Furo . "hello" - 3 x ! and ?????? ...\n'


def test_a_row_without_its_last_cell_leaves_no_empty_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    rows = [["run_question_processing", "daily 03:00", "Mon 03:00", ""], ["backup", "daily 01:00", "Mon 01:00", "done"]]
    table(["job", "when", "next", "what it did"], rows)
    shown = capsys.readouterr().out.splitlines()
    assert max(map(len, shown)) <= 40 and "done" in shown and "" not in [line.strip() for line in shown]


def test_keys_that_others_could_read_are_theirs_no_more(command: Command, data: Path) -> None:
    path = data / ".env"
    path.write_text("FUROSHIKI_COMPANION_NAME=Kit\n")
    path.chmod(0o644)
    assert command("status", "--offline").status == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(28, "No space left on device"), "the disk is full; free some space and try again"),
        (
            PermissionError(13, "Permission denied", "/x"),
            "/x: you have no access; check its owner and permissio",
        ),
        (
            OSError(122, "Disk quota exceeded", "/x"),
            "/x: your disk quota is used up; free some space and try ag",
        ),
        (
            OSError(40, "Too many levels of symbolic links", "/x"),
            "/x cannot be used (Too many levels of symbolic links)",
        ),
        (TimeoutError(), "a file cannot be used (TimeoutError)"),
    ],
)
def test_what_the_system_refuses_is_a_sentence(error: OSError, words: str) -> None:
    assert words in in_words(error)


@pytest.mark.e2e
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_fault(data: Path, closed: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m furoshiki status --offline {closed}"], capture_output=True, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, b"")


KILOBYTES = 40
"""Enough for a database to be opened (its shared memory takes 32), too little for a message to be written."""


@pytest.mark.e2e
@pytest.mark.faults
def test_a_disk_without_room_is_one_sentence_that_says_what_became_of_the_words(data: Path) -> None:
    """Files that may not grow are what a full disk is, without one."""
    line = f"trap '' XFSZ; ulimit -f {KILOBYTES}; {sys.executable} -m furoshiki chat --once 'the key is in the shed'"
    done = subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "FUROSHIKI_MEMORYD_IDLE_MINUTES": "0.05"},
    )
    assert (done.returncode, done.stdout) == (4, "")
    [said] = done.stderr.splitlines()
    with contextlib.closing(sqlite3.connect(data / "memory" / "longmemory.sqlite")) as db:
        kept = db.execute("SELECT count(*) FROM inbox WHERE payload LIKE '%in the shed%'").fetchone()[0]
    assert "free space" in said and said.endswith(dialogue.KEPT if kept else dialogue.NOT_KEPT)
