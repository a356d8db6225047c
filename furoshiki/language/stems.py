"""Stemming: which forms count as the same word. English has two stemmers because mistakes cost
differently: `stem` finds related words, `stem_lightly` proves that something was said. The
full-text index uses SQLite's own porter stemmer, which is called itself
(`furoshiki/core/database/stems.py`); no rule here has to match it. Other languages use Snowball."""

from collections.abc import Callable
from functools import lru_cache

from furoshiki.language.words import bare, fold

SNOWBALL = {
    "de": "german", "es": "spanish", "fr": "french", "it": "italian", "pt": "portuguese", "ru": "russian",
    "tr": "turkish",
}  # fmt: skip
"""The languages stemmed with Snowball (all but English)."""

OPENING = 5
"""Leading letters by which forms of a word match in any language ("sister", "sisters")."""

_ENDINGS = (("ing", 3), ("ies", 2), ("ed", 3), ("es", 3), ("s", 2), ("e", 3))
"""Each ending with the number of letters that must be left before it."""


def stem(word: str) -> str:
    """Strip the commonest ending of a lower-case English word; too coarse for names (Anne, Ann)."""
    word = word.removesuffix("'s")
    for ending, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word


def stem_lightly(word: str) -> str:
    """Strip only endings that never yield another word: "moved" ~ "moving". Used to check that a
    claim was said, and to store questions (`self_questions.stem`)."""
    word = fold(word)
    for ending in ("'s", "\u2019s", "ing", "ed", "es", "s"):
        if len(word) - len(ending) >= 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word


def get_opening(word: str) -> str:
    """Return the first letters of a word, without a plural "s", as a stem for languages whose
    endings are unknown. Numbers stay whole."""
    if word.isdigit():
        return word
    return (word[:-1] if len(word) > 3 and word.endswith("s") else word)[:OPENING]


def singular(noun: str) -> str:
    """Return a lower-case English noun in the singular: "cities" is "city"; "boss" and "inglês" stay."""
    if len(noun) < 4 or not noun.endswith("s") or noun.endswith(("ss", "us", "is", "as")) or noun[-2] > "z":
        return noun
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    return noun[:-2] if noun.endswith(("ches", "shes", "sses", "xes")) else noun[:-1]


def foreign_stems(word: str, language: str) -> frozenset[str]:
    """Return a word's bare stems in a language, and the word itself; only the word if the
    language is not in SNOWBALL. Turkish stacks endings, so it is stemmed twice."""
    small = word.casefold().replace("i\u0307", "i").replace("ё", "е")
    if language not in SNOWBALL:
        return frozenset({bare(small)})
    once = _snowball(language)(small)
    twice = _snowball(language)(once) if language == "tr" else once
    return frozenset({bare(small), bare(once), bare(twice)})


@lru_cache(maxsize=len(SNOWBALL))
def _snowball(language: str) -> Callable[[str], str]:
    import Stemmer

    stemmer = Stemmer.Stemmer(SNOWBALL[language])
    return lambda word: str(stemmer.stemWord(word))
