"""Topics: boundaries between them, return of an earlier one, and their names."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.similarity import dot, unit
from furoshiki.language.detection import Language
from furoshiki.language.grounding.words import content_of
from furoshiki.language.inflection import HAN, language_of
from furoshiki.language.tables.function_words import STOP_WORDS
from furoshiki.language.tables.numbers import spelled
from furoshiki.language.word_tables import texts
from furoshiki.language.words import WORD, bare, foreign_stems, pairs_of_signs
from furoshiki.owner.routing.values import Kind
from furoshiki.recall.retrieval.other_languages import load_languages

Vector = tuple[float, ...]

SILENCE_S = 2_700.0  # seconds of silence that end a topic
MOST_COUNTED = 20  # messages that count in a topic's mean vector, so that an old one can still move

NEAREST = 5
FADES_S = 300.0

LIKE = 0.3
# the least cosine to an earlier topic that returns, for a message and for the first messages of a
# topic together …
LIKE_TOGETHER = 0.42

# … and the least shared content words: a wrong "back at your knitting" is worse than none
WORDS_SHARED = 2

YOUNG = 2  # up to this message a new topic may be merged into an earlier one

LEAST_NAMED, MOST_NAMED = 2, 4
NAMED_BY = 6  # first messages by which a topic is named, until a summary gives better words

# the least letters of a word in a name, and the least characters in a dense script
SHORTEST_NAMING, SHORTEST_SIGNS = 4, 2

_SAYS_LITTLE = frozenset(" ".join(texts("topics", "little").values()).split())


@dataclass(frozen=True)
class Topic:
    """A stored topic of one chat. `centroid` is its unit mean vector, or empty."""

    id: int
    name: str
    named_by: str
    centroid: Vector
    messages: int
    salience: float
    last_at: datetime


def judge_boundary(silence_s: float | None, *, says_so: bool) -> Kind:
    """Return the kind of boundary before a message: the first one (None), a silence, or words that
    say so.

    "none" if the topic continues. Meaning is not a usable sign
    (docs/adr/0031-topics-and-boundaries.md).
    """
    if silence_s is None:
        return "first"
    if silence_s > SILENCE_S:
        return "silence"
    return "marker" if says_so else "none"


def switch_score(likeness: float, seconds: float, salience_apart: float) -> float:
    """Return the cost of assigning a message to a topic: low if similar and recent."""
    return 0.6 * (1.0 - likeness) + 0.3 * math.tanh(max(0.0, seconds) / FADES_S) + 0.1 * abs(salience_apart)


def nearest(
    topics: Iterable[Topic], vector: Sequence[float], salience: float, now: datetime
) -> list[tuple[float, Topic]]:
    """Return the five nearest topics with cosines, the lowest switch score first."""
    likes = sorted(
        ((dot(vector, topic.centroid), topic) for topic in topics if len(topic.centroid) == len(vector)),
        key=lambda pair: -pair[0],
    )[:NEAREST]
    return sorted(
        likes,
        key=lambda pair: switch_score(pair[0], (now - pair[1].last_at).total_seconds(), salience - pair[1].salience),
    )


def move_centroid(centroid: Vector, messages: int, vector: Vector) -> Vector:
    """Return a topic's mean vector after one more message; another encoder's vector restarts it."""
    if len(centroid) != len(vector):
        return vector
    weight = min(messages, MOST_COUNTED - 1)
    mixed = [(weight * before + now) / (weight + 1) for before, now in zip(centroid, vector, strict=True)]
    return tuple(unit(mixed) or vector)


def update_salience(salience: float, messages: int, now: float) -> float:
    """Return a topic's salience, in [0, 1], after one more message."""
    weight = min(messages, MOST_COUNTED - 1)
    return (weight * salience + now) / (weight + 1)


def extract_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that can distinguish topics."""
    language, words = language_of(text), _list_name_words(text, load_languages().find_all(text))
    return frozenset(stem for word in words for stem in _stems(word, language))


def _stems(word: str, language: str | None) -> frozenset[str]:
    """Return a word's stems in its language; in Chinese, its pairs of characters."""
    if HAN.search(word):
        return frozenset(pairs_of_signs(word))
    return content_of(word) if language is None else frozenset({min(foreign_stems(word, language), key=len)})


