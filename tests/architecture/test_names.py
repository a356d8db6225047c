"""Names of things ("turn:12") are put together and taken apart in one module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from furoshiki.core.refs import KINDS
from tests.architecture.source import modules, nodes

HOME = "furoshiki/core/refs.py"
INSTEAD = (
    "names of things have one way in and one way out: furoshiki.core.refs, `name` and `Ref.parse` (or `row`, `rows`)"
)

ENDS_IN_KIND = re.compile(rf"(?<![\w.])({'|'.join(sorted(KINDS))}):$")
"""Text that a value follows within an f-string, or that a string is asked to begin with."""

NO_NAMES = {
    "furoshiki/conversation/interactions.py": "what a button carries back, as the registry of commands reads it",
    "furoshiki/mind/outreach/reminders.py": "the task and the time of a reminder's key",
    "furoshiki/app/jobs.py": "a module and a function",
    "furoshiki/faces/cli/services/host.py": "a bot's token",
    "furoshiki/channels/telegram/bot.py": "a bot's token",
    "furoshiki/channels/telegram/formatting/entities.py": "a host and a port",
    "furoshiki/memory/grounding/rules/form.py": "an hour and a minute",
    "furoshiki/host/figures.py": "a home and how it is; a line of /proc",
    "furoshiki/host/home_status.py": "a kind of trouble and what it is about",
    "furoshiki/faces/setup/listening.py": "a bot's token",
    "furoshiki/faces/setup/models.py": "a provider with its model",
    "furoshiki/faces/setup/rules.py": "a bot's token",
    "furoshiki/conversation/commands/open_question.py": "what a button brings back",
    "furoshiki/conversation/commands/registry.py": "what a button brings back",
    "furoshiki/conversation/commands/status.py": "a provider with its model",
    "furoshiki/core/process/locks.py": "an inode",
    "furoshiki/conversation/commands/tasks.py": "what a button brings back",
    "furoshiki/conversation/commands/look/why.py": "a provider with its model",
    "furoshiki/core/network/addresses.py": "a host and a port",
    "furoshiki/core/process/crash_points.py": "a point and how often it is passed",
    "furoshiki/core/setting_rows.py": "a line's number and its text",
    "furoshiki/language/dates/tokens.py": "an hour and a minute, a word and its own form",
    "furoshiki/models/llm/plans.py": "a provider with its model",
    "furoshiki/maintenance/setup_check.py": "a provider with its model",
    "furoshiki/language/reflex/attachment_replies.py": "what stands after a colon in a sentence",
}
"""Modules that take something else apart at a colon."""


def put_together(tree: ast.Module) -> Iterator[int]:
    """Lines with f"turn:{...}", or f"{kind}:{...}" with any variable of that name."""
    for node in nodes(tree):
        if not isinstance(node, ast.JoinedStr):
            continue
        before = ""
        for piece in node.values:
            if isinstance(piece, ast.Constant):
                before += str(piece.value)
                continue
            if ENDS_IN_KIND.search(before) or before.endswith("\0kind:"):
                yield node.lineno
            value = piece.value if isinstance(piece, ast.FormattedValue) else None
            before = "\0kind" if isinstance(value, ast.Name) and value.id == "kind" else "\0"


def taken_apart(tree: ast.Module) -> Iterator[int]:
    """Lines with x.partition(":") and the like."""
    for node in nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and first.value == ":" and node.func.attr in _DIVIDING:
                yield node.lineno


def asked_for(tree: ast.Module) -> Iterator[int]:
    """Lines with x.startswith("turn:") and the like."""
    for node in nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first = node.args[0]
            if (
                isinstance(first, ast.Constant)
                and ENDS_IN_KIND.fullmatch(str(first.value))
                and node.func.attr in ("startswith", "removeprefix")
            ):
                yield node.lineno


_DIVIDING = ("partition", "rpartition", "split", "rsplit")


def test_names_are_put_together_in_one_module() -> None:
    found = [f"{path}:{line}" for path, tree in modules(":{").items() for line in put_together(tree) if path != HOME]
    assert not found, INSTEAD


def test_names_are_taken_apart_in_one_module() -> None:
    found = [
        f"{path}:{line}"
        for path, tree in modules('":"').items()
        for line in taken_apart(tree)
        if path != HOME and path not in NO_NAMES
    ]
    assert not found, f"{INSTEAD}; where it is no name, say in NO_NAMES what it is"


def test_what_is_said_to_be_no_name_is_taken_apart() -> None:
    dividing = {path for path, tree in modules('":"').items() if any(taken_apart(tree))}
    assert not NO_NAMES.keys() - dividing, "these take nothing apart at a colon any more: take them out of NO_NAMES"


def test_kinds_are_asked_for_in_one_module() -> None:
    found = [f"{path}:{line}" for path, tree in modules(':"').items() for line in asked_for(tree) if path != HOME]
    assert not found, f"{INSTEAD}; `is_of` tells whether a text is a name of some kind"


@pytest.mark.parametrize(
    ("code", "finds"),
    [
        ('f"turn:{one.id}"', put_together),
        ('f"[memory:{one.id} at {day}] {text}"', put_together),
        ('f"{kind}:{row_id}"', put_together),
        ('kind, _, number = name.partition(":")', taken_apart),
        ('turn_key.split(":")[1]', taken_apart),
        ('name.startswith("memory:")', asked_for),
        ('key.removeprefix("inbox:")', asked_for),
    ],
)
def test_each_way_around_it_is_seen(code: str, finds: object) -> None:
    assert callable(finds)
    assert list(finds(ast.parse(code)))


@pytest.mark.parametrize(
    "code", ['f"growth:{source}"', 'f"{provider}:{model}"', 'f"return:{x}"', 'x.startswith("cron:")']
)
def test_what_is_no_name_is_let_be(code: str) -> None:
    tree = ast.parse(code)
    assert not [*put_together(tree), *taken_apart(tree), *asked_for(tree)]
