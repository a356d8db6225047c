"""The package's own source, parsed once for every test that reads it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "furoshiki"


WINGS: Mapping[str, tuple[str, ...]] = {
    "faces": ("setup", "cli", "host_dashboard", "dashboard", "overview", "terminal"),
    "app": (".", "scheduler"),
    "conversation": (". | wandering", "commands", "acting | hearing | promises | onboarding", "skills"),
    "archive": ("forgetting", "import_export"),
    "mind": ("readiness", "outreach", "post_conversation", "inner_life", "consolidation | birthdays"),
    "extensions": ("repair | plugin_setup", "plugins | tool_servers"),
    "owner": ("agenda", "user_model | routing", "people"),
    "memory": (".", "perception | grounding"),
    "recall": ("retrieval", "embeddings"),
    "models": ("limits | choosing | media", "llm | speech"),
    "language": ("reflex", "requests", "dates", "."),
    "core": ("pictures | logins", "migrations", "."),
}
"""The rooms of each wing, from top to bottom: each imports only rooms below it, and two on one line do not see each
other. "." are the modules and folders that stand in the wing itself. A wing that is not here is one room."""

USING = (
    "conversation", "conversation/commands", "conversation/onboarding", "conversation/skills", "archive/forgetting",
    "archive/import_export", "mind/inner_life", "mind/consolidation", "mind/post_conversation", "owner/agenda",
    "owner/user_model", "owner/people", "maintenance", "extensions/repair", "memory", "memory/perception", "feelings",
    "recall/retrieval",
)  # fmt: skip
"""Rooms of use cases, each with its rules and its store."""

_STORE = re.compile(r"furoshiki/(core/database/|core/migrations/|.+/store(/|\.py))")
_JUDGES_OR_STORES = re.compile(r"/(rules|store)(/|\.py)")


def is_store(path: str) -> bool:
    """Whether a module may ask the database."""
    return _STORE.match(path) is not None


def is_use_case(path: str) -> bool:
    """Whether a module is called with a World, or helps one that is: no store, no rule, no service."""
    return room_of(path) in USING and _JUDGES_OR_STORES.search(path) is None


def room_of(path: str) -> str:
    """The room a module stands in: "mind/outreach", or "conversation" for what stands in the wing itself."""
    wing, *rest = path.removeprefix("furoshiki/").split("/")
    rooms = {room for line in WINGS.get(wing, ()) for room in line.split(" | ")}
    return f"{wing}/{rest[0]}" if len(rest) > 1 and rest[0] in rooms else wing


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
