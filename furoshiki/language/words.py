"""Patterns that split a text into words, and the lower-case forms in which words are compared.
There are several definitions of a word, each for a reason given below; add new ones here, with a
name."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

# letters and digits, and a part after one apostrophe: "don't" is one word, "well-known" two
WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")

# letters and digits only, split as the full-text index splits them: "don't" is "don" and "t"
RUN = re.compile(r"[^\W_]+")

# WORD without digits, for places where numbers are ignored or compared separately
SPELLED = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")

# WORD with hyphens allowed: "mother-in-law" and "follow-up" are one word each
HYPHENED = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")

# HYPHENED without digits: candidates for the name of a subject
SPELLED_HYPHENED = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")

# letters, digits, underscores, apostrophes, hyphens: a code or a file name is one word
CODED = re.compile(r"[\w'-]+")

# a capitalized word that is not the first of the text, or a number: neither can be paraphrased
NAME_OR_NUMBER = re.compile(r"(?<!^)\b[A-Z\u00c0-\u00de][\w\u2019'-]+|\b\d[\w.,:/-]*")

_ASKING = ("?", "\uff1f", "\u061f")
# characters of scripts that put no spaces between words (Chinese, Japanese)
_SIGNS = re.compile("[\u3040-\u30ff\u3400-\u9fff]")

_MARKS = str.maketrans({"\uff0c": ", ", "\u3002": ". ", "\uff01": "! ", "\uff1f": "? ", "\uff1b": "; ", "\uff1a": ": "})
_PAIR = re.compile(r"(?=(\w\w))")
_PAUSE = re.compile(f"(?<={_SIGNS.pattern}) (?={_SIGNS.pattern})")

_NO_APOSTROPHE = re.compile(
    r"\b(i(?=m\b|ve\b)|(?:you|they)(?=(?:re|ve|ll)\b)|(?:what|where|who|how|when|that|there|s?he)(?=s\b)"
    r"|(?:do|does|did|ca|could|would|should|wo|is|are|was|were|have|has|had)n(?=t\b))"
)
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LEAST_ELIDED = 4  # least letters of a word behind an elided one: endings are shorter

_CONTRACTED = frozenset({"s", "t", "re", "ve", "ll", "d", "m"})


def asks(text: str) -> bool:
    """Return whether a text contains a question mark of any script."""
    return any(mark in text for mark in _ASKING)


def ends_asking(text: str) -> bool:
    """Return whether a text ends with a question mark of any script."""
    return text.rstrip().endswith(_ASKING)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one text."""
    return frozenset(text.split())


