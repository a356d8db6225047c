"""How dense the code is and how its functions are named, beside other programs.

    python -m bench.style [FOLDER ...]

Without a folder the product: furoshiki/ and scripts/. Of each folder: lines over 100 characters, conditional
expressions and comprehensions a thousand lines, comprehensions within another, functions named by a participle (`told`,
`said_back`), functions with more than six parameters, the longest function, and variables whose names do not say what
they hold (`one`, `found`). Tests and migrations are left out.

    furoshiki   4.5 % long, 25.5 conditional, 35.8 comprehensions, 124 nested,  2.7 % named so, 70 crowded,  76 lines
    fava 1.30   0.1 % long,  5.1 conditional,  9.6 comprehensions,  3 nested,  1.5 % named so,   2 crowded, 142 lines
    nanobot 0.3 0.4 % long, 13.4 conditional,  7.4 comprehensions,  20 nested,  3.3 % named so, 119 crowded, 870 lines
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = (ROOT / "furoshiki", ROOT / "scripts")
LEFT_OUT = ("/migrations/", "/node_modules/", "/tests/", "/__pycache__/")
LONG, MANY = 100, 6

FORM = re.compile(
    r"(?:[a-z]+(?:ed|ing)|said|told|kept|held|made|found|given|taken|shown|heard|known|left|lost|met|meant|begun|gone|done"
    r"|felt|read_out|spoken|written|chosen|seen|sent|built|drawn|thrown|worn|born|put_right)"
)
_VERBS = """
need feed embed speed seed bring ring sing string exceed proceed succeed shed spring swing cling fling bleed breed
"""
VERBS = frozenset(_VERBS.split())
"""Verbs that end like a participle."""

VAGUE = frozenset({"one", "found", "told", "held", "said", "read", "kept", "made", "known", "seen", "done", "gone"})
"""Names of variables and parameters that say how a value came about, and not what it is."""

COMPREHENSION = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Style:
    """The figures of some folders. Shares in [0, 1]; `ternaries` and `comprehensions` per thousand
    lines."""

    lines: int
    long: float
    ternaries: float
    comprehensions: float
    nested: int
    participles: float
    crowded: int
    longest: int
    vague: int


def main() -> None:
    """Print a row for each folder, or for the product."""
    folders = [[Path(name)] for name in sys.argv[1:]] or [list(PRODUCT)]
    print(
        f"{'':24}{'lines':>8}{'>100':>7}{'?: /k':>7}{'[] /k':>7}{'[[]]':>6}{'named so':>10}{'>6 args':>9}{'longest':>9}"
        f"{'vague':>8}"
    )
    for each in folders:
        found = measured(each)
        print(
            f"{each[0].name:24}{found.lines:>8}{found.long:>7.1%}{found.ternaries:>7.1f}{found.comprehensions:>7.1f}"
            f"{found.nested:>6}{found.participles:>10.1%}{found.crowded:>9}{found.longest:>9}"
            f"{found.vague:>8}"
        )


def measured(folders: Sequence[Path]) -> Style:
    """Return the figures of all Python files in folders. Raises SyntaxError."""
    lines = long = ternaries = comprehensions = nested = named = functions = crowded = longest = vague = 0
    for path in _files(folders):
        text = path.read_text(encoding="utf-8")
        each = text.splitlines()
        lines += len(each)
        long += sum(len(line) > LONG for line in each)
        for node in ast.walk(ast.parse(text)):
            ternaries += isinstance(node, ast.IfExp)
            comprehensions += isinstance(node, COMPREHENSION)
            nested += isinstance(node, COMPREHENSION) and _holds_another(node)
            vague += _binds(node) in VAGUE
            if isinstance(node, FUNCTION):
                functions += 1
                named += is_participle(node.name)
                crowded += _parameters(node) > MANY
                longest = max(longest, (node.end_lineno or node.lineno) - node.lineno + 1)
    thousands = max(lines, 1) / 1000
    return Style(
        lines,
        long / max(lines, 1),
        ternaries / thousands,
        comprehensions / thousands,
        nested,
        named / max(functions, 1),
        crowded,
        longest,
        vague,
    )


def is_participle(name: str) -> bool:
    """Return whether a function's name is a participle instead of a verb: `told`, `_shown_so`."""
    plain = name.strip("_")
    first = plain.split("_")[0]
    return first not in VERBS and (FORM.fullmatch(first) is not None or FORM.fullmatch(plain) is not None)


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            if not any(part in f"/{path.relative_to(folder)}" for part in LEFT_OUT):
                yield path


def _binds(node: ast.AST) -> str | None:
    """Return the name of the variable or parameter that a node binds, or None."""
    if isinstance(node, ast.arg):
        return node.arg
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else None


def _holds_another(node: ast.AST) -> bool:
    return any(isinstance(below, COMPREHENSION) for below in ast.walk(node) if below is not node)


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    given = function.args
    named = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return sum(name not in ("self", "cls") for name in named)


if __name__ == "__main__":
    main()
