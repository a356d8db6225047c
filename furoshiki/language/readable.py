"""Prepare a user's words for the rules: normalize whitespace and bound the length.

This is the only place where words enter the readers (feelings, facts, names, dates, requests,
manner). The original is stored unchanged. So no reader meets ten thousand spaces in a row or needs
its own limit.
"""

import re

MOST_READ = 12_000
"""Characters of one turn that are read by rule: three of Telegram's longest messages. The rest
is stored, shown to the model and searchable, but yields no feelings or facts by itself."""

MOST_ANSWERED = 1_000
"""Characters the built-in mind searches for something to answer: no reminder request is longer."""

_BLANKS = re.compile(r" [^\S\n]+|[^\S\n ][^\S\n]*")
"""Several spaces, or one other whitespace character. Each alternative begins with one character,
which matches twice as fast as a run of two."""
_EMPTY_LINES = re.compile(r" ?\n(?: ?\n){2,}")
_LOOKED_AT = 8
"""Texts are cut to this multiple of the limit before whitespace is collapsed."""


def readable(text: str, most: int = MOST_READ) -> str:
    """Return at most `most` characters, with single spaces and at most one empty line in a row."""
    if len(text) > most * _LOOKED_AT:
        text = text[: most * _LOOKED_AT]
    return _EMPTY_LINES.sub("\n\n", _BLANKS.sub(" ", text))[:most]
