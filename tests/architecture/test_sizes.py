"""No folder and no room grows beyond what a reader can keep in mind."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath

from tests.architecture.source import ROOT, room_of, texts

MOST_MODULES = 25
"""In one folder, its `__init__` among them."""

MOST_LINES = 8000
"""In one room. What is longer is two rooms; what belongs together within one stands in a folder of its own."""

MOST_LEVELS = 4
"""Of folders below the package: a wing, a room, and two within it."""


def test_no_folder_has_more_modules_than_a_reader_can_keep_in_mind() -> None:
    scripts = [str(path.relative_to(ROOT)) for path in (ROOT / "scripts").rglob("*.py")]
    count = Counter(str(PurePath(path).parent) for path in [*texts(), *scripts])
    assert {folder: number for folder, number in count.items() if number > MOST_MODULES} == {}


def test_no_room_has_more_lines_than_a_reader_can_keep_in_mind() -> None:
    lines: Counter[str] = Counter()
    for path, text in texts().items():
        lines[room_of(path)] += text.count("\n")
    assert {room: number for room, number in lines.items() if number > MOST_LINES} == {}


def test_no_folder_is_deeper_than_four_levels() -> None:
    assert not [path for path in texts() if len(PurePath(path).parts) - 2 > MOST_LEVELS]
