"""What of all that was ranked is near enough to be put before a mind that did not ask for it.

A ranking orders whatever there is, near or not. Here the best matches of a question's tokens count as they are: with
what stands beside a turn (`words`), those of the words that tell something alone (`telling`), and the cosine of the
whole. The figures were fitted on the development conversations against messages that have nothing to do with them
(docs/memory.md): of what answers a question there 1 % is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from furoshiki.language.stems import stem_lightly
from furoshiki.language.tables.stop_words import COMMON, STOP_WORDS
from furoshiki.language.words import RUN
from furoshiki.recall.retrieval.rules import likely_answers
from furoshiki.recall.retrieval.values import Floor

BY_COSINE = 0.09
"""What a cosine of 1 adds to the matches of tokens."""

TWO_WORDS = 2
HALF = 0.5
"""So many telling words, or more than such a share of them, a text must hold where only words are compared."""

SHORTEST = 3
"""Letters of a word that tells something by itself: "ah" does not."""

_BEGINS = re.compile(
    r"^\W*(?:(?:and|but|so|ok|okay|hey|oh|hm)\W+)?(?:who|whom|whose|what|when|where|why|how|which|is|are|am|was|were|do"
    r"|does|did|have|has|had|in (?:what|which))\b",
    re.IGNORECASE,
)
_LOOKS_BACK = re.compile(
    r"\b(?:remember|said|told|mentioned|remind me (?:what|who|when|where|how|of))\b", re.IGNORECASE
)
_FOR_ADVICE = re.compile(r"\b(?:should|shall|could|can) (?:i|we)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Strength:
    """How near something is by its own measure, each about 0.5 to 1."""

    words: float
    telling: float


@dataclass(frozen=True)
class Least:
    """What an encoder's strengths must reach: for a question about a life `asked`; else `told`, the telling words
    `telling`, and the best of all `best`, or nothing is near."""

    asked: float
    told: float
    telling: float
    best: float


LEAST: Mapping[str, Least] = {
    "colbert-small": Least(asked=0.72, told=0.80, telling=0.72, best=0.84),
    "minilm-int8": Least(asked=0.505, told=0.56, telling=0.48, best=0.615),
}
"""By the name of the encoder, as its id begins. Of any other nothing is left out: its figures are not known."""


def floor_for(text: str, *, named: bool) -> Floor:
    """Which floor a message has: "asked" where it asks about the life it is said in, "told" everywhere else. `named`
    says that it names somebody or something that was spoken of."""
    looks_back = begins_a_question(text) or _LOOKS_BACK.search(text) is not None
    asks = looks_back and _FOR_ADVICE.search(text) is None
    about = named or likely_answers.tells_of_oneself(text) or likely_answers.COMPANION_SAID.search(text) is not None
    return "asked" if asks and about else "told"


def begins_a_question(text: str) -> bool:
    """Whether a sentence begins as questions do in English."""
    return _BEGINS.match(text) is not None


def judge_words(words: Sequence[str]) -> list[bool]:
    """Which words (or pieces of words) tell what a text is about."""
    bare = [word.removeprefix("##").lower() for word in words]
    return [any(map(str.isalnum, word)) and word not in STOP_WORDS and word not in COMMON for word in bare]


def extract_stems(text: str) -> frozenset[str]:
    """The stems of the words that tell what a text is about."""
    words = RUN.findall(text.lower())
    return frozenset(
        stem_lightly(word)
        for word, tells in zip(words, judge_words(words), strict=True)
        if tells and len(word) >= SHORTEST
    )


def near_enough(
    strengths: Mapping[str, Strength], cosines: Mapping[str, float], encoder: str, floor: Floor
) -> frozenset[str]:
    """The names of what is near; all of them where nothing is known of the encoder (its id)."""
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
    """The same by words alone, where there is no encoder."""
    wanted = extract_stems(query)
    shared = len(wanted & extract_stems(text))
    if floor == "asked":
        return shared > 0 or not wanted
    return shared >= TWO_WORDS or shared > HALF * len(wanted)
