r"""Signs of a text that Markdown would eat and that were meant as they stand: products, names, prices, paths, globs.

While the parser runs a stand-in takes the place of each. No text holds the stand-ins, and each is as long as its sign,
so that nothing moves. LaTeX in brackets (`\(x^2\)`) becomes what the parser reads as mathematics.

Text as Telegram measures and draws it: UTF-16 units, and clusters that are drawn as one sign.
"""

import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate

_STAND_INS = {
    "<": "\ufdd0",
    "$": "\ufdd1",
    "*": "\ufdd2",
    "_": "\ufdd3",
    "\\": "\ufdd4",
    ".": "\ufdd5",
    ")": "\ufdd6",
}
_INTO = str.maketrans(_STAND_INS)
_BACK = str.maketrans({stand_in: sign for sign, stand_in in _STAND_INS.items()})
_NONE = str.maketrans(dict.fromkeys(_STAND_INS.values(), ""))

_NAME = re.compile(r"(?<![\w*_])__[a-z][a-z0-9_]{0,40}[a-z0-9]__(?![\w*_])")
"""A name between double underscores, as in `__init__`: words that are to be bold stand between asterisks."""

_DATED_ITEM = re.compile(r"^(?P<item>[ \t]{0,8}[-*+] {1,3}\d{1,4})(?P<sign>[.)])(?= )", re.MULTILINE)
"""An item of a list that begins with a day ("- 24. März"), which is no list within it."""

_SIGNS = re.compile(
    r"<(?!(?:https?|mailto|tg)[:/])"  # List<int> is no HTML
    r"|(?<!\$)\$(?=\d)|(?<=\d)\$(?!\$)"  # $5 is no mathematics
    r"|(?<=/)\*\*?|\*\*?(?=/)"  # src/**/*.py
    r"|(?:(?<=\()|(?<=, ))\*\*?(?=[A-Za-z_]\w{0,40}(?:, \*{0,2}\w{1,40}){0,5}\))"  # f(**options)
    r"|(?<![\w\\])[A-Za-z]:\\[^\s`]{0,200}|¯\\"  # a path of Windows, and who shrugs
)

_CODE = re.compile(r"(`{1,3})[^`]{0,4000}\1")
_INLINE_LATEX = re.compile(r"\\\(([^\n$]{1,300}?)\\\)")
_BLOCK_LATEX = re.compile(r"\\\[([^$]{1,600}?)\\\]")
_WITHIN_LINE = re.compile(r"(?<=[^\s$])[ \t]*\$\$[^\n$]{1,300}\$\$|\$\$[^\n$]{1,300}\$\$(?=[ \t]*[^\s$])")
"""Display mathematics within a line, which the parser would tear in two."""

_ASTERISKS = re.compile(r"\*{1,2}")


def mask(markdown: str) -> str:
    """The text with stand-ins for the signs that are meant; code is left alone."""
    pieces, at = [], 0
    text = markdown.translate(_NONE)
    for code in _CODE.finditer(text):
        pieces += [_mask_text(text[at : code.start()]), code.group()]
        at = code.end()
    return "".join([*pieces, _mask_text(text[at:])])


def unmask(text: str) -> str:
    """The signs themselves where their stand-ins are."""
    return text.translate(_BACK)


def _mask_text(text: str) -> str:
    for pattern in (_SIGNS, _NAME):
        text = pattern.sub(lambda found: found.group().translate(_INTO), text)
    text = _DATED_ITEM.sub(lambda found: found["item"] + found["sign"].translate(_INTO), text)
    text = _WITHIN_LINE.sub(lambda found: found.group().replace("$$", "$"), text)
    text = _INLINE_LATEX.sub(r"$\1$", text)
    text = _BLOCK_LATEX.sub(r"$$\1$$", text)
    return "\n".join(map(_mask_products, text.split("\n"))) if "*" in text else text


def _mask_products(line: str) -> str:
    """A line in which an asterisk between two letters or digits stands as it is, unless it ends an emphasis.

    Scripts without spaces between words are left out: there emphasis begins and ends within a run of letters.
    """
    open_marks: list[str] = []
    pieces, at = [], 0
    for found in _ASTERISKS.finditer(line):
        mark, (start, end) = found.group(), found.span()
        before, after = _is_word_sign(line, start - 1, ")"), _is_word_sign(line, end, "(")
        if before and after and mark not in open_marks:
            pieces += [line[at:start], mark.translate(_INTO)]
            at = end
        elif mark in open_marks and start and not line[start - 1].isspace():
            open_marks.remove(mark)
        elif end < len(line) and not line[end].isspace():
            open_marks.append(mark)
    return "".join([*pieces, line[at:]])


def _is_word_sign(line: str, place: int, bracket: str) -> bool:
    """Whether a digit or a letter of a script with spaces between words stands there, or this bracket around such."""
    return 0 <= place < len(line) and (line[place].isalnum() or line[place] == bracket) and ord(line[place]) < 0x0530


_BIDI_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")
_JOINER = "\u200d"


def units(text: str) -> int:
    """The length of a text in UTF-16 code units, as Telegram counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def clean(text: str) -> str:
    """Text that can be sent: no lone surrogates, no NUL, no direction overrides (they can disguise a link)."""
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
        """How many units lie before a position."""
        return self._units[position]

    def position(self, unit: int) -> int:
        """The position at or just before a unit (a unit inside a surrogate pair belongs to its character)."""
        return max(0, min(bisect_right(self._units, unit) - 1, len(self._units) - 1))


def tears(text: str, position: int) -> bool:
    """Whether a cut at `position` would tear what is drawn as one sign: marks, joiners, skin tones, flags."""
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
