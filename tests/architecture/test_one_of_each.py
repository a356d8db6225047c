"""What the house has one of: a way to compare vectors."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from tests.architecture.source import modules, parsed

Finds = Callable[[ast.AST], bool]


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


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
