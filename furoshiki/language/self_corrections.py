"""Corrections within one message: "I live in Porto, sorry, Braga", "not at 6 but at 7". They are
found by form: a correcting word between punctuation, followed by a phrase of the same kind as
the one before (same leading word, a name, a number). Retracted words are replaced by spaces, so
that all offsets stay valid."""

import re

from furoshiki.language import word_tables
from furoshiki.language.words import word_set

_WAYS = word_tables.by_language("taken_back")["en"]
_MARK = _WAYS["mark"]
_BEFORE = r"[ ]?(?:[,;\u2013\u2014-]|\.{2,3}|\u2026|(?<!\?)[.!])[ ]{1,2}"
_TAKEN = re.compile(
    rf"(?P<mark>{_BEFORE}(?:(?:{_MARK})\b[ ,.!:\u2013\u2014-]{{1,4}}){{1,3}})(?P<right>[^,.;!?\n]{{1,60}})", re.I
)
_INSTEAD = re.compile(_WAYS["instead"], re.IGNORECASE)
_INSTEAD_TR = re.compile(r"(?P<mark>\b(?P<wrong>\d[\w'.:]{0,9}) değil,? )(?P<right>\d[\w'.:]{0,9})", re.I)
_WORD = re.compile(r"\S+")
_NAME = re.compile(r"(?:(?:in|at|im|bei|en|a|à|в) )?(?P<name>[^\W\d_a-zß-ÿ][\w'-]*(?: [^\W\d_a-zß-ÿ][\w'-]*){0,2}) ?")
_NAME_LAST = re.compile(_WAYS["name_last"])
_FIGURE = re.compile(_WAYS["figure"], re.IGNORECASE)
_TO_DO = re.compile(r" (?:to|that|zu|an|que|para|чтобы|um zu|and|und|y|и) ", re.I)
_WHERE = re.compile(r" (?=(?:on|onto|to|auf|a la|en la|в) )", re.I)
MOST_WORDS_BACK = 8
MOST_TAKEN = 4
LONGEST = 2000


def blank_retractions(text: str) -> str:
    """Return the text with retracted words replaced by spaces (same length)."""
    for _ in range(MOST_TAKEN):
        retractions = _find_retractions(text)
        if retractions is None:
            return text
        for start, end in retractions:
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def _find_retractions(text: str) -> list[tuple[int, int]] | None:
    """Return the spans of the first retraction: the retracted words and the correcting word."""
    for pattern in (_INSTEAD, _INSTEAD_TR):
        for match in pattern.finditer(text[:LONGEST]):
            if _kind(match["wrong"]) == _kind(match["right"]) != "":
                return [match.span("mark")]
    for match in _TAKEN.finditer(text[:LONGEST]):
        wrong = _wrong(text[: match.start()], match["right"].rstrip())
        if wrong is not None:
            return [wrong, match.span("mark")]
    return None


def _kind(words: str) -> str:
    """Return the kind of a phrase: "figure" if it begins with a digit, else its first word."""
    first = words.split()[0].lower()
    return "figure" if first[0].isdigit() else first


def _wrong(before: str, right: str) -> tuple[int, int] | None:
    """Return the span before the correction that it replaces; None if nothing is of its kind."""
    first = right.split()[0].lower()
    words_before = list(_WORD.finditer(before))[-MOST_WORDS_BACK:]
    name = _NAME.fullmatch(right)
    if name is not None and (last := _NAME_LAST.search(before)) is not None:
        return last.span("name") if name["name"] == right.strip() else _find_same_start(before, words_before, first)
    if right[0].isdigit() and (figure := _FIGURE.search(before)) is not None:
        return figure.span("figure")
    if len(right.split()) <= len(_PREPOSED) and first in _PREPOSED:
        return _find_same_start(before, words_before, first)
    right_words = _WHERE.split(right, maxsplit=1)[0].split()
    if (
        words_before
        and right_words
        and len(right_words) <= 3
        and words_before[-1].group().lower() == right_words[-1].lower()
    ):
        return words_before[-1].span()
    return None


_PREPOSED = word_set("at on in by um am im gegen a en el в на saat")


def _find_same_start(before: str, words_before: list[re.Match[str]], first: str) -> tuple[int, int] | None:
    """Return the span of the last phrase that begins with the same word, up to the task in it."""
    start = next((word.start() for word in reversed(words_before) if word.group().lower() == first), None)
    if start is None:
        return None
    stop = _TO_DO.search(before, start + len(first))
    return start, stop.start() if stop is not None else len(before)
