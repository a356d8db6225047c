"""Thresholds of similarity for injecting recalled items into the prompt.

A ranking orders all items, near or not. Here absolute similarities count: the best matches of the
question's tokens with neighbouring turns (`words`), those of the content words alone (`telling`),
and the cosine of the whole. The figures were fitted on the development conversations against
unrelated messages (docs/memory.md): 1 % of the answers there are left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from furoshiki.language.tables.function_words import COMMON, STOP_WORDS
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import RUN, stem_lightly
from furoshiki.recall.retrieval.rules import likely_answers
from furoshiki.recall.retrieval.values import Floor

BY_COSINE = 0.09  # the weight of the cosine relative to token matches

TWO_WORDS = 2
HALF = 0.5  # content words, or the share to exceed, that a text must share if only words count
SHORTEST = 3  # the least letters of a content word ("ah" is none)

# How many standard deviations above the mean of its candidates an item stands that is shown with a
# statement. Of what answers a question 79 % stand so high, and 3 lines with unrelated words
# (docs/memory.md).
OUTSTANDING = 2.0

_WAYS = by_language("nearness_beside")["en"]
_BEGINS = re.compile(_WAYS["begins"], re.IGNORECASE)
_LOOKS_BACK = re.compile(_WAYS["looks_back"], re.IGNORECASE)
_FOR_ADVICE = re.compile(r"\b(?:should|shall|could|can) (?:i|we)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Strength:
    """An item's own similarity, each about 0.5 to 1."""

    words: float
    telling: float


@dataclass(frozen=True)
class Least:
    """An encoder's thresholds: `asked` for a question about the user's life; otherwise `told`,
    `telling` for the content words, and `best` for the best item, or nothing is injected."""

    asked: float
    told: float
    telling: float
    best: float


# By the encoder's name, with which its id begins. For others nothing is left out.
LEAST: Mapping[str, Least] = {
    "colbert-small": Least(asked=0.72, told=0.80, telling=0.72, best=0.84),
    "minilm-int8": Least(asked=0.505, told=0.56, telling=0.48, best=0.615),
}


def floor_for(text: str, *, named: bool) -> Floor:
    """Return a message's floor: "asked" for a question about the user's life, else "told". `named`:
    it names a person or thing mentioned before."""
    looks_back = begins_a_question(text) or _LOOKS_BACK.search(text) is not None
    asks = looks_back and _FOR_ADVICE.search(text) is None
    about = named or likely_answers.tells_of_oneself(text) or likely_answers.COMPANION_SAID.search(text) is not None
    return "asked" if asks and about else "told"


def begins_a_question(text: str) -> bool:
    """Whether a sentence begins like an English question."""
    return _BEGINS.match(text) is not None


def judge_words(words: Sequence[str]) -> list[bool]:
    """Return for each word (or piece) whether it is a content word."""
    bare = [word.removeprefix("##").lower() for word in words]
    return [any(map(str.isalnum, word)) and word not in STOP_WORDS and word not in COMMON for word in bare]


def extract_stems(text: str) -> frozenset[str]:
    """Return the stems of a text's content words."""
    words = RUN.findall(text.lower())
    return frozenset(
        stem_lightly(word)
        for word, tells in zip(words, judge_words(words), strict=True)
        if tells and len(word) >= SHORTEST
    )


def near_enough(
    strengths: Mapping[str, Strength], cosines: Mapping[str, float], encoder: str, floor: Floor
) -> frozenset[str]:
    """Return the names of items above the floor; all for an encoder without thresholds."""
    least = LEAST.get(encoder.rpartition(".")[0])
    if least is None:
        return frozenset(strengths)
    unknown = min(cosines.values(), default=0.0)
    near = {name: one.words + BY_COSINE * cosines.get(name, unknown) for name, one in strengths.items()}
    if floor == "asked":
        return frozenset(name for name, value in near.items() if value >= least.asked)
    if max(near.values(), default=0.0) < least.best:
        return frozenset()
    return frozenset(
        name for name, value in near.items() if value >= least.told and strengths[name].telling >= least.telling
    )


def shares_enough(query: str, text: str, floor: Floor) -> bool:
    """Decide the same by words alone, without an encoder."""
    if floor == "outstanding":
        return True
    wanted = extract_stems(query)
    shared = len(wanted & extract_stems(text))
    if floor == "asked":
        return shared > 0 or not wanted
    return shared >= TWO_WORDS or shared > HALF * len(wanted)


# -- whether a message needs its context: recall then searches with the previous message too --


MOST_TELLING = 2  # content words of a message that may still refer back by a "she" or "there"

_ASKS = re.compile(_WAYS["asks"], re.IGNORECASE)
_POINTS_BACK = re.compile(_WAYS["points_back"], re.IGNORECASE)
_YOU = re.compile(r"\byou\b", re.IGNORECASE)
_NAMES = re.compile(r"(?<=[a-z,] )(?!I\b)[A-Z]\w+")


def leans(text: str, answers: bool) -> bool:
    """Whether a text refers back ("what did she say?"), or is a short answer (`answers`)."""
    telling = len(extract_stems(text))
    asks, points_back = _ASKS.search(text.strip()) is not None, _POINTS_BACK.search(text) is not None
    if not telling:
        return answers or (asks and (points_back or _YOU.search(text) is None))
    return asks and points_back and telling <= MOST_TELLING and _NAMES.search(text) is None
