"""Every regular expression of the package, with where it stands and how it is used.

`python -m tests.hostile.collecting` imports everything with an ear at the compiler of `re`, so that nothing depends on
where a pattern is kept. What is only compiled when it is needed (sayings, patterns inside functions) is found as well:
sayings by asking for each of them, the others in the source.
"""

from __future__ import annotations

import ast
import gc
import importlib
import json
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (ROOT / "furoshiki", ROOT / "scripts")
_CALLS = ("match", "search", "sub", "subn", "findall", "finditer", "fullmatch", "split", "compile")
_CALLS_RE = re.compile(rf"\bre\.(?:{'|'.join(_CALLS)})\b")
_ANCHORED = frozenset({"match", "fullmatch"})
_LOOKS_LIKE_ONE = re.compile(r"\\[bswdWSD]|\(\?|\.\*|\.\+|\]\+|\]\*")
_PLAIN_WORD = "word"
"""What stands for a name that is only known when a pattern is made."""

Found = dict[tuple[str, int], tuple[str, str]]
"""(pattern, flags) → (where, way of matching)."""


def collect_apart() -> str:
    """All of them as JSON, by a process of its own in which sets have one order: some patterns are made of sets."""
    asked = [sys.executable, "-m", "tests.hostile.collecting"]
    environ = {**os.environ, "PYTHONHASHSEED": "0"}
    return subprocess.run(asked, cwd=ROOT, env=environ, capture_output=True, text=True, check=True).stdout


def collected() -> Found:
    """All of them. Call it in a process of its own, before anything of the package is imported."""
    found: Found = {}
    compiled = re._compile  # type: ignore[attr-defined]

    def listening(pattern: Any, flags: int) -> Any:
        frame = sys._getframe(2)
        path = Path(frame.f_code.co_filename)
        if isinstance(pattern, str) and any(folder in path.parents for folder in FOLDERS):
            found.setdefault((pattern, int(flags)), (_where(path, frame.f_lineno), "finditer"))
        return compiled(pattern, flags)

    re._compile = listening  # type: ignore[attr-defined]
    from furoshiki.channels.telegram import lazy_aiogram

    lazy_aiogram.load()  # imported by itself it builds 600 models, for seconds
    modules = list(_imported())
    from furoshiki.app.wiring import lexicon

    lexicon()
    re._compile = compiled  # type: ignore[attr-defined]
    for module in modules:
        _with_ways(module, found)
        known = {pattern for pattern, _ in found}
        for pattern, flags, where, way in _in_functions(module):
            if pattern not in known:
                found[pattern, flags] = where, way
    from furoshiki.language.facts.patterns import Saying

    for one in gc.get_objects():
        if isinstance(one, Saying):
            found[one._expression.pattern, int(re.IGNORECASE)] = f"saying {one._saying!r}", "finditer"
    return found


def _imported() -> Iterator[ModuleType]:
    import furoshiki

    for found in pkgutil.walk_packages(furoshiki.__path__, "furoshiki."):
        if not found.name.endswith("__main__") and ".versions." not in found.name and not found.name.endswith(".env"):
            yield importlib.import_module(found.name)


def _where(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def _with_ways(module: ModuleType, found: Found) -> None:
    """Patterns with a name that are only ever matched from a beginning are tried like that."""
    text = Path(module.__file__ or "").read_text(encoding="utf-8")
    for name, value in vars(module).items():
        if not isinstance(value, re.Pattern) or not isinstance(value.pattern, str):
            continue
        ways = set(re.findall(rf"(?<!\w){name}\.(\w+)\(", text))
        for key, (where, _) in list(found.items()):
            if key[0] == value.pattern and ways and ways <= _ANCHORED and name.startswith("_"):
                found[key] = where, ways.pop() if len(ways) == 1 else "match"


def _in_functions(module: ModuleType) -> Iterator[tuple[str, int, str, str]]:
    """Patterns that are written inside functions, and tables of patterns that functions go through."""
    path = Path(module.__file__ or "")
    text = path.read_text(encoding="utf-8")
    if "reflex" not in path.parts and not _CALLS_RE.search(text):
        return
    tree = ast.parse(text)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_of_re(node))
    parts = {id(part) for call in calls for part in ast.walk(call) if part is not call}
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    parts |= {id(part) for string in strings for part in string.values}
    woven = {name.id for string in strings for name in ast.walk(string) if isinstance(name, ast.Name)}
    parts |= {id(node.value) for node in tree.body if isinstance(node, ast.Assign) and _name_of(node) in woven}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_of_re(node) and node.args:
            pattern = _text(node.args[0], module)
            if pattern is not None:
                way = node.func.attr  # type: ignore[attr-defined]
                flags = int(re.IGNORECASE) if "IGNORECASE" in ast.unparse(node) else 0
                yield pattern, flags, _where(path, node.lineno), way if way in _ANCHORED else "finditer"
        elif "reflex" in path.parts and isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in parts:
            pattern = _text(node, module)
            if pattern is not None and _LOOKS_LIKE_ONE.search(pattern) and _compiles(pattern):
                yield pattern, 0, _where(path, node.lineno), "finditer"


def _name_of(node: ast.Assign) -> str:
    """The one name that is given here, if it is one."""
    return node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""


def _is_of_re(node: ast.Call) -> bool:
    called = node.func
    return (
        isinstance(called, ast.Attribute)
        and called.attr in _CALLS
        and isinstance(called.value, ast.Name)
        and called.value.id == "re"
    )


def _text(node: ast.expr, module: ModuleType) -> str | None:
    """What a constant or an f-string says, as far as the module's names tell."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else _named(part.value, module)  # type: ignore[attr-defined]
            for part in node.values
        )
    return None


def _named(node: ast.expr, module: ModuleType) -> str:
    try:
        value = eval(compile(ast.Expression(node), "<pattern>", "eval"), dict(vars(module)))
    except Exception:  # a name of the function's own: any word will do
        return _PLAIN_WORD
    return value if isinstance(value, str) else _PLAIN_WORD


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


if __name__ == "__main__":
    print(json.dumps([[where, way, pattern, flags] for (pattern, flags), (where, way) in collected().items()]))
