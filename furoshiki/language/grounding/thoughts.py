"""Checks of the companion's thoughts: only about itself (no evidence needed)? Equal?"""

import re
from collections.abc import Sequence

from furoshiki.language.grounding.insights import FRAME as INSIGHT_FRAME
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.inflection import language_of
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import NAME_OR_NUMBER, RUN, ends_asking, word_set

SAME_COSINE = 0.85  # thoughts with at least this cosine are the same

# without an encoder: thoughts with at least this Jaccard similarity of words are the same
SAME_WORDS = 0.6

# words of feeling and telling that phrase thoughts; they neither are nor need evidence
FRAME = INSIGHT_FRAME | stems_of(by_language("small")["en"]["of_thoughts"])

_SELF = frozenset({"i", "me", "my", "mine", "myself"})
_OTHERS = word_set("""
they them their theirs themselves he him his himself she her hers herself we us our ours you your
yours
""")
_HEARSAY = word_set("heard told learned learnt found knew know read saw said says happened")

_SENTENCE = re.compile(r"[^.!?\u2026]+[.!?\u2026]*")
_CONTRACTED = re.compile(r"\bI['\u2019](?:m|ve|d|ll)\b")


def of_oneself(text: str) -> bool:
    """Return whether every sentence (in English) is only about the companion itself."""
    return language_of(text) is None and all(
        _free(_plain(found, ())) for found in _SENTENCE.findall(text) if RUN.search(found)
    )


def of_others(text: str) -> bool:
    """Return whether English words or a name show that it is about others; else False."""
    words = {word.casefold() for word in RUN.findall(text)}
    return language_of(text) is None and bool(words & (_OTHERS | _HEARSAY) or NAME_OR_NUMBER.search(text))


def same(first: str, second: str, cosine: float | None = None) -> bool:
    """Return whether two thoughts are the same: by cosine, or by words without one."""
    if cosine is not None:
        return cosine >= SAME_COSINE
    a, b = content_of(first), content_of(second)
    return a == b or len(a & b) / len(a | b) >= SAME_WORDS


def _free(sentence: str) -> bool:
    """Return whether a sentence names and reports nobody, and says "I" or asks."""
    words = {word.casefold() for word in RUN.findall(sentence)}
    opening = next(iter(RUN.findall(sentence)), "")
    subject = NAME_OR_NUMBER.search(sentence) or content_of(opening, FRAME | stems_of("my me"))
    if subject or words & (_OTHERS | _HEARSAY):
        return False
    return bool(words & _SELF) or ends_asking(sentence)


def _plain(sentence: str, names: Sequence[str]) -> str:
    """Return a sentence with "I" contractions removed and the given names as pronouns."""
    sentence = _CONTRACTED.sub("I", sentence.strip())
    for name in names:
        sentence = re.sub(rf"\b{re.escape(name)}(?:['\u2019]s)?\b", "they", sentence)
    return sentence
