"""Play: jokes, dice and coins, sums, and conversation topics."""

import ast
import math
import operator
import re
from collections.abc import Callable

from furoshiki.core import numbers
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.lines import CURIOSITIES, JOKES
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import Wording, join_sentences
from furoshiki.language.requests import conversions

_JOKE = r"\bjokes?\b|\bsomething funny\b|\bmake me (?:laugh|smile)\b"
_ANOTHER = r"^(?:(?:tell me |just )?another(?: one)?|one more)(?: please)?$"
_BORED = r"\bi'?m (?:so |really |a bit |kind of )?bored\b"
_TALK = (
    r"\b(?:ask me (?:something|anything|a question|another)|what should we talk about|let's talk|talk to me"
    r"|entertain me|what now|your turn)\b|^(?:please )?tell me (?:something|anything)(?: interesting| fun| new| cool)?$"
)


_REPEATED = re.compile(r"^\W*(?:please )?(?:repeat|say) after me\W{1,3}(?P<words>.{1,200})$", re.IGNORECASE | re.DOTALL)
_SPELL = re.compile(r"(?:please |can you |how do you )?spell (?:the word )?(?P<word>[^\W\d_]{2,30})(?: for me)?")
_SOFT = "Gladly. One may laugh on such a day, too.", "Of course. It takes nothing away from the rest."
_GRAVE = ("If it helps for a moment, gladly. What you told me stays as serious, and the number I named still answers.",)
"""Openings of a requested joke after distress, and while the user may be in danger."""


def asks_joke(heard: Heard) -> bool:
    """Return whether a joke is requested."""
    return heard.says(_JOKE)


def play(heard: Heard, wording: Wording) -> Reflex | None:
    """Play along, if requested."""
    joked = any(joke in reply for joke in JOKES for reply in wording.replies[-3:])
    if asks_joke(heard) or (heard.says(_ANOTHER) and joked):
        joke = wording.unused(JOKES) or "I'm out of jokes. There were only so many, and you've had them all."
        weight = heard.situation.weighs
        if weight is None or joked:
            return Reflex(joke)
        return Reflex(join_sentences(wording.one(_GRAVE if weight.notice.grave else _SOFT), joke))
    if heard.says(_BORED) or heard.says(_TALK):
        return Reflex(wording.one(CURIOSITIES))
    if (again := _REPEATED.match(heard.text)) is not None:
        return Reflex(again["words"])
    if (spelled := _SPELL.fullmatch(heard.plain)) is not None:
        return Reflex("-".join(spelled["word"].upper()) + ".")
    if (converted := conversions.convert(heard.plain)) is not None:
        return Reflex(converted)
    chance = _chance(heard, wording)
    return Reflex(chance) if chance is not None else _sum(heard)


def _chance(heard: Heard, wording: Wording) -> str | None:
    if heard.says(r"\b(?:flip|toss|throw) (?:a |the )?coin|\bheads or tails"):
        return wording.rng.choice(("Heads.", "Tails."))
    dice = re.search(r"\broll (?:a |the |me a )?(?:(?P<n>\d|two|three) )?(?:dice|die|d(?P<sides>\d+))\b", heard.plain)
    if dice is not None:
        sides = min(1000, max(2, int(dice["sides"] or 6)))
        count = {"two": 2, "three": 3}.get(dice["n"] or "", numbers.row(dice["n"]) or 1)
        return " and ".join(str(wording.rng.randint(1, sides)) for _ in range(max(1, count))) + "."
    between = re.search(r"\b(?:number|pick|choose)\b.*\bbetween (?P<low>\d{1,9}) and (?P<high>\d{1,9})", heard.plain)
    if between is not None:
        low, high = sorted((int(between["low"]), int(between["high"])))
        return f"{wording.rng.randint(low, high)}."
    choice = re.match(
        r"(?:please )?(?:choose|decide|pick)(?: for me)?:? (?:between )?(?P<a>.{2,40}?) (?:or|and) (?P<b>.{2,40})$",
        heard.plain,
    )
    if choice is None:
        return None
    picked = wording.rng.choice((choice["a"], choice["b"]))
    return wording.one(("{picked}. The dice said so.", "I'd say {picked}, for no good reason."), picked=picked)


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


def _sum(heard: Heard) -> Reflex | None:
    """Compute a small sum: "what's 12 * 7", "15% of 80"; None for look-alikes."""
    text = re.sub(r"^(?:what(?:'s| is)|how much is|calculate|compute|work out)\s+", "", heard.plain).strip(" =?")
    if (root := _ROOT.fullmatch(text)) is not None:
        return Reflex(f"{math.sqrt(float(root['of'])):,.10g}.")
    for pattern, sign in _SPOKEN:
        text = re.sub(pattern, sign, text)
    if not re.fullmatch(r"[\d.\s()+*/-]{3,60}", text) or not re.search(r"\d\s*[+*/-]\s*[\d(]", text):
        return None
    if text == heard.plain and re.fullmatch(r"\d+([-/.])\d+(\1\d+)*", text):
        return None  # a date or a telephone number, sent by itself
    try:
        value = _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError):
        return Reflex("That sum has no answer I could give.")
    return Reflex(f"{value:,.10g}.")


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    raise ValueError("not a sum")
