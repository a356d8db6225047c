"""The plugins of the checkout: what is true of each of them. What each does is tried beside it, in its own tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest

from furoshiki.extensions.plugins import manifest as manifests
from furoshiki.extensions.plugins.values import Permissions

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = sorted(path.parent for path in (ROOT / "plugins").glob("*/PLUGIN.md"))
FLAGS = [one.name for one in fields(Permissions) if one.name != "network"]
PAGE = (ROOT / "docs/shipped-plugins.md").read_text(encoding="utf-8")


def files(folder: Path) -> list[str]:
    return [
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_its_manifest_is_without_a_fault_and_it_brings_tests(folder: Path) -> None:
    manifest, problems = manifests.read(folder)
    assert manifest is not None and not problems
    assert manifest.name == folder.name
    there = files(folder)
    assert any(re.fullmatch(r"tests/test_\w+\.py", name) for name in there)
    assert ("requirements.txt" in there) == bool(manifest.requirements)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_its_settings_and_what_it_may_do_stand_on_the_page_of_all(folder: Path) -> None:
    manifest, _ = manifests.read(folder)
    assert manifest is not None
    part = PAGE.partition(f"\n## {folder.name}\n")[2].partition("\n## ")[0]
    may = manifest.permissions
    wanted = [f"`{one.name}`" for one in manifest.settings]
    wanted += [f"`{one}`" for one in FLAGS if getattr(may, one)]
    wanted += [f"`{host}`" for host in may.network]
    assert [one for one in wanted if one not in part] == []


@pytest.mark.slow
def test_their_scripts_are_typed() -> None:
    scripts = [str(path) for folder in FOLDERS for path in sorted((folder / "scripts").glob("*.py"))]
    searched = os.pathsep.join(
        [str(ROOT / "furoshiki/extensions/plugins/sdk"), *{str(Path(path).parent) for path in scripts}]
    )
    command = [sys.executable, "-m", "mypy", "--config-file", os.devnull, "--strict", "--ignore-missing-imports"]
    environ = {**os.environ, "MYPYPATH": searched}
    done = subprocess.run([*command, *scripts], cwd=ROOT, env=environ, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout


def test_no_two_scripts_are_called_the_same() -> None:
    """Their tests run in one process, where a name is one module."""
    called = Counter(path.stem for folder in FOLDERS for path in folder.glob("*/*.py") if path.stem != "conftest")
    assert [name for name, count in called.items() if count > 1] == []
