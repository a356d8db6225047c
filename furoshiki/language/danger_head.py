"""The probability that a message shows a person in danger: a small head, with or without a
vector. It reads hashed letters and words of every language, plus the message's vector where an
encoder exists. The weights are `config/danger_head.json`, created by `python -m bench.danger`; a
reading takes less than a millisecond."""

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

# "none", the kinds of danger (`furoshiki.language.tables.care_words.GRAVE`), and "bright": good
# news and jokes, in which life goes on
CLASSES = ("none", "self", "friend", "violence", "harm", "emergency", "bright")

SIZE = 1 << 14  # hash buckets for letters and words
LONGEST = 300  # most characters judged at once, as training lines are short; else each sentence is

# most sentences judged of a long message, and of a short one beside the whole
MOST_SENTENCES, MOST_BESIDE = 40, 8

# least words (Latin script) to judge one sentence of several, or a whole message ("voglio morire")
LEAST_WORDS, LEAST_ALONE = 3, 2

ENOUGH_WORDS = 6  # without a vector, a text of fewer words counts in proportion to their number
WORDS_ALONE = ""  # the key of the head for words without a vector, in place of an encoder's id

_GRAMS = (2, 3, 4)
_ENDS = re.compile(r"(?<=[.!?\u2026\u3002\uff01\uff1f])\s*|\n+")


@dataclass(frozen=True)
class Bounds:
    """Probabilities in (0, 1] from which danger is `sure`, is possible (`perhaps`), or a model
    reads the message (`read`); a finding by rule is not sure below `doubted`."""

    sure: float
    perhaps: float
    doubted: float
    read: float = 1.0


LEAST_LIKELY = 1e-6  # no probability is taken to be smaller, so that its odds are finite
COMPARED_FROM = 0.004  # the probability of danger from which a text is compared with examples
NEVER = 1.01  # a probability that nothing reaches

# For a sentence among others, by its words alone. Of 739 everyday messages 8 are read by a model,
# and none is perhaps danger.
AMONG = Bounds(sure=NEVER, perhaps=0.95, doubted=0.3, read=0.8)

# For a message, or a sentence among others, in a language that nothing was trained in, compared with
# examples. Of 60 lines of danger in six such languages 53 are read by a model, and 43 are perhaps
# danger without one; of 120 hard harmless ones 40 and 8.
ELSEWHERE = Bounds(sure=NEVER, perhaps=0.78, doubted=0.3, read=0.3)
AMONG_ELSEWHERE = Bounds(sure=NEVER, perhaps=0.95, doubted=0.3, read=0.7)

# For a message in such a language without an encoder for it: a model reads nearly every one. Of the
# same lines of danger it reads 59, and 83 of 86 everyday lines; from 0.02 on 54 and 78.
BY_WORDS_ELSEWHERE = Bounds(sure=NEVER, perhaps=NEVER, doubted=0.0, read=0.01)


@dataclass(frozen=True)
class Nearness:
    """A logistic regression over how near a text lies to examples of danger, and the log odds that
    the head gives it. `bounds` hold for its result."""

    near: float
    head: float
    constant: float
    bounds: Bounds

    def weigh(self, shares: Mapping[str, float], near: float) -> dict[str, float]:
        """Return class probabilities with danger made as likely as `near` makes it, in (-2, 2)."""
        before = min(max(danger(shares), LEAST_LIKELY), 1 - LEAST_LIKELY)
        odds = self.near * near + self.head * math.log(before / (1 - before)) + self.constant
        likely = 1 / (1 + math.exp(-odds))
        harmless = ("none", "bright")
        return {
            name: share * ((1 - likely) / (1 - before) if name in harmless else likely / before)
            for name, share in shares.items()
        }


@dataclass(frozen=True)
class DangerHead:
    """The weights of each class, for one encoder's vectors or for words alone.

    `grams` has a weight per hash bucket in steps of `scale`; `centre` is the mean of all vectors;
    `nearness` compares with examples, where there are some for the encoder.
    """

    bounds: Bounds
    grams: "tuple[array[int], ...]"
    scale: float
    constants: tuple[float, ...]
    centre: tuple[float, ...] = ()
    directions: tuple[tuple[float, ...], ...] = ()
    nearness: Nearness | None = None

    def shares(self, text: str, vector: Sequence[float] = ()) -> dict[str, float]:
        """Return class probabilities (sum 1). ValueError for a vector of another size."""
        places = hash_words(text)
        by = self.scale / math.sqrt(max(len(places), 1))
        scores = [
            constant + by * sum(map(row.__getitem__, places))
            for constant, row in zip(self.constants, self.grams, strict=True)
        ]
        if self.directions:
            apart = [one - mean for one, mean in zip(vector, self.centre, strict=True)]
            length = math.sqrt(dot(apart, apart)) or 1.0
            scores = [
                one + dot(direction, apart) / length for one, direction in zip(scores, self.directions, strict=True)
            ]
        most = max(scores)
        sizes = [math.exp(one - most) for one in scores]
        shares = {name: size / sum(sizes) for name, size in zip(CLASSES, sizes, strict=True)}
        return shares if self.directions else _weigh_letters(shares, text)


