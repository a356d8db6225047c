"""The content words of a text, and whether they were said in any inflected form.

Whether a statement is believed is decided elsewhere (`furoshiki/memory/grounding`).
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain

from furoshiki.language.inflection import HAN, RUN_OF_HAN, SMALL_SIGNS, Said, frames, language_of, languages_of
from furoshiki.language.tables import function_words
from furoshiki.language.tables.function_words import DENIES
from furoshiki.language.word_tables import by_language, pattern
from furoshiki.language.words import WORD, foreign_stems, pairs_of_signs, stem_lightly, trunk


def unsaid_grave(claim: str, evidence: Said) -> str:
    """Return a claim's first life-changing word without support in what was said, or ""."""
    foreign = language_of(claim) is not None
    return next((word.casefold() for word in _words(claim) if _is_unlicensed(word, evidence, foreign)), "")


def collect_words(cited: Sequence[str], claim: str = "") -> Said:
    """Return the words of messages in their languages; `claim` may show which it is."""
    text = " ".join(cited)
    languages = languages_of(cited) or languages_of([claim])
    return collect_language_words(text, *languages)


def collect_language_words(text: str, *languages: str | None) -> Said:
    """Return the words of a text in the given languages, and always in English."""
    return Said(text, tuple(filter(None, languages)), stem_lightly)


def mostly_said(text: str, evidence: Said, least: float = 0.5) -> bool:
    """Return whether this share of a text's content words was said (without any: of all words), or the
    text to the letter where no blanks part words."""
    if not text.isascii() and text in evidence.unspaced:
        return True
    wanted = _content(text, evidence.languages) or [trunk(word) for word in _words(text)]
    return bool(wanted) and sum(map(evidence.holds, wanted)) / len(wanted) >= least


def content_of(text: str, frame: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the stems of a text's content words, without words that phrase claims."""
    return _stems(SMALL_SIGNS.sub(" ", text)) - _FRAME - frame


def stems_of(text: str) -> frozenset[str]:
    return _stems(text)


def _content(text: str, languages: Sequence[str]) -> list[str]:
    """Return a text's content words, one for each stem."""
    words = {stem_lightly(word): word for word in map(trunk, _words(SMALL_SIGNS.sub(" ", text)))}
    return [word for stem, word in words.items() if stem not in _FRAME and not _is_framed(word, languages)]


def _is_framed(word: str, languages: Sequence[str]) -> bool:
    return any(foreign_stems(word, language) & _frames()[language] for language in languages)


def _is_unlicensed(word: str, evidence: Said, foreign: bool) -> bool:
    """Return whether a life-changing word lacks support: neither it nor a licensing word was said.

    In a `foreign` claim a function word may look like an English one ("die").
    """
    framed = foreign and _is_framed(word, evidence.languages)
    if not framed and not evidence.stems & _GRAVE.get(stem_lightly(word), evidence.stems):
        return True
    for language in evidence.languages:
        grave = _grave(language)
        licenses = [grave[stem] for stem in foreign_stems(word, language) if stem in grave]
        if licenses and not any(evidence.holds(one) for words in licenses for one in words):
            return True
    return False


@cache
def _frames() -> dict[str, frozenset[str]]:
    return frames(function_words.FRAME)


@cache
def _grave(language: str) -> dict[str, frozenset[str]]:
    """Map the stem of each grave word of a language to the words that license it."""
    lines = function_words.GRAVE[language].strip().splitlines()
    return {
        stem: frozenset(line.replace("|", " ").split())
        for line in lines
        for word in line.partition("|")[0].split()
        for stem in foreign_stems(word, language)
    }


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(_stem_of, _words(text)))


def _words(text: str) -> list[str]:
    """Return a text's words; for Chinese, pairs of characters and isolated single ones."""
    if not HAN.search(text):
        return WORD.findall(text)
    alone = _ALONE.findall(SMALL_SIGNS.sub(" ", text))
    return [
        *WORD.findall(HAN.sub(" ", text)),
        *chain.from_iterable(map(pairs_of_signs, RUN_OF_HAN.findall(text))),
        *alone,
    ]


@lru_cache(maxsize=4096)  # people use few words
def _stem_of(word: str) -> str:
    return stem_lightly(trunk(word))


_ALONE = re.compile(rf"(?<!\w){HAN.pattern}(?!\w)")
_FRAME = _stems(by_language("small")["en"]["of_claims"])  # words that phrase claims are no evidence
# The stems that license each life-changing stem. A paraphrase may add many words, but none of these
# unless another of the same line was said.
_GRAVE = {
    stem: _stems(line)
    for line in function_words.GRAVE["en"].strip().splitlines()
    for stem in _stems(line.partition("|")[0])
}


# -- whether one of two sentences denies the other: the earlier is over or was untrue --


# by language: a pattern of negations
NO = {"en": DENIES, **{code: re.compile(pattern(ways), re.IGNORECASE) for code, ways in function_words.NO.items()}}

# what is said of something that is over, as of now: such a sentence was not true until a day
DENIED_NOW = re.compile(r"\bno longer\b|\bany ?more\b", re.IGNORECASE)

_CLAUSE = re.compile(r"[,;:.()]| (?:that|which|who|because|since|although|though|while|but|and|so) ", re.IGNORECASE)
# signs of intention: intended actions have not happened
_TO_COME = re.compile(
    r"\b(?:will|would|wants?|going|plans?|intends?|hopes?|wish\w*|might|may|should|could|tries|if)\b", re.I
)

_BESIDE_THE_MATTER = stems_of(by_language("small")["en"]["beside_denied"])
# least other words of a denial: "they do not smoke" alone is about a changing state
_LEAST_SAID = 2


# Languages in which two negations cancel. In the others they agree: "n'a pas", "non beve mai".
_CANCELLING = frozenset({"en", "de", "zh"})


def is_denied(text: str) -> bool:
    """Return whether a text is negated, in its own language; a double negation is not."""
    code = language_of(text) or "en"
    found = len(NO.get(code, DENIES).findall(text))
    return found % 2 == 1 if code in _CANCELLING else found > 0


def opposite(first: str, second: str) -> bool:
    """Return whether one sentence denies the other: "they have not told Amparo yet that they
    failed", "they told Amparo, who laughed". The denied clause's words must be in the other."""
    code = language_of(first) or language_of(second) or "en"
    if code != "en" and is_denied(first) is not is_denied(second):
        return {*stems_of(NO[code].sub(" ", first))} == {*stems_of(NO[code].sub(" ", second))}
    clauses = _CLAUSE.split(first), _CLAUSE.split(second)
    denied, affirmed = clauses if DENIES.search(clauses[0][0]) else reversed(clauses)
    if (
        DENIES.search(denied[0]) is None
        or DENIES.search(affirmed[0]) is not None
        or _TO_COME.search(affirmed[0] + denied[0])
    ):
        return False
    matter = stems_of(DENIES.sub(" ", denied[0])) - _BESIDE_THE_MATTER
    return len(matter) >= _LEAST_SAID and matter <= stems_of(affirmed[0])
