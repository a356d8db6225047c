"""The package's own source, parsed once for every test that reads it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "furoshiki"


@cache
def texts() -> dict[str, str]:
    """Every module of the package by its path in the checkout."""
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}


@cache
def parsed(path: str) -> ast.Module:
    """One module."""
    return ast.parse(texts()[path])


def modules(naming: str = "") -> dict[str, ast.Module]:
    """The modules with this word in them, all of them without one, parsed."""
    return {path: parsed(path) for path, text in texts().items() if naming in text}


def outside(*folders: str, naming: str) -> dict[str, ast.Module]:
    """Those that lie in none of these folders or files."""
    return {path: tree for path, tree in modules(naming).items() if not path.startswith(folders)}


def imported(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The modules that a module imports anywhere, with the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node.lineno
