"""Everything is moved to an empty machine with one encrypted file, and what was known is known there by its meaning."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import Program
from tests.support.forked_program import ForkedProgram

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SAID = (
    "My sister Anika moved to Lisbon in May",
    "The boat is called Persephone and lies in Porto",
    "I cannot stand olives on anything",
    "My dentist is Doctor Vogel on the market square",
)
QUESTION = "which food do I dislike?"
"""Shares no word with its answer."""


def asked(program: Program) -> list[dict[str, Any]]:
    ran = program.run("memory", "search", QUESTION, "-k", "3", "--json", "--now", "2026-03-24T12:00:00+00:00")
    assert ran.returncode == 0, ran.stderr
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


def done(program: Program, *typed: str) -> Any:
    ran = program.run(*typed, "--json")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_one_file_and_one_key_make_the_same_companion_elsewhere(tmp_path: Path) -> None:
    talk, key, disk = tmp_path / "talk.jsonl", tmp_path / "key.txt", tmp_path / "disk"
    disk.mkdir()
    lines = [
        {"session": "s", "at": f"2026-03-2{number}T10:00:00+00:00", "speaker": "user", "text": text, "id": str(number)}
        for number, text in enumerate(SAID)
    ]
    talk.write_text("\n".join(map(json.dumps, lines)))
    with ForkedProgram(tmp_path / "old") as old:
        done(old, "import", str(talk))
        before = asked(old)
        assert before[0]["text"] == SAID[2]
        key.write_text(done(old, "backup", "key", "--yes")["secret"])
        copy = done(old, "backup", "--encrypt", "--to", str(disk))["copy"]
    shutil.rmtree(tmp_path / "old")
    elsewhere = tmp_path / "database" / "mind.sqlite"
    with ForkedProgram(tmp_path / "new", FUROSHIKI_DATABASE_URL=f"sqlite:///{elsewhere}") as new:
        back = done(new, "restore", copy, "--identity", str(key), "--yes")
        assert back["holds"]["turns"] == len(SAID) and elsewhere.exists()
        done(new, "memory", "reindex", "--wait")
        assert asked(new) == before
