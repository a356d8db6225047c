"""Whatever number is typed behind a command of the shell: an answer, or what to type instead, and no traceback."""

from __future__ import annotations

import pytest

from tests.support.odd_numbers import ODD
from tests.support.shell import Command, command, data

__all__ = ["command", "data"]

TYPED = (*ODD, "-1", "999999999", "9223372036854775807")

LINES = [
    *(("memory", verb) for verb in ("show", "edit", "pin")),
    *(("tasks", verb) for verb in ("done", "remove")),
    ("repairs",), ("proposals", "show"), ("proposals", "accept"), ("cost", "--days"), ("mood", "--since"),
    ("journal", "-n"), ("logs", "-n"), ("logs", "--since"), ("memory", "list", "--since"),
    ("memory", "search", "sea", "-k"),
    ("telegram", "--remove"), ("readiness", "-n"), ("why", "-n"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_an_odd_number_is_answered(command: Command, line: tuple[str, ...]) -> None:
    for text in TYPED:
        for typed in (text, f"memory:{text}"):
            ended = command(*line, typed)
            assert ended.status in (0, 1, 2, 3), (line, typed, ended)
            assert "Traceback" not in ended.err, (line, typed, ended.err[-400:])
