"""Cleaning of pasted keys, tokens and addresses, and detection of impossible characters.

Standard library only, no other module of the project: the doctor script uses this module too.
"""

import unicodedata

_QUOTES = ("''", '""', "``", "‘’", "“”", "„“", "„”", "‚‘", "«»", "»«", "‹›", "「」")
# Unicode categories that are invisible at either end: format, control and space characters
_NOT_SEEN = ("Cf", "Cc", "Zs", "Zl", "Zp")

UNFIT = (
    "{name} holds a sign that no key has ({sign}, the {place}. of {length}): copy the key again, "
    "straight from where it was made"
)


def clean(text: str) -> str:
    """Remove surrounding blanks and quotes, and all zero-width characters of a pasted value."""
    found = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    while True:
        before, found = found, _bare(found)
        if len(found) > 1 and found[0] + found[-1] in _QUOTES:
            found = found[1:-1]
        if found == before:
            return found


def unfit(name: str, value: str) -> str | None:
    """Return why a value cannot be in an HTTP header; None when it can.
    The sentence repeats at most one character of the value."""
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
