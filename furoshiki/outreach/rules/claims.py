"""Whether words to the owner claim something of them that nobody told: a name, a number, a blow of fate, something of
theirs, something they are said to have done.

What is shown of a matter is the ground: its words, what was said last, what was found. Wishes, thoughts of the
companion's own and questions need none, but for the names in them and what they take for granted ("your dog").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from furoshiki.language.grounding.thoughts import FRAME
from furoshiki.language.grounding.words import Verdict, grounded, mostly_said, said_in, stems_of
from furoshiki.language.inflection import language_of

LEAST_SAID = 0.34
"""The share of a sentence about them that must have been said."""

MOST_SENTENCES = 30
"""More than that is no message."""

_SENTENCE = re.compile(r"[^.!?\u2026\n]+[.!?\u2026]*")
_TELLS_WORDS = """
are were have had said told mentioned wrote asked wanted felt went did made got found started promised decided planned
love like hate live work own play
"""
_TELLS = "|".join(_TELLS_WORDS.split())
_OF_THEM = re.compile(
    rf"(?<!if )(?<!as )(?<!whenever )(?<!when )(?<!what )\byou(?:['\u2019](?:re|ve|d)| (?:{_TELLS}))\b",
    re.IGNORECASE,
)
_THEIRS = re.compile(r"\byour\s+((?:[^\W\d_]+\s+)?[^\W\d_]+)", re.IGNORECASE)
_EVERYBODYS_WORDS = """
day days week weekend evening morning afternoon night time mind side place own way world word words thought thoughts
answer answers turn view pace life head hands hand shoulder shoulders heart list lists reminder reminders message
messages company call choice decision say plate feet eyes mood month year tomorrow today birthday yes no
"""
_EVERYBODYS = stems_of(_EVERYBODYS_WORDS)
"""What everybody has."""

_FRIENDLY_WORDS = """
luck lucky fingers crossed hope hoping rush hurry glad happy nice lovely good great feel feeling free whenever while
lately bit kind curious wondering stayed keep kept coming crossed back there here reply write writing talk talking chat
share sure right still whether picture guess bet button enough nothing need answer no not never only just
"""
_FREE = FRAME | stems_of(_FRIENDLY_WORDS)


def unfounded(text: str, ground: Sequence[str]) -> Verdict:
    """Whether a message rests on what was shown (`ground`); names and numbers in every language, the rest in English.

    German writes every noun like a name: there only numbers and grave words are looked up.
    """
    language = language_of(text)
    if language is not None:
        return _abroad(text, language, ground)
    sentences = _SENTENCE.findall(text)
    if len(sentences) > MOST_SENTENCES:
        return Verdict(False, f"it has {len(sentences)} sentences")
    for sentence in map(str.strip, sentences):
        verdict = _judged(sentence, ground)
        if not verdict.ok:
            return verdict
    return Verdict(True)


def _judged(sentence: str, ground: Sequence[str]) -> Verdict:
    tells = bool(_OF_THEM.search(sentence)) and not sentence.endswith("?")
    # names, numbers and what is grave must have been said whatever the sentence does with them
    verdict = grounded(sentence, None, ground, None, _FREE, LEAST_SAID if tells else 0.0)
    if not verdict.ok:
        return verdict
    said = said_in(ground, sentence)
    for found in _THEIRS.finditer(sentence):
        words = found[1].split()
        own = stems_of(words[0]) & (_EVERYBODYS | _FREE)
        if not own and not any(mostly_said(word, said, strictly=True) for word in words):
            return Verdict(False, f"nobody spoke of {found.group()!r}")
    return Verdict(True)


def _abroad(text: str, language: str, ground: Sequence[str]) -> Verdict:
    plain = text.casefold() if language == "de" else text
    return grounded(plain, None, ground, None, frozenset(), 0.0)
