"""A plugin whose files are not those its owner allowed is noticed, however they differ."""

from __future__ import annotations

import os
import py_compile
from pathlib import Path

import pytest

from furoshiki.extensions.plugins import pins


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("PLUGIN.md", "scripts/main.py", "scripts/more/help.py", "data/kept.json"):
        path = tmp_path / "dice" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return tmp_path / "dice"


def test_every_file_but_its_own_data(folder: Path) -> None:
    found = pins.hash_files(folder)
    assert sorted(found) == ["PLUGIN.md", "scripts/main.py", "scripts/more/help.py"]
    (folder / "data" / "kept.json").write_text("changed by itself")
    assert pins.differ(folder, found) == []


def test_changed_gone_and_new(folder: Path) -> None:
    found = pins.hash_files(folder)
    (folder / "scripts/main.py").write_text("other")
    (folder / "scripts/more/help.py").unlink()
    (folder / "scripts/data").mkdir()
    (folder / "scripts/data/sitecustomize.py").write_text("")
    assert pins.differ(folder, found) == [
        "scripts/data/sitecustomize.py is new",
        "scripts/main.py was changed",
        "scripts/more/help.py is gone",
    ]


def test_a_compiled_module_that_python_would_run_in_place_of_the_pinned_one_is_new(folder: Path) -> None:
    found = pins.hash_files(folder)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    assert py_compile.compile(str(folder / "scripts/more/help.py"), invalidation_mode=unchecked)
    (folder / "scripts/more/__pycache__/other.pyc").write_bytes(b"")
    assert pins.differ(folder, found) == ["scripts/more/__pycache__ is new (remove scripts/more/__pycache__)"]


def test_a_link_is_no_file_even_to_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    found = pins.hash_files(folder)
    (folder / "scripts/main.py").rename(tmp_path / "main.py")
    (folder / "scripts/main.py").symlink_to(tmp_path / "main.py")
    (folder / "packages").symlink_to(tmp_path)
    os.mkfifo(folder / "scripts/pipe.py")
    assert pins.differ(folder, found) == ["packages is new", "scripts/main.py was changed", "scripts/pipe.py is new"]
    (folder.parent / "other").symlink_to(folder)
    assert pins.differ(folder.parent / "other", found) == ["its folder cannot be read (Not a directory)"]
