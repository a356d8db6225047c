"""The tests stand in the rooms of what they test, and share what they share in `tests/support`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.architecture.source import PACKAGE, ROOT

TESTS = ROOT / "tests"
OF_THE_WHOLE = {
    "architecture", "browser", "docs", "doctor", "e2e", "emulators", "evenings", "faults", "hostile", "hostile_plugins",
    "life", "packaging", "prompts", "providers", "simulator", "support", "transcripts",
}  # fmt: skip
"""Folders of tests that are about no single room."""


_MAY_IMPORT_A_TEST = re.compile(r"\b(?:from|import)\b.*\btest_")
"""What stands in a line that imports one; only files with such a line are parsed."""


def _imports(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    if not _MAY_IMPORT_A_TEST.search(text):
        return set()
    tree = ast.parse(text)
    found = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return found | {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}


def test_no_test_imports_from_another() -> None:
    found = {
        str(path.relative_to(ROOT)): names
        for path in TESTS.rglob("*.py")
        if (names := {name for name in _imports(path) if name.rpartition(".")[2].startswith("test_")})
    }
    assert not found, "what two test files need belongs into tests/support"


def test_every_folder_of_tests_is_a_room_or_about_the_whole() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    folders = {path.name for path in TESTS.iterdir() if (path / "__init__.py").exists()}
    assert folders <= rooms | OF_THE_WHOLE


def test_the_inside_of_a_room_is_the_same_for_its_tests() -> None:
    """`tests/memory/rules` tests `furoshiki/memory/rules`."""
    inside = {path.relative_to(TESTS).parent for path in TESTS.rglob("test_*.py") if path.is_file()}
    strange = {
        str(folder)
        for folder in inside
        if folder.parts and folder.parts[0] not in OF_THE_WHOLE and not (PACKAGE / folder).is_dir()
    }
    assert not strange
