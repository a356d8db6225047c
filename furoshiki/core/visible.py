"""What can be seen of a text: characters that would steer a terminal made visible, and whether there is anything."""

import re
import unicodedata

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""C0 and C1 controls (ESC, BEL, CSI, OSC …) but tab and line feed, and what turns the direction of writing around."""


def visible(text: str) -> str:
    """The text with every steering character spelled out (`\\u001b`), as JSON spells it; a line may end in CR LF.

    What is JSON stays the same JSON.
    """
    if text.isprintable():
        return text
    return _STEERING.sub(_escape, text.replace("\r\n", "\n"))


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"


_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs by their category that nobody can see."""


def is_blank(text: str) -> bool:
    """Whether there is nothing to see: white space, zero-width characters, controls, marks that stand on nothing."""
    return all(char.isspace() or char in _FILLERS or unicodedata.category(char)[0] in "CZM" for char in text)
