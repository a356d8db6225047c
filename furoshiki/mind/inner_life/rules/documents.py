"""Split a Markdown document at its headings into parts small enough for an encoder.

A part stores its path of headings. Paragraphs, list items and table rows stay whole where they fit;
every part of a table repeats its header. Mermaid diagrams are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from furoshiki.language.tokens import estimate

# maximum tokens of a part: about 200 with headings, of the 256 that an encoder reads
MOST_TOKENS = 180

PATH = " \u203a "  # the separator of headings in a path

_HEADING = re.compile(r"^(#{1,6})\s+(\S.*)$")
_FENCE = re.compile(r"^\s*(```|~~~)\s*(\w*)")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s")
_RULE = re.compile(r"(?=[^-]*-)[\s:|-]+\Z")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_DRAWN = "mermaid"


@dataclass(frozen=True)
class Chunk:
    """A part of a document: its headings, outermost first, and its text."""

    heading: str
    text: str


@dataclass(frozen=True)
class _Block:
    """A unit that is kept whole if possible; `head` (a table's header) is repeated in each part."""

    text: str
    head: str = ""


def chunks(markdown: str, most: int = MOST_TOKENS) -> tuple[Chunk, ...]:
    """Return a document's parts in order. A heading without text of its own yields none."""
    return tuple(
        Chunk(heading, text)
        for heading, lines in _sections(markdown)
        for text in _pack_blocks(list(_blocks(lines)), most)
    )


def _sections(markdown: str) -> Iterator[tuple[str, list[str]]]:
    path: list[tuple[int, str]] = []
    lines: list[str] = []
    fence = ""
    for line in markdown.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
        match = None if fence or mark else _HEADING.match(line)
        if match is None:
            lines.append(line)
            continue
        yield PATH.join(title for _, title in path), lines
        lines = []
        depth = len(match[1])
        path = [(level, title) for level, title in path if level < depth] + [(depth, _title(match[2]))]
    yield PATH.join(title for _, title in path), lines


def _title(text: str) -> str:
    """Remove closing # signs from a heading."""
    return text.rstrip().rstrip("#").rstrip() or text.rstrip()


def _blocks(lines: list[str]) -> Iterator[_Block]:
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = _FENCE.match(line)
        if fence:
            end = next((i for i in range(at + 1, len(lines)) if lines[i].strip().startswith(fence[1])), len(lines) - 1)
            if fence[2] != _DRAWN:
                yield _Block("\n".join(lines[at : end + 1]))
            at = end + 1
        elif not line.strip():
            at += 1
        elif line.lstrip().startswith("|") and at + 1 < len(lines) and _RULE.match(lines[at + 1]):
            head = f"{line}\n{lines[at + 1]}"
            at += 2
            if at == len(lines) or not lines[at].lstrip().startswith("|"):
                yield _Block(head)
            while at < len(lines) and lines[at].lstrip().startswith("|"):
                yield _Block(lines[at], head)
                at += 1
        else:
            end = at + 1
            while end < len(lines) and lines[end].strip() and not _begins(lines[end]):
                end += 1
            yield _Block("\n".join(lines[at:end]))
            at = end


def _begins(line: str) -> bool:
    return bool(_ITEM.match(line) or _FENCE.match(line)) or line.lstrip().startswith("|")


def _pack_blocks(blocks: list[_Block], most: int) -> Iterator[str]:
    held: list[str] = []
    head = ""
    for block in blocks:
        for text in _split_block(block, most):
            begun = [block.head] if block.head and (not held or block.head != head) else []
            if held and estimate("\n".join([*held, *begun, text])) > most:
                yield "\n".join(held)
                held, begun = [], [block.head] if block.head else []
            held += [*begun, text]
            head = block.head
    if held:
        yield "\n".join(held)


def _split_block(block: _Block, most: int) -> Iterator[str]:
    """Split a block into pieces that fit with its head: at lines, sentences, words, or anywhere."""
    room = max(most - estimate(block.head) - 1, most // 4)
    pieces = [block.text]
    for divided, joint in ((str.splitlines, "\n"), (_SENTENCE.split, " "), (str.split, " "), (list, "")):
        pieces = [
            whole
            for piece in pieces
            for whole in ([piece] if estimate(piece) <= room else _join_parts(divided(piece), joint, room))
        ]
    yield from pieces


def _join_parts(parts: list[str], joint: str, room: int) -> Iterator[str]:
    held = ""
    for part in parts:
        together = f"{held}{joint}{part}" if held else part
        if held and estimate(together) > room:
            yield held
            together = part
        held = together
    if held:
        yield held
