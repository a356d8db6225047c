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
_EXPRESSION = re.compile(r"\({0,3}\d[\d.()+*/\s-]{1,58}[\d)]")
# most words beside a sum in a question of any language, or letters in writing without spaces
_MOST_BESIDE, _MOST_SIGNS = 3, 6
_SPOKEN = (
    (r"\bplus\b", "+"),
    (r"\bminus\b", "-"),
    (r"\b(?:times|multiplied by)\b|(?<=\d )(?:mal|por|per|fois|vezes|çarpı)(?= \d)|[x\u00d7](?=\s*\d)", "*"),
    (r"\bdivided by\b|\bover\b|\u00f7", "/"),
    (r"(?<!\d)(\d+(?:\.\d+)?)\s*(?:%|percent) of", r"\1/100*"),
    (r",(?=\d{3}\b)", ""),
)


def compute(plain: str, asked: bool = False) -> str | None:
    """Return the answer to a small sum in lower case ("what's 12 * 7", "15% of 80"); None for
    look-alikes. With `asked` few words of any language may stand beside it ("cuánto es 5+5")."""
    text = re.sub(r"^(?:what(?:'s| is)|how much is|calculate|compute|work out)\s+", "", plain).strip(" =?")
    if (root := _ROOT.fullmatch(text)) is not None:
        return f"{math.sqrt(float(root['of'])):,.10g}."
    for pattern, sign in _SPOKEN:
        text = re.sub(pattern, sign, text)
    expression = _EXPRESSION.search(text)
    beside = "" if expression is None else text.replace(expression[0], " ", 1)
    few = len(beside) <= _MOST_SIGNS or (" " in beside.strip() and len(beside.split()) <= _MOST_BESIDE)
    if asked and expression is not None and few:
        text = expression[0].strip()
    if not re.fullmatch(r"[\d.\s()+*/-]{3,60}", text) or not re.search(r"\d\s*[+*/-]\s*[\d(]", text):
        return None
    if (asked or text == plain) and re.fullmatch(r"\d+([-/.])\d+(\1\d+)*", text):
        return None  # a date or a telephone number, sent by itself
    try:
        value = _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError):
        return None if asked else "That sum has no answer I could give."
    return f"{value:,.10g}."


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    raise ValueError("not a sum")
