"""The page that says which file to change names files that are there."""

from __future__ import annotations

import re

import pytest

from furoshiki.core.paths import ROOT

OF_THE_OWNER = {"config/SELF.md", "config/SOUL.md"}
"""They lie in the data directory."""

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:furoshiki|prompts|config|tests|scripts|bench)/[\w./-]+)`", PAGE)) - OF_THE_OWNER)


@pytest.mark.parametrize("path", NAMED)
def test_a_file_that_is_named_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_every_room_is_in_the_picture() -> None:
    drawn = PAGE.partition("```\nfuroshiki/")[2].partition("```")[0]
    rooms = {path.name for path in (ROOT / "furoshiki").iterdir() if (path / "__init__.py").exists()}
    assert {room for room in rooms if not re.search(rf"[ |]{room}/", drawn)} == set()
