"""Find that an appointment has a new time, as it is told: "the doctor changed my appointment to Friday". The words are
`config/words`, "moved"."""

from __future__ import annotations

import re

from furoshiki.language.word_tables import by_language, pattern
from furoshiki.language.words import asks

LONGEST = 160
"""Longest such message in characters."""


def find_moved(text: str, code: str) -> tuple[str, str] | None:
    """Return what has moved ("" for "it") and the words after which its new time is told, or None; the caller tells
    whether they are a time. `code` is the language of the message."""
    plain = " ".join(text.split()).strip(" .!。！").replace("\u2019", "'")
    if len(plain) > LONGEST or asks(text) or code not in _WAYS:
        return None
    it, ways = _WAYS[code]
    for way in ways:
        match = way.fullmatch(plain)
        if match is not None and it.fullmatch(match["what"]):
            return "", match["to"]
        if match is not None:
            return match["what"], match["to"]
    return None


_PARTS = {"thing": r"[^\W\d][\w' -]{0,40}?", "to": "(?P<to>.{1,50}?)"}
_WAYS: dict[str, tuple[re.Pattern[str], list[re.Pattern[str]]]] = {}
for _code, _table in by_language("moved").items():
    _each = [re.compile(pattern(way, _PARTS), re.IGNORECASE) for way in _table["ways"]]
    _WAYS[_code] = re.compile(_table["it"], re.IGNORECASE), _each
