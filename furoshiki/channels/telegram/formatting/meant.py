"""Signs of a text that Markdown would eat and that were meant as they stand: products, names, prices, paths, globs.

While the parser runs a stand-in takes the place of each. No text holds the stand-ins, and each is as long as its sign,
so that nothing moves. LaTeX in brackets (`\\(x^2\\)`) becomes what the parser reads as mathematics.
"""

import re

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