def has_shared_words(words: AbstractSet[str], of_topic: AbstractSet[str]) -> bool:
    """Whether enough words of an earlier topic are used."""
    return len(words & of_topic) >= WORDS_SHARED


def make_name(texts: Sequence[str]) -> str:
    """Name a topic by its (two to) four most frequent words, in order of appearance."""
    return " ".join(_most_said(texts, None))


def find_better_name(texts: Sequence[str], summary: str) -> str | None:
    """Name it by those words that also occur in a summary; None if there are too few."""
    name = _most_said(texts, extract_stems(summary))
    return " ".join(name) if len(name) >= LEAST_NAMED else None


def _most_said(texts: Sequence[str], among: AbstractSet[str] | None) -> list[str]:
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    whole = "\n".join(texts)
    language, languages = language_of(whole), load_languages().find_all(whole)
    for text in texts:
        for word in dict.fromkeys(_list_name_words(text, languages)):
            stems = _stems(word, language)
            if stems and (among is None or not stems.isdisjoint(among)):
                stem = word if HAN.search(word) else min(stems)
                counts[stem] += 1
                first.setdefault(stem, word)
    chosen = {stem for stem, _ in counts.most_common(MOST_NAMED)}
    return [word for stem, word in first.items() if stem in chosen]


def _list_name_words(text: str, languages: Collection[Language]) -> list[str]:
    """Return the words of a text that may name its topic: no numbers and no small words."""
    small, least = STOP_WORDS | _SAYS_LITTLE, SHORTEST_NAMING
    for language in languages:
        small = small.union(map(bare, language.small | language.asks))
        text = language.part_words(text)
        least = SHORTEST_SIGNS if language.dense else least
    words = []
    for said in WORD.findall(text.lower()):
        word = said.removesuffix("'s").removesuffix("\u2019s")
        names = len(word) >= least and word.isalpha() and small.isdisjoint((word, bare(word)))
        names = names and not _LAUGHS.fullmatch(word)
        if names and not any(spelled(word, language.code) for language in languages):
            words.append(word)
    return words


# laughter, as it is typed in any alphabet: "jajaj", "ahaha", "kkkk", "sjsj"
_LAUGHS = re.compile("[aeiouаеи]?(?:((?:[hjkxх][aeiouаеи]?|sj|rs))\\1+)[hjkх]?")


# -- an announced change of subject: "By the way", "different topic:" --


LOOKED_AT = 240  # characters at the start of a message in which its first sentence is searched

MOST_LEADS = 2

_END = re.compile(r"[.!?…\n]")


def _markers(key: str) -> frozenset[tuple[str, ...]]:
    """Return the markers of all languages, split into words; the lists are comma-separated."""
    markers = ",".join(texts("topics", key).values()).replace("\n", " ").split(",")
    return frozenset(tuple(marker.split()) for marker in markers)


_OPENING, _BESIDE, _LEADS = map(_markers, ("opening", "beside", "leads"))
_LONGEST = max(map(len, _OPENING | _BESIDE))
# opening markers in Chinese, which puts no spaces between words
_UNSPACED = tuple(words[0] for words in _OPENING if len(words) == 1 and HAN.match(words[0]))


def turns_away(text: str) -> bool:
    """Return whether a message announces a new subject; a marker alone does not count."""
    start = text[:LOOKED_AT].strip().lower()
    if any(start.startswith(marker) and len(start) > len(marker) + 1 for marker in _UNSPACED):
        return True
    words = WORD.findall(start)
    leads = 0
    while leads < min(MOST_LEADS, len(words)) and (words[leads],) in _LEADS:
        leads += 1
    for at in range(leads + 1):
        for length in range(1, _LONGEST + 1):
            if tuple(words[at : at + length]) in _OPENING and len(words) > at + length:
                return True
    sentence = WORD.findall(_END.split(start, maxsplit=1)[0])
    return any(
        tuple(sentence[at : at + length]) in _BESIDE and len(sentence) > length
        for at in range(len(sentence))
        for length in range(1, min(_LONGEST, len(sentence) - at) + 1)
    )
