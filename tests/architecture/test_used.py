"""What the stores offer is used by the program, not by its tests alone."""

from __future__ import annotations

import ast
import re
from collections import Counter

from furoshiki.core.paths import ROOT
from tests.architecture.source import is_store

PACKAGE = ROOT / "furoshiki"
USED = "\n".join(path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")))


def offered() -> list[str]:
    """The public functions of every store, as "module.name"."""
    return [
        f"{path.stem}.{node.name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if is_store(str(path.relative_to(ROOT)))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]


def test_every_public_function_of_a_store_is_used() -> None:
    words = Counter(re.findall(r"\w+", USED))
    unused = [name for name in offered() if words[name.partition(".")[2]] < 2]
    assert not unused, f"only tests use {unused}: wire them, or take them out"
