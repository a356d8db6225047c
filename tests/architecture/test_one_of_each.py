"""What the house has one of: a way to compare vectors, the names of months and weekdays, the numbers in words."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

import pytest

from furoshiki.language.calendar_names import MONTHS, WEEKDAYS
from furoshiki.language.numbers import ORDINALS, TO_TWELVE
from tests.architecture.source import modules, parsed

Finds = Callable[[ast.AST], bool]

VOCABULARY = "furoshiki/dates/vocabulary/"
"""What people write for the words of time, slips and short forms too, in each language."""


def multiplies_pairs(node: ast.AST) -> bool:
    """`sum(a * b for a, b in zip(…))` and `sum(map(mul, …))`, written out."""
    if not (isinstance(node, ast.Call) and _called(node) in {"sum", "fsum"} and node.args):
        return False
    summed = node.args[0]
    if isinstance(summed, ast.Call):
        return _called(summed) == "map" and isinstance(summed.args[0], ast.Name) and summed.args[0].id == "mul"
    return (
        isinstance(summed, (ast.GeneratorExp, ast.ListComp))
        and isinstance(summed.elt, ast.BinOp)
        and isinstance(summed.elt.op, ast.Mult)
        and isinstance(summed.generators[0].iter, ast.Call)
        and _called(summed.generators[0].iter) == "zip"
    )


@pytest.mark.parametrize(("finds", "home"), [(multiplies_pairs, "furoshiki/core/similarity.py")])
def test_it_is_written_out_in_one_module(finds: Finds, home: str) -> None:
    assert any(map(finds, ast.walk(parsed(home)))), "the home itself has none: this test looks for something else"
    found = [
        f"{path}:{getattr(node, 'lineno', 0)}"
        for path, tree in modules().items()
        if path != home
        for node in ast.walk(tree)
        if finds(node)
    ]
    assert not found, f"import it from {home}"


@pytest.mark.parametrize(
    ("row", "home"),
    [
        (MONTHS[9:], "furoshiki/language/calendar_names.py"),
        (WEEKDAYS[:3], "furoshiki/language/calendar_names.py"),
        (TO_TWELVE[5:8], "furoshiki/language/numbers.py"),
        (ORDINALS[4:7], "furoshiki/language/numbers.py"),
    ],
    ids=["months", "weekdays", "numbers", "ordinals"],
)
def test_a_row_of_names_stands_in_one_module(row: tuple[str, ...], home: str) -> None:
    found = [path for path, tree in modules().items() if set(row) <= _words(tree)]
    assert {path for path in found if not path.startswith(VOCABULARY)} == {home}


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _words(tree: ast.Module) -> set[str]:
    """The words of all strings of a module but its docstrings."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (
        str(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    )
    return {word for text in strings for word in re.findall("[a-z]+", text.lower())}
