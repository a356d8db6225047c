"""Markdown in a terminal: bold, italics, code, lists and quotes, wrapped at words.

The rendering of a growing text is always a prefix of that of the longer text: the last word waits
until it is complete, an emphasis mark until it is closed. So a reply is never redrawn.
"""

import os
import re
import shutil
import sys
import unicodedata

from furoshiki.core.framing import visible

WIDEST = 96  # columns at most; longer lines are hard to read in any window

_STYLES = {"bold": "\x1b[1m", "italic": "\x1b[3m", "code": "\x1b[36m", "strike": "\x1b[9m", "dim": "\x1b[2m"}
_RESET = "\x1b[0m"

_INLINE = re.compile(
    r"(?P<code>`[^`]+`)|(?P<bold>\*\*(?=\S)(?:.{1,300}?)(?<=\S)\*\*|__(?=\S)(?:.{1,300}?)(?<=\S)__)"
    r"|(?P<strike>~~(?=\S)(?:.{1,300}?)(?<=\S)~~)"
    r"|(?P<italic>(?<![\w*])\*(?=[^\s*])(?:[^*]+?)(?<=\S)\*(?![\w*])|(?<!\w)_(?=[^\s_])(?:[^_]+?)(?<=\S)_(?!\w))"
    r"|(?P<link>\[(?P<label>[^\[\]]+)\]\((?P<url>[^()\s]+)\))"
)
_LINE = re.compile(r"(?P<indent>\s*)(?P<mark>#{1,6}|[-*+]|>|\d{1,3}[.)])\s+(?P<rest>.*)", re.DOTALL)
_FENCE = "```"

Fragment = tuple[str, str]
Word = list[Fragment]


def paint(text: str, width: int | None = None, colours: bool | None = None) -> str:
    """Render a finished text for the terminal."""
    return _paint(visible(text).split("\n"), width or columns(), colourful() if colours is None else colours)


def paint_growing(text: str, width: int, colours: bool) -> str:
    """Render the part of a growing text that later text cannot change."""
    *whole, last = visible(text.removesuffix("\r")).split("\n")
    inside = sum(line.lstrip().startswith(_FENCE) for line in whole) % 2 == 1
    lines = [*whole, last[: 0 if inside else _find_settled_end(last)]]
    return _paint(lines, width, colours).rstrip("\n ")


def columns() -> int:
    """Return the columns to write in: those of the terminal, from 20 to `WIDEST`."""
    return max(20, min(WIDEST, shutil.get_terminal_size().columns - 1))


def colourful() -> bool:
    """Return whether to use colours: stdout is a terminal and NO_COLOR is not set."""
    no_color = os.environ.get("NO_COLOR")  # noqa: TID251 - the convention of all terminal programs, no setting of ours
    return sys.stdout.isatty() and not no_color


def dim(text: str) -> str:
    """Return less important text, greyed where colours are used."""
    text = visible(text)
    return f"{_STYLES['dim']}{text}{_RESET}" if colourful() else text


def _paint(lines: list[str], width: int, colours: bool) -> str:
    out, fenced = [], False
    for line in lines:
        if line.lstrip().startswith(_FENCE):
            fenced = not fenced
            continue
        if fenced:
            out.append("    " + _apply_style(line, "code", colours))
            continue
        out.append(_line(line, width, colours))
    return "\n".join(out)


def _line(line: str, width: int, colours: bool) -> str:
    match = _LINE.fullmatch(line)
    if match is None:
        return _wrap(_words(line, ""), "", "", width, colours)
    indent, mark, rest = match["indent"], match["mark"], match["rest"]
    if mark.startswith("#"):
        return _wrap(_words(rest, "bold"), indent, indent, width, colours)
    if mark == ">":
        return _wrap(_words(rest, "dim"), f"{indent}│ ", f"{indent}│ ", width, colours)
    first = f"{indent}{'•' if mark in '-*+' else mark} "
    return _wrap(_words(rest, ""), first, " " * len(first), width, colours)


def _words(line: str, base: str) -> list[Word]:
    words: list[Word] = [[]]
    for text, style in _fragments(line, base):
        for number, piece in enumerate(re.split(r"[ \t]+", text)):
            if number and words[-1]:
                words.append([])
            if piece:
                words[-1].append((piece, style))
    return [word for word in words if word]


def _fragments(line: str, base: str) -> list[Fragment]:
    found: list[Fragment] = []
    at = 0
    for match in _INLINE.finditer(line):
        found.append((line[at : match.start()], base))
        kind, whole = match.lastgroup or "", match.group()
        if match["link"]:
            same = match["label"] == match["url"]
            found += [(match["label"], base), ("" if same else f" ({match['url']})", "dim")]
        else:
            marks = 2 if match["bold"] or match["strike"] else 1
            found.append((whole[marks:-marks], kind))
        at = match.end()
    found.append((line[at:], base))
    return found


def _wrap(words: list[Word], first: str, later: str, width: int, colours: bool) -> str:
    out, used = first, _width(first)
    empty = True
    for word in words:
        size = sum(_width(text) for text, _style in word)
        if not empty and used + 1 + size > width:
            out, used, empty = f"{out}\n{later}", _width(later), True
        if not empty:
            out, used = f"{out} ", used + 1
        out += "".join(_apply_style(text, style, colours) for text, style in word)
        used, empty = used + size, False
    return out


def _apply_style(text: str, style: str, colours: bool) -> str:
    return f"{_STYLES[style]}{text}{_RESET}" if colours and style and text else text


def _width(text: str) -> int:
    """Return the columns of a text: none for combining marks, two for wide characters."""
    seen = [char for char in text if not unicodedata.combining(char) and char not in "\u200d\ufe0f"]
    return len(seen) + sum(unicodedata.east_asian_width(char) in "WF" for char in seen)


def _find_settled_end(line: str) -> int:
    """Return the end of the part of an unfinished line that later characters cannot change."""
    if line.lstrip()[:1] in ("`", "#"):
        return 0  # a fence or a heading: wait for the whole line
    marker = _LINE.fullmatch(line)
    start = marker.start("rest") if marker else 0
    spans = [match.span() for match in _INLINE.finditer(line, start)]
    end = line.rfind(" ")
    for begins, ends in [(_open_mark(line, start, spans), len(line)), *reversed(spans)]:
        if begins < end < ends:
            end = line.rfind(" ", 0, begins + 1)
    return max(end, 0) if end >= start else 0


def _open_mark(line: str, start: int, spans: list[tuple[int, int]]) -> int:
    """Return the position of the first unclosed emphasis mark; the line's end if there is none."""
    for match in re.finditer(r"[*_`~\[]", line[start:]):
        at = start + match.start()
        if not any(begins <= at < ends for begins, ends in spans):
            return at
    return len(line)
