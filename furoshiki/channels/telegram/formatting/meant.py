"""Protects literal characters that Markdown would consume: products, names, prices, paths, globs.

During parsing each is replaced by a placeholder of the same length that occurs in no text, so that
positions stay. LaTeX in backslash brackets becomes the parser's notation for mathematics.
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
"""A name between double underscores, as in `__init__`: models write bold with asterisks."""

_DATED_ITEM = re.compile(r"^(?P<item>[ \t]{0,8}[-*+] {1,3}\d{1,4})(?P<sign>[.)])(?= )", re.MULTILINE)
"""A list item that begins with a day ("- 24. März"), which is no nested list."""

_SIGNS = re.compile(
    r"<(?!(?:https?|mailto|tg)[:/])"  # List<int> is no HTML
    r"|(?<!\$)\$(?=\d)|(?<=\d)\$(?!\$)"  # $5 is no mathematics
    r"|(?<=/)\*\*?|\*\*?(?=/)"  # src/**/*.py
    r"|(?:(?<=\()|(?<=, ))\*\*?(?=[A-Za-z_]\w{0,40}(?:, \*{0,2}\w{1,40}){0,5}\))"  # f(**options)
    r"|(?<![\w\\])[A-Za-z]:\\[^\s`]{0,200}|¯\\"  # a Windows path, and a shrug
)

_CODE = re.compile(r"(`{1,3})[^`]{0,4000}\1")
_INLINE_LATEX = re.compile(r"\\\(([^\n$]{1,300}?)\\\)")
_BLOCK_LATEX = re.compile(r"\\\[([^$]{1,600}?)\\\]")
_WITHIN_LINE = re.compile(r"(?<=[^\s$])[ \t]*\$\$[^\n$]{1,300}\$\$|\$\$[^\n$]{1,300}\$\$(?=[ \t]*[^\s$])")
"""Display mathematics within a line, which the parser would split."""

_ASTERISKS = re.compile(r"\*{1,2}")


def mask(markdown: str) -> str:
    """Replace literal characters by placeholders; code is unchanged."""
    pieces, at = [], 0
    text = markdown.translate(_NONE)
    for code in _CODE.finditer(text):
        pieces += [_mask_text(text[at : code.start()]), code.group()]
        at = code.end()
    return "".join([*pieces, _mask_text(text[at:])])


def unmask(text: str) -> str:
    """Replace placeholders by their characters."""
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
    """Protect asterisks between two letters or digits in a line, unless they close an emphasis.

    Scripts without spaces are excluded: there emphasis begins and ends within a run of letters.
    """
    open_marks: list[str] = []
    pieces, at = [], 0
    for match in _ASTERISKS.finditer(line):
        mark, (start, end) = match.group(), match.span()
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
    """Return whether a digit, a letter of a script with spaces, or this bracket is at the place."""
    return 0 <= place < len(line) and (line[place].isalnum() or line[place] == bracket) and ord(line[place]) < 0x0530
