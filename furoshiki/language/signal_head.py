"""A classifier on a message's vector that corrects the signals found by the lexicon.

The lexicon knows words; the head knows what sentences with them usually mean: "bought a mad amount
of tomatoes" is no anger. Signals the head finds unlikely are dropped, those it is sure of are
added. Lexicons of other languages are short, so their encoder's head adds sooner and drops nothing.
The weights are `config/signal_head.json`, created by `python -m bench.signal_head`.
"""

import base64
import math
import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from furoshiki.core.similarity import dot, unpack
from furoshiki.language.danger_head import hash_words
from furoshiki.language.lexicon import CATEGORIES
from furoshiki.language.signals import Signal, Signals, Span
from furoshiki.language.words import WORD


@dataclass(frozen=True)
class Heard:
    """Thresholds for a head's probabilities, in [0, 1]: below `drops` a lexicon signal is
    dropped, below `doubts` weakened; from `adds` (`adds_kind` for kindness, which politeness
    resembles) a signal is added without a lexicon word. `plain_kind` is the least strength of
    kindness found by the head alone. A bright signal below `certain` is in doubt next to a dark
    one. A model is asked about a signal of the head alone from `half` (dark, kind) or `adds`
    (other bright ones) to below `read` (`read_anger`, `read_joy`), and about a dark lexicon signal below
    `half`."""

    drops: float
    doubts: float
    adds: float
    adds_kind: float
    half: float
    read: float
    read_anger: float
    read_joy: float
    certain: float
    plain_kind: float = 0.77

    def sure(self, category: str) -> float:
        """Return the probability from which a signal of this category counts."""
        return self.adds_kind if category in (*KIND, "curiosity", "disengagement") else self.adds


ENGLISH = Heard(
    drops=0.2, doubts=0.3, adds=0.7, adds_kind=0.9, half=0.28, read=0.7, read_anger=0.7, read_joy=0.7, certain=0.7
)
ABROAD = Heard(
    drops=0.0,
    doubts=0.02,
    adds=0.46,
    adds_kind=0.46,
    half=0.15,
    read=0.75,
    read_anger=1.0,
    read_joy=1.0,
    certain=0.5,
    plain_kind=0.9,
)
# in a language that the head was not trained in, where it is to judge without letters: of 86 lines
# in six of them 2 bad news were heard as joy and 12 of 30 neither heard nor asked about by
# `ABROAD`, 0 and 5 by this
ELSEWHERE = replace(ABROAD, adds=0.8, adds_kind=0.8, read=1.0)

KIND = frozenset({"praise", "warmth"})
# feelings of which a person in danger has at least one
DARK = ("sadness", "worry", "anger", "frustration", "disengagement")

BRIGHT = frozenset({"praise", "warmth", "excitement", "relief"})
# categories that move the companion for longer than a moment: all but curiosity
FELT = BRIGHT | {*DARK}

# a bright feeling is weakened if a dark one has at least this part of its probability: another
# person's good news ("my mate got engaged and rang everyone but me") reads like one's own
DOUBTED_BY = 0.4

# least strength of a signal that only the head finds (kindness apart), most strength of a doubted
# one, and the addition at probability 1
PLAIN, LESS, BY_SHARE = 0.6, 0.55, 0.2

# longest message (characters) that one vector represents; the head was trained on sentences
LONGEST = 300


Row = TypeVar("Row", "tuple[float, ...]", "array[int]")

LETTERS = 1 << 11  # hash buckets for the letters and words of a short message

# widest message whose letters are used besides its vector, which says little about a few words
# ("气死我了"), and the width of a Chinese character, both in letters
WIDEST, SIGN = 32, 2.5

_SIGNS = re.compile("[\u2e81-\U0010ffff]")


@dataclass(frozen=True)
class Letters:
    """Per category, a weight for each hash bucket, in steps of `scale`."""

    steps: "tuple[array[int], ...]"
    scale: float


@dataclass(frozen=True)
class Head:
    """The weights of each category, bias last: one per dimension of `encoder`'s vectors, or per
    unit of `hidden` (a ReLU layer; each row's bias last). `apart`: the categories were trained
    independently, one against all others, so that probabilities need not sum to 1. `beside`
    classifies the same vector by other categories."""

    encoder: str
    weights: Mapping[str, tuple[float, ...]]
    hidden: tuple[tuple[float, ...], ...] = ()
    letters: Letters | None = None
    apart: bool = False
    beside: "Head | None" = None

    def shares(self, vector: Sequence[float], text: str = "") -> dict[str, float]:
        """Return each category's probability for a unit vector, in (0, 1); the rest to 1 is
        "none" (softmax with "none" as reference). Letters are used if the text is short. Raises
        ValueError for a vector of another size."""
        others: dict[str, float] = {}
        if self.beside is not None:
            others = self.beside.shares(vector, text)
        if self.hidden:
            vector = [max(0.0, dot(weights, vector) + constant) for *weights, constant in self.hidden]
        odds = {}
        for category, (*weights, constant) in self.weights.items():
            odds[category] = math.exp(dot(weights, vector) + constant)
        if self.letters is not None and (places := hash_letters(text)):
            by = self.letters.scale / math.sqrt(len(places))
            for category, row in zip(self.weights, self.letters.steps, strict=True):
                odds[category] *= math.exp(by * sum(map(row.__getitem__, places)))
        whole = 1.0 + sum(odds.values())
        return {category: one / (1.0 + one if self.apart else whole) for category, one in odds.items()} | others


