"""What can be typed, and what a slip is answered with."""

from __future__ import annotations

import subprocess
import sys

import pytest

from furoshiki.cli.parser import build
from tests.cli.conftest import Command

CONTRACT = (
    ["up"],
    ["listen"],
    ["brain"],
    ["chat", "--once", "hello"],
    ["run", "soul_engine", "--now", "2026-03-24T15:00:00+00:00", "--json"],
    ["status", "--json"],
    ["memory", "search", "tea", "-k", "5", "--json", "--now", "2026-03-24T15:00:00+00:00"],
    ["memory", "search", "--batch", "questions.jsonl"],
    ["memory", "import", "talk.jsonl"],
    ["memory", "why", "memory:3", "--json"],
    ["memory", "reindex", "--wait"],
    ["memory", "stats", "--json"],
    ["why", "--last", "--json"],
    ["backup"],
    ["restore", "backup.tar.gz"],
    ["cost", "--by", "model"],
    ["schedules", "--json"],
    ["config", "check"],
    ["pair", "--list"],
)


@pytest.mark.parametrize("typed", CONTRACT, ids=" ".join)
def test_what_others_build_on_is_understood(typed: list[str]) -> None:
    assert build().parse_args(typed).module


def test_nothing_typed_starts() -> None:
    assert build().parse_args([]).module == "services.start"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        (["chta"], "did you mean 'chat'"),
        (["cost", "--by", "dya"], "did you mean 'day'"),
        (["memory"], "required"),
        (["memory", "search", "x", "-k", "0"], "at least 1"),
        (["chat", "--timeout", "-1"], "more than 0"),
        (["pair", "--list", "--code"], "not allowed with"),
    ],
)
def test_a_slip_is_one_line_with_the_nearest_word_and_status_2(typed: list[str], hint: str, command: Command) -> None:
    ended = command(*typed)
    assert ended.status == 2
    assert hint in ended.err and ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("typed", "verb"),
    [
        (["--colour"], "furoshiki"),
        (["cost", "--colour"], "furoshiki cost"),
        (["memory", "search", "tea", "--colour"], "furoshiki memory search"),
        (["memory", "show", "3", "4"], "furoshiki memory show"),
    ],
)
def test_what_a_verb_does_not_know_points_to_its_own_help(typed: list[str], verb: str, command: Command) -> None:
    ended = command(*typed)
    assert ended.status == 2 and ended.err.count("\n") == 1
    assert ended.err == f"{verb}: unrecognized arguments: {typed[-1]} (see `{verb} --help`)\n"


def test_help_needs_nothing_but_the_standard_library() -> None:
    looks = (
        "import sys\n"
        "from furoshiki.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "from pathlib import Path\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))\n"
        "print(*(name for name in sys.modules if name.startswith('furoshiki')))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", looks], capture_output=True, text=True, check=True)
    *_, foreign, ours = done.stdout.splitlines()
    assert {name for name in foreign.split() if not name.startswith(("__", "_"))} <= {"furoshiki"}
    assert set(ours.split()) <= {
        "furoshiki", "furoshiki.cli", "furoshiki.cli.main", "furoshiki.cli.parser", "furoshiki.core.errors",
        "furoshiki.core.interrupts", "furoshiki.core.no_telemetry", "furoshiki.core.paths",
        "furoshiki.core.terminal", "furoshiki.core.threads", "furoshiki.core.visible", "furoshiki.core",
    }  # fmt: skip
