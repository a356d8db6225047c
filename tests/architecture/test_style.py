"""The code gets no denser: what `python -m bench.style` counts may only fall, and its bound here with it."""

from __future__ import annotations

import ast

from bench.style import PRODUCT, is_participle, measured
from tests.architecture.source import modules


def test_the_code_is_no_denser_than_it_was() -> None:
    found = measured(PRODUCT)
    assert round(found.long * found.lines) <= 6_960
    assert round(found.ternaries * found.lines / 1000) <= 3_920
    assert round(found.comprehensions * found.lines / 1000) <= 5_495
    assert found.nested <= 125
    assert found.participles <= 0.03
    assert found.crowded <= 72
    assert found.longest <= 76
    assert found.vague <= 4_050


def test_a_participle_is_no_verb() -> None:
    assert all(map(is_participle, ("told", "_said_back", "shown", "learned")))
    assert not any(map(is_participle, ("tell", "embed", "bring_back", "read", "find", "needs")))


def test_nothing_is_defined_behind_the_call_of_main() -> None:
    """What stands there is not there yet when a script begins."""
    behind = [f"{path}:{node.lineno}" for path, tree in modules().items() for node in _behind_main(tree)]
    assert behind == []


def test_what_a_constant_means_stands_in_a_comment() -> None:
    """A string behind it is a statement that does nothing: a slip in it shows nowhere."""
    strings = [f"{path}:{node.lineno}" for path, tree in modules().items() for node in _strings_behind(tree)]
    assert strings == []


def _strings_behind(tree: ast.Module) -> list[ast.stmt]:
    """Strings that stand as statements behind another in a module or a class."""
    bodies = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    return [node for body in bodies for node in body[1:] if _is_string(node)]


def _is_string(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _behind_main(tree: ast.Module) -> list[ast.stmt]:
    calls = [place for place, node in enumerate(tree.body) if isinstance(node, ast.If) and _calls_main(node.test)]
    return tree.body[calls[-1] + 1 :] if calls else []


def _calls_main(test: ast.expr) -> bool:
    return any(isinstance(node, ast.Constant) and node.value == "__main__" for node in ast.walk(test))
