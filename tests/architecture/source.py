"""The package's own source, parsed once for every test that reads it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "furoshiki"


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its path in the checkout, parsed."""
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}


def outside(*folders: str) -> dict[str, ast.Module]:
    """The modules that lie in none of these folders or files."""
    return {path: tree for path, tree in modules().items() if not path.startswith(folders)}


def imported(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The modules that a module imports anywhere, with the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node.lineno
