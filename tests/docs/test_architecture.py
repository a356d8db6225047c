"""The pages that say which file to change name files that are there."""

from __future__ import annotations

import re

import pytest

from furoshiki.core.paths import ROOT
from tests.architecture.source import WINGS

OF_THE_OWNER = {"config/SELF.md", "config/SOUL.md"}
"""They lie in the data directory."""

MOST_ROWS = 40
"""Of the table on the first page; the others are on the second."""

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
OTHERS = (ROOT / "docs" / "where-to-change.md").read_text(encoding="utf-8")
FOLDERS = "furoshiki|prompts|config|tests|scripts|bench"
NAMED = sorted(set(re.findall(rf"`((?:{FOLDERS})/[\w./-]+)`", PAGE + OTHERS)) - OF_THE_OWNER)


@pytest.mark.parametrize("path", NAMED)
def test_a_file_that_is_named_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_every_wing_and_every_room_is_in_the_picture() -> None:
    drawn = PAGE.partition("```\nfuroshiki/")[2].partition("```")[0]
    wings = {path.name for path in (ROOT / "furoshiki").iterdir() if (path / "__init__.py").exists()}
    rooms = {room for lines in WINGS.values() for line in lines for room in line.split(" | ")} - {"."}
    assert {name for name in wings | rooms if f" {name}/" not in drawn} == set()


def test_the_first_table_is_short() -> None:
    rows = PAGE.partition("| to change")[2].splitlines()[2:]
    assert len([row for row in rows if row.startswith("|")]) <= MOST_ROWS
