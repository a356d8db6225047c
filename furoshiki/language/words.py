"""What a word is: the patterns that cut a text into words, and the small letters in which words are compared.

Several things are meant by "a word", each for a reason; add a further one here, with a name.
"""

import re
import unicodedata

WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
"""Letters and digits, with what stands behind one apostrophe: "don't" and "Ana's" are one word, "well-known" is two."""

RUN = re.compile(r"[^\W_]+")
"""Letters and digits alone, as the full-text index cuts them: "don't" is "don" and "t"."""

SPELLED = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
"""Like WORD without digits: where a number is no word, because it is compared on its own or says nothing."""

HYPHENED = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
"""Like WORD, and hyphens hold a word together: "mother-in-law" is one thing, "follow-up" one word of a promise."""

SPELLED_HYPHENED = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
"""HYPHENED without digits: what may be the name of a subject."""

CODED = re.compile(r"[\w'-]+")
"""Whatever is written without a blank or a stop, underscores too: a code or the name of a file is one word."""

NAME_OR_NUMBER = re.compile(r"(?<!^)\b[A-Z\u00c0-\u00de][\w\u2019'-]+|\b\d[\w.,:/-]*")
"""A word with a capital that does not open the text, or a figure: what cannot be said in other words."""

_ASKING = ("?", "\uff1f", "\u061f")
_SIGNS = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
"""Signs that no blank parts into words."""

_MARKS = str.maketrans({"\uff0c": ", ", "\u3002": ". ", "\uff01": "! ", "\uff1f": "? ", "\uff1b": "; ", "\uff1a": ": "})
_PAIR = re.compile(r"(?=(\w\w))")
_PAUSE = re.compile(f"(?<={_SIGNS.pattern}) (?={_SIGNS.pattern})")

_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_CONTRACTED = frozenset({"s", "t", "re", "ve", "ll", "d", "m"})


def asks(text: str) -> bool:
    """Whether a text has a question mark, of whichever script."""
    return any(mark in text for mark in _ASKING)


def ends_asking(text: str) -> bool:
    """Whether a text ends with a question mark, of whichever script."""
    return text.rstrip().endswith(_ASKING)


def count_words(text: str) -> int:
    """The number of words between blanks; of Chinese and Japanese signs two are one word."""
    signs = len(_SIGNS.findall(text))
    return len(RUN.findall(_SIGNS.sub(" ", text))) + (signs + 1) // 2 if signs else len(text.split())


def pairs_of_signs(run: str) -> list[str]:
    """What stands for words where no blank parts them: each two signs that follow one another, or the only one."""
    return _PAIR.findall(run) or [run]


def plain_marks(text: str) -> str:
    """A text with Latin marks in place of wide ones; a blank between two signs is a pause, as in chats."""
    return _PAUSE.sub(", ", text.translate(_MARKS))


def count_letters(text: str) -> int:
    """The length of a text in characters of an alphabet: a Chinese or Japanese sign says as much as three."""
    return len(text) + 2 * len(_SIGNS.findall(text))


def snake(text: str) -> str:
    """The words of a text as one name: "books to read" is "books_to_read"."""
    return "_".join(RUN.findall(text))


def fold(word: str) -> str:
    """A word in small letters: İ, I and ı are i, ß is ss, ё is е."""
    return word.casefold().replace("i\u0307", "i").replace("ı", "i").replace("ё", "е")


def bare(word: str) -> str:
    """A folded word without the marks on its Latin letters: "nüsse" is "nusse", "josé" is "jose"."""
    if word.isascii():
        return word.lower()
    if _CYRILLIC.search(word):
        return fold(word)
    return "".join(c for c in unicodedata.normalize("NFKD", fold(word)) if not unicodedata.combining(c))


def trunk(word: str) -> str:
    """What stands before an apostrophe with a case behind it ("Ankara'da"); contractions stay as they are."""
    head, mark, tail = word.replace("\u2019", "'").partition("'")
    return head if mark and tail and tail.casefold() not in _CONTRACTED and len(head) > 1 else word