def any_of(words: Iterable[str]) -> str:
    """Return the pattern of any of these words, of several that fit the longest."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def count_words(text: str) -> int:
    """Count the words between spaces; two Chinese or Japanese characters count as one word."""
    signs = len(_SIGNS.findall(text))
    return len(RUN.findall(_SIGNS.sub(" ", text))) + (signs + 1) // 2 if signs else len(text.split())


def pairs_of_signs(run: str) -> list[str]:
    """Return each two adjacent characters, or the only one, in place of words (no spaces)."""
    return _PAIR.findall(run) or [run]


def plain_marks(text: str) -> str:
    """Use Latin punctuation for full-width; a space between two CJK characters is a comma."""
    return _PAUSE.sub(", ", text.translate(_MARKS))


def with_apostrophes(text: str) -> str:
    """Return lower-case English with the apostrophes left out of contractions: "whats" is "what's".

    "its", "ill", "id", "were" and "well" are words of their own and stay.
    """
    return _NO_APOSTROPHE.sub(r"\1'", text)


def count_letters(text: str) -> int:
    """Count characters, a Chinese or Japanese one as three (it says as much as three letters)."""
    return len(text) + 2 * len(_SIGNS.findall(text))


def snake(text: str) -> str:
    """Join the words of a text with underscores: "books to read" is "books_to_read"."""
    return "_".join(RUN.findall(text))


def fold(word: str) -> str:
    """Return a word in lower case, with İ, I and ı as i, ß as ss, ё as е."""
    return word.casefold().replace("i\u0307", "i").replace("ı", "i").replace("ё", "е")


def bare(word: str) -> str:
    """Return a folded word without diacritics on its Latin letters: "nüsse" is "nusse"."""
    if word.isascii():
        return word.lower()
    if _CYRILLIC.search(word):
        return fold(word)
    return "".join(c for c in unicodedata.normalize("NFKD", fold(word)) if not unicodedata.combining(c))


def trunk(word: str) -> str:
    """Drop a case ending after an apostrophe ("Ankara'da" is "Ankara") and what is elided before one
    ("dell'ospedale" is "ospedale"); keep contractions."""
    head, mark, tail = word.replace("\u2019", "'").partition("'")
    if head.casefold().endswith(("ll", "qu")) and len(tail) >= _LEAST_ELIDED:
        return tail
    return head if mark and tail and tail.casefold() not in _CONTRACTED and len(head) > 1 else word


def is_gibberish(text: str) -> bool:
    """Return whether a message is one run of letters, and no word: keys side by side, or hardly a vowel ("asdkjh")."""
    letters = bare(text.strip(" .!?"))
    if not letters.isascii() or not letters.isalpha() or len(set(letters)) < LEAST_LETTERS:
        return False
    beside = any(letters in row for row in _KEYS)
    return beside or (_CONSONANTS.search(letters) is not None and len(_VOWELS.findall(letters)) * 6 <= len(letters))


# least different letters of a message that may be gibberish: "brb" and "pfff" are said
LEAST_LETTERS = 5

_KEYS = ("qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm")
_VOWELS = re.compile("[aeiouy]")
_CONSONANTS = re.compile("[^aeiouy]{5}")


# -- stemming: which forms count as the same word --
#
# English has two stemmers because mistakes cost differently: `stem` finds related words, `stem_lightly`
# proves that something was said. The full-text index uses SQLite's own porter stemmer, which is called
# itself (`furoshiki/core/database/stems.py`); no rule here has to match it. Other languages use
# Snowball.


# the languages stemmed with Snowball (all but English)
SNOWBALL = {
    "de": "german", "es": "spanish", "fr": "french", "it": "italian", "pt": "portuguese", "ru": "russian",
    "tr": "turkish",
}  # fmt: skip

OPENING = 5  # leading letters by which forms of a word match in any language ("sister", "sisters")

# each ending with the number of letters that must be left before it
_ENDINGS = (("ing", 3), ("ies", 2), ("ed", 3), ("es", 3), ("s", 2), ("e", 3))


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


# -- a user's words for the rules: normalized whitespace, bounded length --
#
# This is the only place where words enter the readers (feelings, facts, names, dates, requests,
# manner). The original is stored unchanged. So no reader meets ten thousand spaces in a row or needs
# its own limit.


# Characters of one turn that are read by rule: three of Telegram's longest messages. The rest is
# stored, shown to the model and searchable, but yields no feelings or facts by itself.
MOST_READ = 12_000

# characters the built-in mind searches for something to answer: no reminder request is longer
MOST_ANSWERED = 1_000

# Several spaces, or one other whitespace character. Each alternative begins with one character,
# which matches twice as fast as a run of two.
_BLANKS = re.compile(r" [^\S\n]+|[^\S\n ][^\S\n]*")
_EMPTY_LINES = re.compile(r" ?\n(?: ?\n){2,}")
_LOOKED_AT = 8  # texts are cut to this multiple of the limit before whitespace is collapsed


def readable(text: str) -> str:
    """Return at most `MOST_READ` characters, with single spaces and at most one empty line in a row."""
    text = text[: MOST_READ * _LOOKED_AT]
    return _EMPTY_LINES.sub("\n\n", _BLANKS.sub(" ", text))[:MOST_READ]
