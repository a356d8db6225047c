"""Patterns that split a text into words, and the lower-case forms in which words are compared.
There are several definitions of a word, each for a reason given below; add new ones here, with a
name."""

import re
import unicodedata

WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
"""Letters and digits, and a part after one apostrophe: "don't" is one word, "well-known" two."""

RUN = re.compile(r"[^\W_]+")
"""Letters and digits only, split as the full-text index splits them: "don't" is "don" and "t"."""

SPELLED = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
"""WORD without digits, for places where numbers are ignored or compared separately."""

HYPHENED = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
"""WORD with hyphens allowed: "mother-in-law" and "follow-up" are one word each."""

SPELLED_HYPHENED = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
"""HYPHENED without digits: candidates for the name of a subject."""

CODED = re.compile(r"[\w'-]+")
"""Letters, digits, underscores, apostrophes, hyphens: a code or a file name is one word."""

NAME_OR_NUMBER = re.compile(r"(?<!^)\b[A-Z\u00c0-\u00de][\w\u2019'-]+|\b\d[\w.,:/-]*")
"""A capitalized word that is not the first of the text, or a number: neither can be paraphrased."""

_ASKING = ("?", "\uff1f", "\u061f")
_SIGNS = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
"""Characters of scripts that put no spaces between words (Chinese, Japanese)."""

_MARKS = str.maketrans({"\uff0c": ", ", "\u3002": ". ", "\uff01": "! ", "\uff1f": "? ", "\uff1b": "; ", "\uff1a": ": "})
_PAIR = re.compile(r"(?=(\w\w))")
_PAUSE = re.compile(f"(?<={_SIGNS.pattern}) (?={_SIGNS.pattern})")

_NO_APOSTROPHE = re.compile(
    r"\b(i(?=m\b|ve\b)|(?:you|they)(?=(?:re|ve|ll)\b)|(?:what|where|who|how|when|that|there|s?he)(?=s\b)"
    r"|(?:do|does|did|ca|could|would|should|wo|is|are|was|were|have|has|had)n(?=t\b))"
)
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_CONTRACTED = frozenset({"s", "t", "re", "ve", "ll", "d", "m"})


def asks(text: str) -> bool:
    """Return whether a text contains a question mark of any script."""
    return any(mark in text for mark in _ASKING)


def ends_asking(text: str) -> bool:
    """Return whether a text ends with a question mark of any script."""
    return text.rstrip().endswith(_ASKING)


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
    """Drop a case ending after an apostrophe ("Ankara'da" is "Ankara"); keep contractions."""
    head, mark, tail = word.replace("\u2019", "'").partition("'")
    return head if mark and tail and tail.casefold() not in _CONTRACTED and len(head) > 1 else word


def is_gibberish(text: str) -> bool:
    """Return whether a message is one run of letters, and no word: keys side by side, or hardly a vowel ("asdkjh")."""
    letters = bare(text.strip(" .!?"))
    if not letters.isascii() or not letters.isalpha() or len(set(letters)) < LEAST_LETTERS:
        return False
    beside = any(letters in row for row in _KEYS)
    return beside or (_CONSONANTS.search(letters) is not None and len(_VOWELS.findall(letters)) * 6 <= len(letters))


LEAST_LETTERS = 5
"""Least different letters of a message that may be gibberish: "brb" and "pfff" are said."""

_KEYS = ("qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm")
_VOWELS = re.compile("[aeiouy]")
_CONSONANTS = re.compile("[^aeiouy]{5}")
