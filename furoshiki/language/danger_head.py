"""How likely it is that somebody is in danger by the words of a message: a small head, for whatever vector is at hand.

It reads letters and words in every language (hashed), and with them the vector of the message where an encoder made
one. The weights are `config/danger_head.json`, made by `python -m bench.danger`; it takes less than a millisecond.
"""

from __future__ import annotations

import base64
import math
import re
import unicodedata
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.core.similarity import dot, unpack

CLASSES = ("none", "self", "friend", "violence", "harm", "emergency", "bright")
"""Nothing of it; the kinds of danger (`furoshiki.language.reflex.care.words.GRAVE`); good news and jokes, beside
which life goes on."""

SIZE = 1 << 14
"""Places that letters and words are hashed to."""

LONGEST = 300
"""Characters that are judged at once: the lines it was trained on are short. Of more each sentence is judged."""

MOST_SENTENCES = 40

LEAST_WORDS, LEAST_ALONE = 3, 2
"""Fewer words in plain letters say too little to be judged: of a sentence among others, and of a whole message ("voglio
morire")."""

ENOUGH_WORDS = 6
"""Without a vector a text of fewer words tells less of danger, in proportion."""

WORDS_ALONE = ""
"""In the place of an encoder's id: the head for words without a vector."""

_GRAMS = (2, 3, 4)
_ENDS = re.compile(r"(?<=[.!?\u2026\u3002\uff01\uff1f])\s*|\n+")


@dataclass(frozen=True)
class Bounds:
    """From which likelihood on danger is `sure`, from which it may be (`perhaps`), and from which a mind reads it where
    there is one (`read`), in (0, 1]; what words are taken for is not sure below `doubted`."""

    sure: float
    perhaps: float
    doubted: float
    read: float = 1.0


@dataclass(frozen=True)
class DangerHead:
    """The weights for one encoder's vectors, or for words alone: of each class in turn.

    `grams` has a weight for every place, `scale` is the size of one step of them; `centre` is what all vectors have in
    common.
    """

    bounds: Bounds
    grams: tuple[array[int], ...]
    scale: float
    constants: tuple[float, ...]
    centre: tuple[float, ...] = ()
    directions: tuple[tuple[float, ...], ...] = ()

    def shares(self, text: str, vector: Sequence[float] = ()) -> dict[str, float]:
        """How likely each class is; they add up to 1. Raises ValueError for a vector of another size."""
        places = hash_words(text)
        by = self.scale / math.sqrt(max(len(places), 1))
        found = [
            constant + by * sum(map(row.__getitem__, places))
            for constant, row in zip(self.constants, self.grams, strict=True)
        ]
        if self.directions:
            apart = [one - mean for one, mean in zip(vector, self.centre, strict=True)]
            length = math.sqrt(dot(apart, apart)) or 1.0
            found = [
                one + dot(direction, apart) / length for one, direction in zip(found, self.directions, strict=True)
            ]
        most = max(found)
        sizes = [math.exp(one - most) for one in found]
        shares = {name: size / sum(sizes) for name, size in zip(CLASSES, sizes, strict=True)}
        return shares if self.directions else _weigh_letters(shares, text)


def _weigh_letters(shares: Mapping[str, float], text: str) -> dict[str, float]:
    """What letters alone say of a text, as far as there are enough of them: two words of no meaning to the head ("and
    another") are no danger because it has never met them. Scripts without blanks count a word for two signs."""
    signs = sum(one.isalnum() for one in text)
    words = len(text.split()) if text.isascii() or " " in text.strip() else signs // 2
    weight = min(1.0, words / ENOUGH_WORDS)
    found = {name: share * weight for name, share in shares.items()}
    return {**found, "none": 1.0 - sum(share for name, share in found.items() if name != "none")}


def hash_words(text: str) -> list[int]:
    """The places of a text's words, pairs of words and runs of letters."""
    words = _words(unicodedata.normalize("NFKC", text[:LONGEST]).casefold())
    line = f" {' '.join(words)} "
    found = {line[at : at + size] for size in _GRAMS for at in range(len(line) - size + 1)}
    found.update(f"w:{word}" for word in words)
    found.update(f"b:{one} {two}" for one, two in zip(words, words[1:], strict=False))
    return [zlib.crc32(one.encode("utf-8", "replace")) & (SIZE - 1) for one in found]


def _words(text: str) -> list[str]:
    return "".join(sign if sign.isalnum() or sign == "_" else " " for sign in text).split()


def pieces(text: str) -> list[str]:
    """Split a message into the pieces judged at once: all of it, or each sentence of a long one."""
    parts = [text] if len(text) <= LONGEST else [part[:LONGEST] for part in _ENDS.split(text)]
    least = LEAST_ALONE if len(parts) == 1 else LEAST_WORDS
    return [part for part in parts if len(_words(part)) >= least or not part.isascii()][:MOST_SENTENCES]


def danger(shares: Mapping[str, float]) -> float:
    """How likely any danger is."""
    return 1.0 - shares.get("none", 1.0) - shares.get("bright", 0.0)


def gravest(each: Iterable[Mapping[str, float]]) -> Mapping[str, float]:
    """Return the piece's reading in which danger is likeliest; empty for none."""
    return max(each, key=danger, default={})


def heads(parsed: Mapping[str, Any], only: str | None = None) -> dict[str, DangerHead]:
    """The heads of a parsed file, or one alone, by their encoders' ids. ValueError for classes that are not ours."""
    if tuple(parsed["classes"]) != CLASSES or parsed["size"] != SIZE:
        raise ValueError("config/danger_head.json has other classes: make it again with python -m bench.danger --write")
    return {name: _head(one) for name, one in parsed["heads"].items() if only in (None, name)}


def _head(one: Mapping[str, Any]) -> DangerHead:
    centre, directions = unpack(one.get("centre", "")), unpack(one.get("directions", ""))
    rows = tuple(directions[at : at + len(centre)] for at in range(0, len(directions), len(centre) or 1))
    steps = array("b", base64.b64decode(one["grams"]))
    grams = tuple(steps[at : at + SIZE] for at in range(0, len(steps), SIZE))
    return DangerHead(Bounds(**one["bounds"]), grams, one["scale"], tuple(one["constants"]), centre, rows)
