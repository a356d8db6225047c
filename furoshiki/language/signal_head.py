"""A second opinion on the signals of a message: a head on its vector, for the encoder it was trained on.

The lexicon knows words, the head knows what sentences with such words usually mean: "bought a mad amount of tomatoes"
is no anger. What the lexicon finds and the head hardly believes is dropped, what the head is sure of is added. The
lexicons of other languages are short: there the head of the encoder for those is heard sooner and drops nothing. The
weights are `config/signal_head.json`, made by `python -m bench.signal_head`.
"""

from __future__ import annotations

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


@dataclass(frozen=True)
class Heard:
    """How a head is heard, by the share that it gives, in [0, 1]: below `drops` what the lexicon finds is dropped,
    below `doubts` it is not said plainly, from `adds` on a signal is there without a word of the lexicon (from
    `adds_kind` on where it is kindness, which politeness sounds like). So strong as `plain_kind` is kindness at least
    that only the head sees. From `half` on, and below `certain`, something dark, or kindness, is heard by half: enough
    to ask a model whether it is there."""

    drops: float
    doubts: float
    adds: float
    adds_kind: float
    half: float
    certain: float
    plain_kind: float = 0.77

    def sure(self, category: str) -> float:
        """Return the probability from which a signal of this category counts."""
        return self.adds_kind if category in (*KIND, "curiosity", "disengagement") else self.adds


ENGLISH = Heard(drops=0.2, doubts=0.3, adds=0.7, adds_kind=0.9, half=0.28, certain=0.7)
ABROAD = Heard(drops=0.0, doubts=0.02, adds=0.46, adds_kind=0.46, half=0.15, certain=0.5, plain_kind=0.9)
KIND = frozenset({"praise", "warmth"})
DARK = ("sadness", "worry", "anger", "frustration", "disengagement")
"""What somebody in danger feels, one of them at least."""

BRIGHT = frozenset({"praise", "warmth", "excitement", "relief"})
DOUBTED_BY = 0.4
"""What is bright is not said plainly where something dark has this part of its share: good news of somebody else ("my
mate got engaged and rang everyone but me") reads like one's own."""

PLAIN, LESS, BY_SHARE = 0.6, 0.55, 0.2
"""How strong what only the head sees is at least, but for kindness, and at most what it does not see; how much more
where the head is certain."""

LONGEST = 300
"""Characters of a message that one vector speaks for; the head was trained on sentences."""


Row = TypeVar("Row", "tuple[float, ...]", "array[int]")

LETTERS = 1 << 11
"""Places that the letters and words of a short message are hashed to."""

WIDEST, SIGN = 32, 2.5
"""So many letters wide is a message at most whose letters are heard beside its vector, which says little of a few words
("气死我了"); and so many letters a Chinese sign is wide."""

_SIGNS = re.compile("[\u2e81-\U0010ffff]")


@dataclass(frozen=True)
class Letters:
    """A weight of each category for every place that letters are hashed to, in steps of `scale`."""

    steps: tuple[array[int], ...]
    scale: float


@dataclass(frozen=True)
class Head:
    """The weights of each category, the constant last: one for each dimension of `encoder`'s vectors, or for each row
    of `hidden` (a layer of rectified units between the vector and the categories, each row's constant last). `apart`
    when each category was trained against all else, and one does not make another less likely."""

    encoder: str
    weights: Mapping[str, tuple[float, ...]]
    hidden: tuple[tuple[float, ...], ...] = ()
    letters: Letters | None = None
    apart: bool = False

    def shares(self, vector: Sequence[float], text: str = "") -> dict[str, float]:
        """How likely each category is for a message with this unit vector, in (0, 1); what is missing to 1 is how
        likely none of them is (the softmax with "none" as its reference). Its letters are heard where it is short.

        Raises ValueError for a vector of another size.
        """
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
        return {category: one / (1.0 + one if self.apart else whole) for category, one in odds.items()}


def heads(parsed: Mapping[str, Any], categories: Sequence[str] = CATEGORIES) -> dict[str, Head]:
    """The heads of a parsed file by the id of their encoder. ValueError for other categories than these."""
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
    """A head of packed rows: a row of weights for each category, and those of the hidden layer and of letters, where
    there are such."""
    rows = _rows(weights, len(categories))
    units = _rows(hidden, len(rows[0]) - 1) if hidden else ()
    return Head(encoder, dict(zip(categories, rows, strict=True)), units, _unpack_letters(letters) if letters else None)


def hash_letters(text: str) -> list[int]:
    """The places of what a short message is written with, Chinese sign by sign; none of a longer one's."""
    signs = len(_SIGNS.findall(text))
    if len(text) + signs * (SIGN - 1) > WIDEST:
        return []
    return list(map(LETTERS.__rmod__, hash_words(" ".join(text) if signs else text)))


def short(text: str) -> bool:
    """Whether one vector may speak for a message: short enough, and with letters."""
    return 0 < len(text) <= LONGEST and any(map(str.isalpha, text))


def second_opinion(text: str, found: Signals, shares: Mapping[str, float], heard: Heard = ENGLISH) -> Signals:
    """What was found in a message, after the head has been heard."""
    strengths = {one.category: one for one in found.found if shares.get(one.category, 1.0) >= heard.drops}
    doubted = BRIGHT if _in_doubt(shares, heard) else frozenset()
    for name, one in strengths.items():
        if name in doubted or shares.get(name, 1.0) < heard.doubts:
            strengths[name] = replace(one, strength=min(one.strength, LESS))
    for name, share in shares.items():
        if name in doubted:
            continue
        strength = (heard.plain_kind if name in KIND else PLAIN) + BY_SHARE * share
        known = strengths.get(name)
        if share >= heard.sure(name) and (known is None or known.strength < strength):
            spans = (Span(0, len(text), text),) if known is None else known.spans
            strengths[name] = Signal(name, strength, spans)
    return replace(found, found=tuple(sorted(strengths.values(), key=lambda one: -one.strength)))


def half_heard(found: Signals, shares: Mapping[str, float], heard: Heard = ENGLISH) -> bool:
    """Whether the head takes something dark, or kindness, for possible that the lexicon did not find, or something dark
    beside something bright."""
    said = {one.category for one in found.found}
    unsaid = {*DARK, *KIND} - said
    if _in_doubt(shares, heard) and any(name in said or shares.get(name, 0.0) >= heard.adds for name in BRIGHT):
        return True
    return any(heard.half <= shares.get(name, 0.0) < heard.certain for name in unsaid)


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
