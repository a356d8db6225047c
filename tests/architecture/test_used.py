"""What the package defines is used by the program, not by its tests alone.

Looked at is everything that stands at the head of a module (functions, classes, constants, public or not) and every
method. The first is held against the very module: a name is used where its own module names it outside of itself, where
another imports it or asks its module for it, or where a table names it as text. A method is used where anything asks
for that name.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from furoshiki.app.jobs import JOBS
from furoshiki.faces.cli.memory.main import _VERBS
from furoshiki.faces.cli.parser import build
from furoshiki.faces.dashboard.frame import PAGES
from furoshiki.messages.channels import CHANNELS
from tests.architecture.source import ROOT, nodes, parsed, texts

TOOLS = {
    path: ast.parse(path.read_text(encoding="utf-8"))
    for path in (*(ROOT / "scripts").glob("*.py"), *(ROOT / "bench").glob("*.py"), ROOT / "tests/docs/generate.py")
}
"""What begins the program, measures it, and writes the vectors, weights and pages it ships with."""

FOR_OTHERS = {
    "furoshiki.core.catalogue._Filler.format_field": "called by string.Formatter",
    "furoshiki.channels.telegram.session.RawAnswers.check_response": "called by aiogram",
    "furoshiki.channels.telegram.session.Session.create_session": "called by aiogram",
    "furoshiki.extensions.plugins.broker.mail._Mailbox._create_socket": "called by imaplib",
    "furoshiki.core.network.proxies.Http.http_open": "called by urllib",
    "furoshiki.core.network.proxies.Https.https_open": "called by urllib",
    "furoshiki.faces.cli.parser.Parser._check_value": "called by argparse",
    "furoshiki.recall.retrieval.memoryd.homes.HomeInLog.filter": "called by logging",
    "furoshiki.core.terminal._Guarded.writelines": "called by what writes to the terminal",
    "furoshiki.faces.dashboard.server._Server.capture_signals": "called by uvicorn",
    "furoshiki.faces.dashboard.server._Server.main_loop": "called by uvicorn",
    "furoshiki.archive.import_export.formats.opening._Member.seekable": "called by io",
    "furoshiki.archive.import_export.formats.opening._Member.readable": "called by io",
    "furoshiki.archive.import_export.formats.opening._Member.readinto": "called by io",
    "furoshiki.models.llm.sdk_client._EmptyTypes.create_module": "called by import",
    "furoshiki.models.llm.sdk_client._EmptyTypes.exec_module": "called by import",
    "furoshiki.app.scheduler.loop.Alarm.should_run": "asked by schedule",
    "furoshiki.conversation.worker.Worker.judged": "awaited by the simulator",
}
"""Methods that a library calls, and by what."""

FOR_AUTHORS = "furoshiki/extensions/plugins/sdk/furoshiki_plugin.py"
"""What plugins import, which others write: all of it is for them."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def module(path: str) -> str:
    """The name of the module at a path of the checkout."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def modules() -> dict[str, ast.Module]:
    return {
        module(path): parsed(path) for path in sorted(texts()) if "/migrations/" not in path and path != FOR_AUTHORS
    }


def defined(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """The names that statements define, with the statement; those under `if` and `try` too."""
    for node in body:
        if isinstance(node, Definition):
            yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (
                (one.id, node)
                for target in targets
                for one in ast.walk(target)
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            )
        elif isinstance(node, ast.If | ast.Try):
            yield from defined([*node.body, *node.orelse])


def names_of_modules(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """What a module calls other modules of the package: by import, or in a loop over several."""
    found: dict[str, tuple[str, ...]] = {}
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if f"{node.module}.{alias.name}" in modules():
                    found[alias.asname or alias.name] = (f"{node.module}.{alias.name}",)
    for node in nodes(tree):
        if isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Tuple | ast.List):
            each = [one.id for one in node.iter.elts if isinstance(one, ast.Name)]
            if isinstance(node.target, ast.Name) and each and all(name in found for name in each):
                found[node.target.id] = tuple(full for name in each for full in found[name])
    return found


def used_by(name: str, tree: ast.Module) -> Iterator[str]:
    """What a module uses of the package, each as "module.name"."""
    called = names_of_modules(tree)
    for top in tree.body:
        own = top.name if isinstance(top, Definition) else None
        for node in ast.walk(top):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id != own:
                yield f"{name}.{node.id}"
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield from (f"{full}.{node.attr}" for full in called.get(node.value.id, ()))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call):  # import_module("…").Name
            yield from (f"{one.value}.{node.attr}" for one in node.value.args if isinstance(one, ast.Constant))


def commands(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The modules of a command and of its verbs."""
    yield from filter(None, [parser.get_default("module")])
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from commands(below)


def doors() -> Iterator[str]:
    """What tables name as text, each as "module.name"."""
    for job in JOBS.values():
        for step in (*job.steps, *job.for_others):
            yield from (step.due.replace(":", "."), step.use_case.replace(":", "."))
    yield from (f"furoshiki.faces.dashboard.pages.{page.path.strip('/') or 'now'}.PAGE" for page in PAGES)
    yield from (name.replace(":", ".") for one in CHANNELS.values() for name in (one.shape, one.fetch) if name)
    shell = "furoshiki.faces.cli"
    yield from (f"{shell}.memory.{name}" for name in _VERBS.values())
    run = {importlib.util.resolve_name(f".{name}", shell) for name in commands(build())}
    yield from (f"{module}.run" for module in run if module in modules())


def registered(node: ast.stmt) -> bool:
    """Whether a decorator puts a function into a table (`@rule("Tp")`, `@Command("help", …)`, `@router.get("/")`)."""
    marks = node.decorator_list if isinstance(node, Definition) else []
    tables = (ast.unparse(one.func) for one in marks if isinstance(one, ast.Call))
    return any(table in ("rule", "attempt", "Command", "Button") or table.startswith("router.") for table in tables)


def test_everything_a_module_defines_is_used_by_the_program() -> None:
    used = {one for name, tree in modules().items() for one in used_by(name, tree)} | set(doors())
    used |= {one for path, tree in TOOLS.items() for one in used_by(path.stem, tree)}
    unused = [
        f"{name}.{own}"
        for name, tree in modules().items()
        for own, node in defined(tree.body)
        if not own.startswith("__") and f"{name}.{own}" not in used and not registered(node)
    ]
    assert not unused, f"only tests use {unused}: wire them, or take them out"


def test_every_method_is_asked_for() -> None:
    asked = Counter(node.attr for tree in modules().values() for node in nodes(tree) if isinstance(node, ast.Attribute))
    unused = [
        f"{name}.{held.name}.{method.name}"
        for name, tree in modules().items()
        for held in nodes(tree)
        if isinstance(held, ast.ClassDef)
        for method in held.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
        and not re.fullmatch(r"__\w+__", method.name)
        and not any("validator" in ast.unparse(mark) for mark in method.decorator_list)
        and not asked[method.name]
    ]
    assert set(unused) == FOR_OTHERS.keys(), "wire what only tests use, or take it out"
