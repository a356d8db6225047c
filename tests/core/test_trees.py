"""Folders nested as no person nests them: looked through, copied and removed all the same."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from furoshiki.archive.forgetting import files
from furoshiki.core.process import trees
from furoshiki.maintenance import archive
from furoshiki.models.limits import room
from tests.architecture.source import modules, nodes


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """Emptied here: pytest cannot remove such folders, and would end with them."""
    yield tmp_path
    for one in list(tmp_path.iterdir()):
        trees.remove(one, ignore_errors=True)


def nested(top: Path, deep: int, name: str = "d") -> None:
    """Folders in folders, also beyond what a path can be long; a file in the innermost."""
    top.mkdir(parents=True, exist_ok=True)
    here = os.open(top, os.O_RDONLY)
    for _ in range(deep):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("last", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


@pytest.mark.slow
@pytest.mark.parametrize(("deep", "name"), [(1500, "d"), (5000, "d"), (300, "n" * 200)])
def test_the_deepest_is_removed(tmp_path: Path, deep: int, name: str) -> None:
    nested(tmp_path / "top", deep, name)
    trees.remove(tmp_path / "top")
    assert list(tmp_path.iterdir()) == []


def test_closed_folders_odd_names_and_links_go_and_nothing_else(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").write_text("x")
    top = tmp_path / "top"
    for name in ("a/b", ".going-0/.going-1", "closed/inner", "a/.going-2"):
        (top / name).mkdir(parents=True)
    (top / ".going-3").write_text("a file of that name")
    (top / "a" / "link").symlink_to(outside)
    (top / "closed").chmod(0)
    trees.remove(top)
    assert not top.exists() and (outside / "mine").exists()
    link = tmp_path / "link"
    link.symlink_to(outside)
    with pytest.raises(OSError, match=r"symbolic|directory"):
        trees.remove(link)
    trees.remove(link, ignore_errors=True)
    trees.remove(tmp_path / "nowhere", ignore_errors=True)
    with pytest.raises(FileNotFoundError):
        trees.remove(tmp_path / "nowhere")
    assert (outside / "mine").exists()


@pytest.mark.slow
def test_a_copy_lends_nobodys_rights(tmp_path: Path) -> None:
    nested(tmp_path / "top", 1500)
    (tmp_path / "top" / "program").write_text("x")
    (tmp_path / "top" / "program").chmod(0o4755)
    (tmp_path / "top" / "link").symlink_to("program")
    trees.copy(tmp_path / "top", tmp_path / "copy")
    assert (tmp_path / "copy" / "program").stat().st_mode & 0o7777 == 0o755
    assert (tmp_path / "copy" / "link").is_symlink()
    assert len(trees.files(tmp_path / "copy")) == 3


@pytest.mark.slow
def test_what_looks_through_a_home_is_not_ended_by_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    nested(data / "plugins" / "dice" / "data", 1500)
    (data / "memory").mkdir()
    (data / "memory" / "words.md").write_text("x")
    assert room.measure(data) > 0
    assert data / "memory" / "words.md" in list(files._texts(data))
    assert "memory/words.md" in dict(archive._list_files(data))


OWN = {
    "furoshiki/core/process/trees.py",
    "furoshiki/mind/inner_life/knowledge_sources.py",
    "furoshiki/faces/dashboard/static_files.py",
}
"""The one place, and those that look through files of the program's own."""


GOES_THROUGH = ("rmtree", "copytree", "walk", "rglob")


@pytest.mark.slow
def test_folders_are_gone_through_in_one_place() -> None:
    found = {
        f"{path}:{node.lineno}"
        for name in GOES_THROUGH
        for path, tree in modules(f".{name}").items()
        if path not in OWN
        for node in nodes(tree)
        if isinstance(node, ast.Attribute) and node.attr == name
        if not (node.attr == "walk" and isinstance(node.value, ast.Name) and node.value.id in ("ast", "trees"))
    }
    assert not found, "core/trees.py: these end with RecursionError where a plugin has nested folders"
