"""The stems of words: which forms are taken for one word.

English has two stemmers, because the price of a mistake differs: `stem` is to find what belongs together,
`stem_lightly` to prove that something was said. What the full-text index finds is stemmed by SQLite's own porter, which
is asked itself (`furoshiki/core/database/stems.py`), and no rule here has to match it. Snowball stems other languages.
"""

from collections.abc import Callable
from functools import lru_cache

from furoshiki.language.words import bare, fold

SNOWBALL = {
    "de": "german", "es": "spanish", "fr": "french", "it": "italian", "pt": "portuguese", "ru": "russian",
    "tr": "turkish",
}  # fmt: skip
"""The languages that are stemmed besides English."""

OPENING = 5
"""Letters by which forms of one word are taken for the same in any language ("sister", "sisters")."""

_ENDINGS = (("ing", 3), ("ies", 2), ("ed", 3), ("es", 3), ("s", 2), ("e", 3))
"""With the letters that must be left."""


def stem(word: str) -> str:
    """An English word in small letters without its commonest ending: "lives", "living", "lived" and "live" meet.

    Too coarse for names: "Anne" would be "Ann".
    """
    word = word.removesuffix("'s")
    for ending, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word


def stem_lightly(word: str) -> str:
    """A word, folded, without an ending that never makes another name or word: enough to match "moved" with "moving".

    What a claim says is held to have been said by these, and questions are kept by them (`self_questions.stem`).
    """
    word = fold(word)
    for ending in ("'s", "\u2019s", "ing", "ed", "es", "s"):
        if len(word) - len(ending) >= 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word


def get_opening(word: str) -> str:
    """The first letters of a word, without a plural's "s": a stem where endings are not known. Digits stay whole."""
    if word.isdigit():
        return word
    return (word[:-1] if len(word) > 3 and word.endswith("s") else word)[:OPENING]


def singular(noun: str) -> str:
    """An English noun in small letters as one of it, to be read by people: "cities" is "city", "boss" stays."""
    if len(noun) < 4 or not noun.endswith("s") or noun.endswith(("ss", "us", "is", "as")):
        return noun
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    return noun[:-2] if noun.endswith(("ches", "shes", "sses", "xes")) else noun[:-1]


def foreign_stems(word: str, language: str) -> frozenset[str]:
    """The stems of a word of a language, bare, itself among them; of a language that is not in SNOWBALL the word alone.

    Turkish hangs one ending on another, so it is stemmed twice.
    """
    small = word.casefold().replace("i\u0307", "i").replace("ё", "е")
    if language not in SNOWBALL:
        return frozenset({bare(small)})
    once = _snowball(language)(small)
    twice = _snowball(language)(once) if language == "tr" else once
    return frozenset({bare(small), bare(once), bare(twice)})


@lru_cache(maxsize=len(SNOWBALL))
def _snowball(language: str) -> Callable[[str], str]:
    import Stemmer

    made = Stemmer.Stemmer(SNOWBALL[language])
    return lambda word: str(made.stemWord(word))
