"""What comes from outside becomes a number in `core/numbers.py`; the rooms where it arrives have no other converter."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.source import is_store, modules, nodes

DOORS = re.compile(
    r"furoshiki/(conversation/(?:commands|skills)|channels|messages|faces/(?:dashboard|host_dashboard|cli|setup)"
    r"|core/(?:logins|refs)|extensions/plugins/(?:broker|hooks)|host/(?:sorting|deferred_updates)"
    r"|maintenance/setting_changes|faces/overview/rules/cursors)"
)

INSIDE = {
    "furoshiki/conversation/commands/undo.py": "what a skill's own run has put down",
    "furoshiki/conversation/commands/outreach.py": "what a press of before has put down",
    "furoshiki/conversation/commands/cost.py": "what the database has added up",
    "furoshiki/conversation/commands/look/readiness.py": "what the report of readiness holds",
    "furoshiki/channels/telegram/sender.py": "what a message of ours has put down, and ids the client has checked",
    "furoshiki/channels/telegram/lock.py": "a process, for words",
    "furoshiki/faces/dashboard/access/rules/patience.py": "an address that was read as one",
    "furoshiki/faces/dashboard/live.py": "what its own pattern let through",
    "furoshiki/faces/dashboard/loops.py": "figures of ours",
    "furoshiki/faces/host_dashboard/metrics.py": "figures of ours",
    "furoshiki/faces/cli/past_moment.py": "what its own pattern let through",
    "furoshiki/faces/cli/servers.py": "the status of an answer",
    "furoshiki/faces/setup/rules.py": "what its own pattern let through",
    "furoshiki/models/choosing/model_servers.py": "sizes that are shown",
    "furoshiki/faces/setup/main.py": "what this process has just said",
    "furoshiki/conversation/skills/persistent_task.py": "what its own check let through",
    "furoshiki/conversation/skills/introspect.py": "figures of ours",
    "furoshiki/conversation/skills/choosing.py": "figures of ours",
}
"""Modules of these rooms that turn something of our own into a number."""


def _raw(node: ast.AST) -> bool:
    """Whether something that may be a text is made a number: what is counted or rounded is none."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("int", "float")):
        return False
    return any(isinstance(one, ast.Name | ast.Attribute | ast.Subscript | ast.BoolOp) for one in node.args)


def _read(node: ast.AST) -> bool:
    """Whether it is asked if a text is digits, as which "²" passes, or a command line is read without bounds."""
    if not isinstance(node, ast.Call):
        return False
    asked = isinstance(node.func, ast.Attribute) and node.func.attr in ("isdigit", "isdecimal", "isnumeric")
    typed = [one.value for one in node.keywords if one.arg == "type"]
    return asked or any(isinstance(one, ast.Name) and one.id in ("int", "float") for one in typed)


@pytest.mark.slow
def test_the_rooms_where_something_arrives_have_one_converter() -> None:
    found = {
        f"{path}:{node.lineno}"
        for path, tree in modules().items()
        if DOORS.match(path) and not is_store(path) and path not in INSIDE
        for node in nodes(tree)
        if isinstance(node, ast.Call) and (_raw(node) or _read(node))
    }
    assert not found, "numbers.row, whole, needed or decimal"


@pytest.mark.slow
def test_no_exception_is_left_over() -> None:
    used = {
        path
        for path, tree in modules().items()
        if path in INSIDE and any(_raw(one) or _read(one) for one in nodes(tree))
    }
    assert used == set(INSIDE)


@pytest.mark.parametrize(
    "wrong", ["int(value)", "float(row['x'])", "x.isdigit()", "add('--n', type=int)", "int(a or 0)"]
)
def test_the_check_finds_them(wrong: str) -> None:
    assert any(_raw(node) or _read(node) for node in ast.walk(ast.parse(wrong)))
