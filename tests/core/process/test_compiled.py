"""What modules compile while they are imported is kept, comes back the same, and nothing else is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from furoshiki.core.paths import ROOT

MODULE = """
import re
from dataclasses import dataclass, field, replace

MADE_FROM = (
    (r"(?P<day>\\d+)\\.(?P<month>\\d+)?", 0),
    (r"\\b(?:straße|ſ|ǅ|İ)\\b", re.IGNORECASE),
    (r"^ (?i:a+?) # a comment", re.VERBOSE | re.MULTILINE),
    (r"[^\\W\\d_]{2,}(?<!x)(?=y|$)|(?:(a)|b)(?(1)c|d)", re.DOTALL),
    (r"[\\u0400-\\u04ff\\U0001f600-\\U0001f64f]+", re.ASCII),
    (r"(?im)^aa$", 0),
    (b"bytes (too)", 0),
)
PATTERNS = [re.compile(*one) for one in MADE_FROM]
TEXTS = ["7.11 and 8.", "STRASSE Straße ǆ i̇", " aaa\\n AA", "wordy abcd ac bd", "слово 😀", "ſ"]


@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: int = 2
    names: tuple[str, ...] = field(default=(), compare=False)


for number in range(120):
    re.compile(f"number {number}")
"""

LOOK = """
import re, sys
from furoshiki.core.process import compiled

counted = []
for module, name in ((compiled._compiler, "_code"), (compiled, "_encode_pattern")):
    def counting(*args, made=getattr(module, name)):
        counted.append(args)
        return made(*args)
    setattr(module, name, counting)
sys.path.insert(0, sys.argv[1])
import somebodys as found
compiled_at_import = len(counted)
said = re.compile("said by somebody: [a-z]{3}")
for one, made_from in zip(found.PATTERNS, found.MADE_FROM):
    always = compiled._as_always(*made_from)
    assert (one, one.groups, one.groupindex) == (always, always.groups, always.groupindex), one
    text = lambda some: some.encode() if isinstance(one.pattern, bytes) else some
    print(one.pattern, one.flags, one.groups, dict(one.groupindex))
    for some in found.TEXTS:
        print([(match.span(), match.groups(), match.lastgroup) for match in one.finditer(text(some))])
point = found.Point(1)
print(point, hash(point) == hash(found.Point(1)), point < found.Point(2), found.replace(point, y=3))
try:
    point.x = 5
except AttributeError as error:
    print(type(error).__name__)
print(compiled_at_import, file=sys.stderr)
"""


def _look(folder: Path, kept: Path, **settings: str) -> tuple[str, int]:
    """What a start prints of the module, and how much it has compiled for it."""
    (folder / "somebodys.py").write_text(MODULE)
    environ = {**os.environ, "PYTHONPYCACHEPREFIX": str(kept), "PYTHONPATH": str(ROOT)} | settings
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", LOOK, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, env=environ, check=True, cwd=folder)
    return done.stdout, int(done.stderr)


def _file(kept: Path) -> Path:
    [found] = kept.rglob("compiled.*.kept")
    return found


def test_the_second_start_compiles_nothing_and_finds_the_same(tmp_path: Path) -> None:
    first, compiled = _look(tmp_path, tmp_path / "kept")
    assert compiled > 120
    again, compiled = _look(tmp_path, tmp_path / "kept")
    assert again == first
    assert compiled == 1  # the pattern of bytes
    assert "'day': 1" in first and "Point(x=1, y=3" in first and "FrozenInstanceError" in first


def test_what_is_compiled_after_the_imports_is_not_kept(tmp_path: Path) -> None:
    _look(tmp_path, tmp_path / "kept")
    from furoshiki.core.process.compiled import Kept, _key

    kept = Kept.at(_file(tmp_path / "kept"))
    assert kept.get(_key("0 number 7")) is not None
    assert kept.get(_key("0 said by somebody: [a-z]{3}")) is None


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 5_000])
def test_another_file_in_its_place_is_overwritten(tmp_path: Path, damage: bytes) -> None:
    first, _compiled = _look(tmp_path, tmp_path / "kept")
    path = _file(tmp_path / "kept")
    path.write_bytes(damage)
    again, compiled = _look(tmp_path, tmp_path / "kept")
    assert again == first and compiled > 120
    assert path.stat().st_size > 20_000


def test_an_installation_that_cannot_be_written_to_starts_as_always(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("no folder")
    first, compiled = _look(tmp_path, tmp_path / "kept")
    assert compiled > 120 and "FrozenInstanceError" in first


@pytest.mark.parametrize("change", ["_compiler._code = None", "_sre = None", "_encode_pattern = lambda *_: b''"])
def test_under_a_python_that_makes_patterns_in_another_way_nothing_is_replaced(change: str) -> None:
    look = (
        "import sys; sys.argv.append('--help')\n"
        "from furoshiki.core.process import compiled\n"
        f"always = compiled._compiler.compile; compiled.{change}; compiled.begin()\n"
        "assert compiled._compiler.compile is always"
    )
    subprocess.run([sys.executable, "-c", look], check=True, cwd=ROOT)
