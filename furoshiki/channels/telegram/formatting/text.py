"""Text lengths in UTF-16 units as Telegram counts them, and grapheme clusters."""

import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate

_BIDI_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")
_JOINER = "\u200d"


def units(text: str) -> int:
    """The length of a text in UTF-16 code units, as Telegram counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def clean(text: str) -> str:
    """Remove lone surrogates, NUL and direction overrides (which can disguise a link)."""
    text = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "").replace("\r\n", "\n")
    return _BIDI_OVERRIDES.sub("", text)


class OffsetConverter:
    """Converts between positions in a Python string and UTF-16 units, both ways."""

    def __init__(self, text: str) -> None:
        self._units: range | list[int] = (
            range(len(text) + 1)
            if text.isascii()
            else list(accumulate((2 if char > "\uffff" else 1 for char in text), initial=0))
        )

    def unit(self, position: int) -> int:
        """Return the number of units before a position."""
        return self._units[position]

    def position(self, unit: int) -> int:
        """Return the position at or before a unit (within a surrogate pair: of its character)."""
        return max(0, min(bisect_right(self._units, unit) - 1, len(self._units) - 1))


def tears(text: str, position: int) -> bool:
    """Return whether a cut would split a cluster: marks, joiners, skin tones, flags."""
    if not 0 < position < len(text):
        return False
    before, after = text[position - 1], text[position]
    if before == "\r" and after == "\n":
        return True
    if after.isascii() and before.isascii():
        return False
    if _JOINER in (before, after) or _extends(after):
        return True
    if _is_flag_half(before) and _is_flag_half(after):
        start = position
        while start > 0 and _is_flag_half(text[start - 1]):
            start -= 1
        return (position - start) % 2 == 1
    return _is_jamo(before) and _is_jamo(after)


def _extends(char: str) -> bool:
    code = ord(char)
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F or 0xFE00 <= code <= 0xFE0F:
        return True
    return unicodedata.category(char) in ("Mn", "Me", "Mc")


def _is_flag_half(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def _is_jamo(char: str) -> bool:
    return 0x1100 <= ord(char) <= 0x11FF