def heads(parsed: Mapping[str, Any], categories: Sequence[str] = CATEGORIES) -> dict[str, Head]:
    """Return the heads of a parsed file by encoder id. Raises ValueError for other categories."""
    if tuple(parsed["categories"]) != tuple(categories):
        raise ValueError(f"it has other categories than {', '.join(categories)}: make it again, as it says how")
    hidden, letters = parsed.get("hidden", {}), parsed.get("letters", {})
    return {
        encoder: unpack_head(encoder, packed, hidden.get(encoder, ""), categories, letters.get(encoder))
        for encoder, packed in parsed["weights"].items()
    }


def unpack_head(
    encoder: str,
    weights: str,
    hidden: str = "",
    categories: Sequence[str] = CATEGORIES,
    letters: Mapping[str, Any] | None = None,
) -> Head:
    """Build a head from packed rows: weights of the categories, and of the hidden layer and
    letters, if any."""
    rows = _rows(weights, len(categories))
    units = _rows(hidden, len(rows[0]) - 1) if hidden else ()
    return Head(encoder, dict(zip(categories, rows, strict=True)), units, _unpack_letters(letters) if letters else None)


def hash_letters(text: str) -> list[int]:
    """Return the hash buckets of a short message, Chinese by character; none for a longer one."""
    signs = len(_SIGNS.findall(text))
    if len(text) + signs * (SIGN - 1) > WIDEST:
        return []
    return list(map(LETTERS.__rmod__, hash_words(" ".join(text) if signs else text)))


def short(text: str) -> bool:
    """Return whether one vector can represent a message: short enough, and with letters."""
    return 0 < len(text) <= LONGEST and any(map(str.isalpha, text))


def says_only(text: str, signals: Signals, free: frozenset[str]) -> bool:
    """Return whether a feeling's words are the whole message but for `free` ones ("so fed up"): a
    vector of so few words says less than they do. Of 390 such lines 387 feelings were right by the
    words, 307 by the head."""
    for signal in signals.found:
        if signal.category not in FELT - {"disengagement"}:
            continue
        rest = text
        for span in sorted(signal.spans, key=lambda each: -each.start):
            rest = f"{rest[: span.start]} {rest[span.end :]}"
        if signal.spans and free.issuperset(WORD.findall(rest.lower())):
            return True
    return False


def second_opinion(text: str, signals: Signals, shares: Mapping[str, float], heard: Heard = ENGLISH) -> Signals:
    """Return the signals of a message, corrected by the head's probabilities."""
    strengths = {signal.category: signal for signal in signals.found if shares.get(signal.category, 1.0) >= heard.drops}
    doubted = BRIGHT if _in_doubt(shares, heard) else frozenset()
    for name, signal in strengths.items():
        if name in doubted or shares.get(name, 1.0) < heard.doubts:
            strengths[name] = replace(signal, strength=min(signal.strength, LESS))
    for name, share in shares.items():
        if name in doubted:
            continue
        strength = (heard.plain_kind if name in KIND else PLAIN) + BY_SHARE * share
        known_signal = strengths.get(name)
        if share >= heard.sure(name) and (known_signal is None or known_signal.strength < strength):
            spans = (Span(0, len(text), text),) if known_signal is None else known_signal.spans
            strengths[name] = Signal(name, strength, spans)
    return replace(signals, found=tuple(sorted(strengths.values(), key=lambda one: -one.strength)))


def half_heard(signals: Signals, shares: Mapping[str, float], heard: Heard = ENGLISH) -> frozenset[str]:
    """Return the feelings that a model should judge too: head and lexicon disagree, the head alone
    finds one and is unsure of it (of anger and joy in other languages than English it always is:
    "que maravilha, mais uma multa"), or it is dark and stands beside a bright one."""
    categories = {signal.category for signal in signals.found}
    felt = {name: share for name, share in shares.items() if name in FELT}
    least = dict.fromkeys(FELT, heard.adds) | dict.fromkeys([*DARK, *KIND], heard.half)
    most = {"anger": heard.read_anger, "excitement": heard.read_joy, "relief": heard.read_joy}
    unsure = {name for name, share in felt.items() if name in categories and name in DARK and share < heard.half}
    for name in felt.keys() - categories:
        if least[name] <= felt[name] < most.get(name, heard.read):
            unsure.add(name)
    if _in_doubt(shares, heard) and any(name in categories or shares.get(name, 0.0) >= heard.adds for name in BRIGHT):
        unsure.add(max(DARK, key=lambda name: shares.get(name, 0.0)))
    return frozenset(unsure)


def _in_doubt(shares: Mapping[str, float], heard: Heard) -> bool:
    darkest = max(shares.get(name, 0.0) for name in DARK)
    brightest = max(shares.get(name, 0.0) for name in BRIGHT)
    return darkest > 0 and DOUBTED_BY * brightest <= darkest and brightest < heard.certain


def _unpack_letters(packed: Mapping[str, Any]) -> Letters:
    steps = array("b", base64.b64decode(packed["steps"]))
    return Letters(_split(steps, len(steps) // LETTERS), packed["scale"])


def _rows(packed: str, count: int) -> tuple[tuple[float, ...], ...]:
    return _split(unpack(packed), count)


def _split(flat: Row, count: int) -> tuple[Row, ...]:
    wide = len(flat) // count
    return tuple(flat[start : start + wide] for start in range(0, len(flat), wide))