def _weigh_letters(shares: Mapping[str, float], text: str) -> dict[str, float]:
    """Scale the letters' verdict by the number of words: two unknown words ("and another") are
    no danger. In scripts without spaces two characters count as a word."""
    signs = sum(one.isalnum() for one in text)
    words = len(text.split()) if text.isascii() or " " in text.strip() else signs // 2
    weight = min(1.0, words / ENOUGH_WORDS)
    weighted = {name: share * weight for name, share in shares.items()}
    return {**weighted, "none": 1.0 - sum(share for name, share in weighted.items() if name != "none")}


def hash_words(text: str) -> list[int]:
    """Return the hash buckets of a text's words, word pairs and letter n-grams."""
    words = _words(unicodedata.normalize("NFKC", text[:LONGEST]).casefold())
    line = f" {' '.join(words)} "
    grams = {line[at : at + size] for size in _GRAMS for at in range(len(line) - size + 1)}
    grams.update(f"w:{word}" for word in words)
    grams.update(f"b:{one} {two}" for one, two in zip(words, words[1:], strict=False))
    return [zlib.crc32(one.encode("utf-8", "replace")) & (SIZE - 1) for one in grams]


def _words(text: str) -> list[str]:
    return "".join(sign if sign.isalnum() or sign == "_" else " " for sign in text).split()


def pieces(text: str) -> list[str]:
    """Split a message into pieces to judge: the whole, or the sentences of a long one."""
    parts = [text] if len(text) <= LONGEST else _ENDS.split(text)
    return _list_enough(parts)[:MOST_SENTENCES]


def sentences(text: str) -> list[str]:
    """Return the last sentences of a short message of several, each to be judged beside the whole."""
    parts = _ENDS.split(text)
    if len(parts) == 1 or len(text) > LONGEST:
        return []
    return _list_enough(parts)[-MOST_BESIDE:]


def _list_enough(parts: Sequence[str]) -> list[str]:
    least = LEAST_ALONE if len(parts) == 1 else LEAST_WORDS
    return [part[:LONGEST] for part in parts if len(_words(part)) >= least or not part.isascii()]


def danger(shares: Mapping[str, float]) -> float:
    """Return the probability of any kind of danger."""
    return 1.0 - shares.get("none", 1.0) - shares.get("bright", 0.0)


def gravest(all_shares: Iterable[Mapping[str, float]]) -> Mapping[str, float]:
    """Return the reading with the most danger; empty without readings."""
    return max(all_shares, key=danger, default={})


def heads(parsed: Mapping[str, Any], only: str | None = None) -> dict[str, DangerHead]:
    """Return the heads of a file (or `only` one) by encoder id. ValueError for other classes."""
    if tuple(parsed["classes"]) != CLASSES or parsed["size"] != SIZE:
        raise ValueError("config/danger_head.json has other classes: make it again with python -m bench.danger --write")
    return {name: _head(one) for name, one in parsed["heads"].items() if only in (None, name)}


def _head(parsed: Mapping[str, Any]) -> DangerHead:
    centre, directions = unpack(parsed.get("centre", "")), unpack(parsed.get("directions", ""))
    rows = tuple(directions[at : at + len(centre)] for at in range(0, len(directions), len(centre) or 1))
    steps = array("b", base64.b64decode(parsed["grams"]))
    grams = tuple(steps[at : at + SIZE] for at in range(0, len(steps), SIZE))
    nearness = None
    if "nearness" in parsed:
        weights = dict(parsed["nearness"])
        nearness = Nearness(bounds=Bounds(**weights.pop("bounds")), **weights)
    bounds, constants = Bounds(**parsed["bounds"]), tuple(parsed["constants"])
    return DangerHead(bounds, grams, parsed["scale"], constants, centre, rows, nearness)
