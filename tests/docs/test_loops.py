"""The table of feedback loops names tests that are there."""

from __future__ import annotations

import re

import pytest

from furoshiki.core.paths import ROOT

PAGE, _, _ = (ROOT / "docs/loops.md").read_text(encoding="utf-8").partition("## With and without")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| loop")]


@pytest.mark.parametrize("row", ROWS, ids=[row.split("|")[1].strip() for row in ROWS])
def test_every_loop_has_the_test_in_which_a_person_would_notice(row: str) -> None:
    loop, measured, changes, tests = (cell.strip() for cell in row.strip("|").split("|"))
    assert loop and measured and changes
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(test_\w+))?`", tests)
    assert named, "no test shows it"
    for file, function in named:
        assert f"def {function}" in (ROOT / file).read_text(encoding="utf-8")
