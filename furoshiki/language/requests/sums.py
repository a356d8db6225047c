"""Compute small sums: plus, minus, times, over, shares in percent, and square roots."""

import ast
import math
import operator
import re
from collections.abc import Callable

_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_ROOT = re.compile(r"(?:the )?(?:square root of|sqrt(?: of)?|√)\s?\(?(?P<of>\d{1,15}(?:\.\d{1,9})?)\)?")
_SPOKEN = (
    (r"\bplus\b", "+"),
    (r"\bminus\b", "-"),
    (r"\b(?:times|multiplied by)\b|[x\u00d7](?=\s*\d)", "*"),
    (r"\bdivided by\b|\bover\b|\u00f7", "/"),
    (r"(?<!\d)(\d+(?:\.\d+)?)\s*(?:%|percent) of", r"\1/100*"),
    (r",(?=\d{3}\b)", ""),
)


def compute(plain: str) -> str | None:
    """Return the answer to a small sum in lower case ("what's 12 * 7", "15% of 80"); None for
    look-alikes."""
    text = re.sub(r"^(?:what(?:'s| is)|how much is|calculate|compute|work out)\s+", "", plain).strip(" =?")
    if (root := _ROOT.fullmatch(text)) is not None:
        return f"{math.sqrt(float(root['of'])):,.10g}."
    for pattern, sign in _SPOKEN:
        text = re.sub(pattern, sign, text)
    if not re.fullmatch(r"[\d.\s()+*/-]{3,60}", text) or not re.search(r"\d\s*[+*/-]\s*[\d(]", text):
        return None
    if text == plain and re.fullmatch(r"\d+([-/.])\d+(\1\d+)*", text):
        return None  # a date or a telephone number, sent by itself
    try:
        value = _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError):
        return "That sum has no answer I could give."
    return f"{value:,.10g}."


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    raise ValueError("not a sum")
