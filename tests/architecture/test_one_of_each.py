"""What the house has one of: a way to compare vectors, the names of months and weekdays, the numbers in words, the
words that deny, what a word is, and what its stem is."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from furoshiki.language.tables.calendar_names import MONTHS, WEEKDAYS
from furoshiki.language.tables.numbers import ORDINALS, TO_TWELVE
from tests.architecture.source import modules, nodes, parsed

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


_NOTHING_BUT_A_WORD = re.compile(r"(?:\[\^\\W(?:\\d)?_\]|\\w|\[\\w['\u2019-]*\]|\['[^\]]*\]|\(\?:|\)|[+*?])+")
"""A pattern of letters, digits, apostrophes and hyphens, and of nothing that stands before or behind a word."""


def compiles_a_word(node: ast.AST) -> bool:
    """`re.compile(r"[^\\W_]+")` and its like, and the same straight in `re.findall`."""
    if not (isinstance(node, ast.Call) and _called(node) in {"compile", "findall", "finditer"} and node.args):
        return False
    pattern = node.args[0]
    return (
        isinstance(pattern, ast.Constant)
        and isinstance(pattern.value, str)
        and "+" in pattern.value  # one letter is no word
        and _NOTHING_BUT_A_WORD.fullmatch(pattern.value) is not None
    )


def lists_endings(node: ast.AST) -> bool:
    """English endings to be taken off one after the other."""
    if not isinstance(node, ast.Tuple):
        return False
    return {"ing", "es"} <= {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}


def begins_a_day(node: ast.AST) -> bool:
    """`moment.replace(hour=0, minute=0, second=0, microsecond=0)`."""
    if not (isinstance(node, ast.Call) and _called(node) == "replace"):
        return False
    times = {word.arg: word.value for word in node.keywords}
    nought = [isinstance(value, ast.Constant) and value.value == 0 for value in times.values()]
    return list(times) == ["hour", "minute", "second", "microsecond"] and all(nought)


def names_a_day(node: ast.AST) -> bool:
    """`moment.strftime("%-d %B %Y")`: "3 March 2026"."""
    if not (isinstance(node, ast.Call) and _called(node) == "strftime" and node.args):
        return False
    return isinstance(node.args[0], ast.Constant) and node.args[0].value == "%-d %B %Y"


@pytest.mark.parametrize(
    ("finds", "home"),
    [
        (begins_a_day, "furoshiki/core/timestamps.py"),
        (names_a_day, "furoshiki/core/timestamps.py"),
        (multiplies_pairs, "furoshiki/core/similarity.py"),
        (compiles_a_word, "furoshiki/language/words.py"),
        (lists_endings, "furoshiki/language/words.py"),
    ],
)
def test_it_is_written_out_in_one_module(finds: Finds, home: str) -> None:
    assert any(map(finds, nodes(parsed(home)))), "the home itself has none: this test looks for something else"
    found = [
        f"{path}:{getattr(node, 'lineno', 0)}"
        for path, tree in modules().items()
        if path != home
        for node in nodes(tree)
        if finds(node)
    ]
    assert not found, f"import it from {home}"


@pytest.mark.parametrize(
    ("row", "home"),
    [
        (MONTHS[9:], "furoshiki/language/tables/calendar_names.py"),
        (WEEKDAYS[:3], "furoshiki/language/tables/calendar_names.py"),
        (TO_TWELVE[5:8], "furoshiki/language/tables/numbers.py"),
        (ORDINALS[4:7], "furoshiki/language/tables/numbers.py"),
        (("neither", "hardly", "nobody"), "furoshiki/language/tables/function_words.py"),
        (("tues", "wednes", "thurs"), None),  # "(?:mon|tues|wednes|…)day"
    ],
    ids=["months", "weekdays", "numbers", "ordinals", "denials", "weekdays without their day"],
)
def test_a_row_of_names_stands_in_one_module(row: tuple[str, ...], home: str | None) -> None:
    found = [path for path, tree in modules().items() if set(row) <= _words(tree)]
    assert found == ([home] if home else [])


def test_a_module_gives_a_name_once() -> None:
    """What is defined again below takes the place of what functions above it mean."""
    twice = {
        path: [name for name, count in Counter(_given(tree)).items() if count > 1] for path, tree in modules().items()
    }
    assert {path: names for path, names in twice.items() if names} == {}


def _given(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if not any(getattr(one, "id", "") == "overload" for one in node.decorator_list):
                yield node.name
        elif isinstance(node, ast.Assign):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


@cache
def _words(tree: ast.Module) -> set[str]:
    """The words of all strings of a module but its docstrings."""
    said = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr)}
    strings = (
        str(node.value)
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    )
    return {word for text in strings for word in re.findall("[a-z]+", text.lower())}
