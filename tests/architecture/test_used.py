"""What the stores offer is used by the program, not by its tests alone."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from tests.architecture.source import is_store, parsed, texts


def offered() -> list[str]:
    """The public functions of every store, as "module.name"."""
    return [
        f"{Path(path).stem}.{node.name}"
        for path in sorted(texts())
        if is_store(path)
        for node in parsed(path).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]


def test_every_public_function_of_a_store_is_used() -> None:
    words = Counter(re.findall(r"\w+", "\n".join(texts().values())))
    unused = [name for name in offered() if words[name.partition(".")[2]] < 2]
    assert not unused, f"only tests use {unused}: wire them, or take them out"
