"""Compress a memory to one line without a model, keeping names, numbers and negations.

Words are removed in the order of importance: fillers, then whole asides, then articles and similar
words, then other words from the end. Names, numbers and negations come last, a negation only
together with the word it negates. Only English is read so: of other languages the beginning is kept.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from furoshiki.language.humanize import shorten
from furoshiki.language.tables.function_words import is_denial
from furoshiki.language.word_tables import by_language, texts

LONGEST = 120
"""Characters of the line."""

CUT = "…"

LEAST_ENGLISH = 0.17
"""The share of small English words from which a text is read as English: 99 of 100 long English
messages have more, those of other languages at most 0.14."""

_SPACE = re.compile(r"\s+")
_MARKS = re.compile(r"```\w*|[*_`#>|]{1,3}(?=\s|\w)|(?<=\w)[*_`]{1,3}")
_FILLER = re.compile(texts("one_line", "filler")["en"], re.IGNORECASE)
_CLAUSE = re.compile(r"(?<=[.!?;]) |(?<=,) | (?=[-\u2013\u2014(] ?\w)| (?=(?:because|although|whereas)\b)")
"""Splits a line into clauses; blanks stand by themselves."""

_NUMBER = re.compile(r"\d")
_BARE = re.compile(r"^\W+|(?<!\W)\W+$")

# Words whose removal does not change the meaning.
_SMALL = frozenset(by_language("small")["en"]["in_a_line"].split())
_NO_NAMES = frozenset({"i", "i'm", "i've", "i'll", "i'd", "ok", "okay", "yes", "no"})


@dataclass
class _Word:
    text: str
    clause: int
    worth: int
    kept: bool = True


@lru_cache(maxsize=256)  # the same memories are retrieved repeatedly
def compress(text: str) -> str:
    """Return the text in one line of at most `LONGEST` characters."""
    line = _one_line(text)
    if len(line) <= LONGEST:
        return line
    told = _words(line)
    if sum(word.worth == _LITTLE for word in told) < LEAST_ENGLISH * len(told):
        return shorten(line, LONGEST)
    line = _one_line(_FILLER.sub("", _MARKS.sub("", line)))
    if len(line) <= LONGEST:
        return line
    words = _words(line)
    length = sum(len(word.text) + 1 for word in words) - 1
    for word in _order_by_loss(words):
        if length <= LONGEST:
            break
        word.kept = False
        length -= len(word.text) + 1
    return _cut(_join_words(words))


def _one_line(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _words(line: str) -> list[_Word]:
    words: list[_Word] = []
    negated = False
    for number, clause in enumerate(_CLAUSE.split(line)):
        opens = number == 0 or bool(words and words[-1].text[-1] in ".!?")
        for raw in clause.split(" "):
            if not raw:
                continue
            worth = _worth(raw, opens)
            if negated and worth < _PROTECTED:
                # a negated word must stay with its "not"
                negated, worth = worth < _CONTENT, _PROTECTED
            elif worth == _PROTECTED and _denies(_BARE.sub("", raw).casefold()):
                negated = True
            words.append(_Word(raw, number, worth))
            opens = raw[-1] in ".!?"
    return words


_LITTLE, _CONTENT, _PROTECTED = 1, 2, 3


def _worth(raw: str, opens: bool) -> int:
    bare = _BARE.sub("", raw)
    if not bare:
        return _LITTLE
    lowered = bare.lower().replace("\u2019", "'")
    if _NUMBER.search(bare) or _denies(lowered):
        return _PROTECTED
    if bare[0].isupper() and lowered not in _NO_NAMES and lowered not in _SMALL and (not opens or bare[1:2].isupper()):
        return _PROTECTED
    return _LITTLE if lowered in _SMALL else _CONTENT


def _order_by_loss(words: list[_Word]) -> Iterator[_Word]:
    """Yield every word, the least important first."""
    guarded = {word.clause for word in words if word.worth == _PROTECTED} | {0}
    yield from _backwards(word for word in words if word.clause not in guarded)
    yield from _backwards(word for word in words if word.worth == _LITTLE)
    yield from _backwards(word for word in words if word.worth == _CONTENT)
    yield from _backwards(word for word in words if word.worth == _PROTECTED)


def _backwards(words: Iterable[_Word]) -> Iterator[_Word]:
    yield from (word for word in reversed(list(words)) if word.kept)


def _join_words(words: list[_Word]) -> str:
    line = " ".join(word.text for word in words if word.kept).rstrip(" ,;:-\u2013\u2014(")
    return line or words[0].text


def _cut(line: str) -> str:
    """Cut a single word longer than a line, such as a URL."""
    return line if len(line) <= LONGEST else line[: LONGEST - len(CUT)].rstrip() + CUT


def _denies(word: str) -> bool:
    return is_denial(word) or word == "no-one"
