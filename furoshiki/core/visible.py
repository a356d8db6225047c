"""Making control characters visible, and detection of texts that look empty."""

import re
import unicodedata

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""C0 and C1 controls except tab and line feed, line separators, and bidirectional controls."""


def visible(text: str) -> str:
    """Return the text with control characters escaped as in JSON (`\\u001b`); CR LF becomes LF.

    JSON text keeps its meaning.
    """
    if text.isprintable():
        return text
    return _STEERING.sub(_escape, text.replace("\r\n", "\n"))


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"


_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Invisible characters whose Unicode category is letter or symbol."""


def is_blank(text: str) -> bool:
    """Return whether nothing is visible: spaces, controls, zero-width or combining characters."""
    return all(char.isspace() or char in _FILLERS or unicodedata.category(char)[0] in "CZM" for char in text)
