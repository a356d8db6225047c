"""What can be typed, and what a slip is answered with."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from furoshiki.faces.cli.parser import GROUPS, build
from tests.support.shell import Command

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


@pytest.mark.parametrize(
    ("typed", "verb"), [("memory", "view"), ("tasks", "list"), ("plugins", "list"), ("service", "status")]
)
def test_a_command_of_several_verbs_shows_when_none_is_typed(typed: str, verb: str) -> None:
    assert vars(build().parse_args([typed])) == vars(build().parse_args([typed, verb]))
    assert build().parse_args([typed, "--json"]).json


def test_nothing_typed_starts() -> None:
    assert build().parse_args([]).module == "services.start"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        (["chta"], "did you mean 'chat'"),
        (["cost", "--by", "dya"], "did you mean 'day'"),
        (["memory", "--person", "Ada"], "required"),
        (["memory", "search", "x", "-k", "0"], "from 1 to"),
        (["chat", "--timeout", "-1"], "above 0"),
        (["pair", "--list", "--code"], "not allowed with"),
        (["service", "instal"], "did you mean 'install'"),
        (["cost", "--jsn"], "did you mean '--json'"),
        (["memory", "search", "tea", "--reranc"], "did you mean '--rerank'"),
        (["--verson"], "did you mean '--version'"),
        (["config", "shw"], "did you mean 'show'"),
        (["completion", "fish"], "choose from bash, zsh, tcsh"),
        (["plugins", "run", "dice"], "`furoshiki plugins enable dice` switches it on"),
        (["proposals", "show", "4"], "there is no proposal 4"),
        (["forget"], "What is to be forgotten?"),
        (["memory", "search"], "what is searched for?"),
        (["config", "show", "FUROSHIKI_TIMEZNE"], "did you mean FUROSHIKI_TIMEZONE?"),
        (["config", "set", "FUROSHIKI_BUBBLES"], "`config set NAME VALUE`"),
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
        "before = {*sys.modules}\n"  # a system may have a sitecustomize, as Debian has
        "from furoshiki.faces.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "from pathlib import Path\n"
        "print(*sorted({name.partition('.')[0] for name in {*sys.modules} - before} - set(sys.stdlib_module_names)))\n"
        "print(*(name for name in sys.modules if name.startswith('furoshiki')))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", looks], capture_output=True, text=True, check=True)
    *_, foreign, ours = done.stdout.splitlines()
    assert {name for name in foreign.split() if not name.startswith(("__", "_"))} <= {"furoshiki"}
    assert set(ours.split()) <= {
        "furoshiki", "furoshiki.core", "furoshiki.core.catalogue", "furoshiki.core.errors",
        "furoshiki.core.no_telemetry", "furoshiki.core.numbers", "furoshiki.core.paths",
        "furoshiki.core.process", "furoshiki.core.process.compiled",
        "furoshiki.core.process.interrupts", "furoshiki.core.terminal", "furoshiki.core.process.threads",
        "furoshiki.core.framing", "furoshiki.faces", "furoshiki.faces.cli", "furoshiki.faces.cli.main",
        "furoshiki.faces.cli.language", "furoshiki.faces.cli.parser",
    }  # fmt: skip


def leaves(parser: argparse.ArgumentParser, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command and verb that can be run, with its grammar."""
    verbs = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not verbs:
        yield path, parser
    for action in verbs:
        for name, below in action.choices.items():
            yield from leaves(below, (*path, name))


LEAVES = dict(leaves(build()))

NEEDS = {("run",): ["soul_engine"], ("memory", "search"): ["tea"], ("completion",): ["bash"], ("service",): []}
"""What a command cannot do without, where any word will not do."""

WITHOUT_SETTINGS = {
    ("logs",): 0,
    ("completion",): 0,
    ("doctor",): None,
    ("setup",): None,
    ("plugins", "new"): None,
    ("service", "install"): 1,
    ("service", "uninstall"): 1,
    ("service", "status"): 1,
    ("service", "restart"): 1,
    ("service", "logs"): 1,
    ("config", "docs"): 0,
}
"""Commands that do not read settings first, with their status where one is broken and there is no systemd (None: they
have tests of their own)."""


def typed(path: tuple[str, ...]) -> list[str]:
    """A command with what it cannot do without."""
    if path in NEEDS:
        return [*path, *NEEDS[path]]
    needed = [action for action in LEAVES[path]._actions if not action.option_strings and action.required]
    return [*path, *("1" for _ in needed)]


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_every_command_refuses_what_it_does_not_know_with_status_2(path: tuple[str, ...], command: Command) -> None:
    ended = command(*typed(path), "--no-such-thing")
    assert ended.status == 2 and ended.out == "" and ended.err.count("\n") == 1


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_every_command_ends_with_status_3_where_a_setting_is_wrong(
    path: tuple[str, ...], command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expected = WITHOUT_SETTINGS.get(path, 3)
    if expected is None:
        return
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("FUROSHIKI_TIMEZNE", "UTC")
    ended = command(*typed(path))
    assert ended.status == expected, ended.err
    assert expected != 3 or "did you mean FUROSHIKI_TIMEZONE?" in ended.err


def test_help_shows_every_command_once_in_its_group(command: Command) -> None:
    shown = command("--help").out
    named = [name for names in GROUPS.values() for name in names]
    assert len(named) == len(set(named)) and {path[0] for path in LEAVES} <= set(named), "name it in GROUPS"
    assert "\nTalk:\n" in shown and "\nCare:\n" in shown and "More" not in shown
    assert all(f"\n  {name} " in shown for name in {path[0] for path in LEAVES})


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_shells_learn_to_complete_commands_verbs_and_options(command: Command, shell: str) -> None:
    script = command("completion", shell).out
    assert all(word in script for word in ("furoshiki", "service", "uninstall", "schedules"))
    if shell == "bash":
        assert "--since" in script
        assert subprocess.run(["bash", "-n"], input=script, text=True, timeout=20).returncode == 0
