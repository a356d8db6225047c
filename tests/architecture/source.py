"""The package's own source, parsed once for every test that reads it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "furoshiki"


USING = (
    "conversation", "skills", "forgetting", "import_export", "inner_life", "consolidation", "agenda", "user_model",
    "maintenance", "repair", "people", "memory", "perception", "feelings", "retrieval", "post_conversation",
)  # fmt: skip
"""Rooms of use cases, each with its rules and its store."""

_STORE = re.compile(r"furoshiki/(core/database/|migrations/|\w+/store(/|\.py)|host/leases/store\.py)")
_USE_CASE = re.compile(rf"furoshiki/({'|'.join(USING)})/(?!(?:rules|store)(?:/|\.py))")


def is_store(path: str) -> bool:
    """Whether a module may ask the database."""
    return _STORE.match(path) is not None


def is_use_case(path: str) -> bool:
    """Whether a module is called with a World, or helps one that is: no store, no rule, no service."""
    return _USE_CASE.match(path) is not None


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


def outside_stores(naming: str) -> dict[str, ast.Module]:
    """Those that may not ask the database."""
    return {path: tree for path, tree in modules(naming).items() if not is_store(path)}


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All of a module, walked through once for every test that looks for something in it."""
    return tuple(ast.walk(tree))


def imported(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The modules that a module imports anywhere, with the line."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node.lineno
