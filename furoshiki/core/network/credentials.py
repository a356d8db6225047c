"""Keys, tokens and addresses as people paste them: what is never a part of one is taken off, what cannot be is named.

The standard library alone and nothing else of ours: the doctor reads values the same way.
"""

import unicodedata

_QUOTES = ("''", '""', "``", "‘’", "“”", "„“", "„”", "‚‘", "«»", "»«", "‹›", "「」")
_NOT_SEEN = ("Cf", "Cc", "Zs", "Zl", "Zp")
"""Kinds of signs that nobody sees at an end: marks of order and width, controls, blanks."""

UNFIT = (
    "{name} holds a sign that no key has ({sign}, the {place}. of {length}): copy the key again, straight from where "
    "it was made"
)


def clean(text: str) -> str:
    """The value without what came along with it: blanks, ends of lines and unseen signs around it, those of no width
    within, and a pair of quotes."""
    found = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    while True:
        before, found = found, _bare(found)
        if len(found) > 1 and found[0] + found[-1] in _QUOTES:
            found = found[1:-1]
        if found == before:
            return found


def unfit(name: str, value: str) -> str | None:
    """Why a value cannot stand in the head of a request, in a sentence that repeats no more of it than one sign; None
    when it can."""
    for place, sign in enumerate(value, 1):
        if not "!" <= sign <= "~":
            shown = f"U+{ord(sign):04X}, {unicodedata.name(sign, 'a control sign').lower()}"
            return UNFIT.format(name=name, sign=shown, place=place, length=len(value))
    return None


def _bare(text: str) -> str:
    start, end = 0, len(text)
    while start < end and unicodedata.category(text[start]) in _NOT_SEEN:
        start += 1
    while end > start and unicodedata.category(text[end - 1]) in _NOT_SEEN:
        end -= 1
    return text[start:end]
