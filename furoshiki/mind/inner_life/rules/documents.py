"""A document in Markdown as parts that can be found: cut at its headings, each part small enough for an encoder.

A part keeps the path of headings it stands under. Paragraphs, list items and rows of a table stay whole where they fit;
every part of a table repeats its head. Pictures drawn in text (mermaid) say nothing in words and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from furoshiki.language.tokens import estimate

MOST_TOKENS = 180
"""Tokens of a part's words: with its headings about 200, of which an encoder reads 256."""

PATH = " \u203a "
"""What stands between the headings of a path."""

_HEADING = re.compile(r"^(#{1,6})\s+(\S.*)$")
_FENCE = re.compile(r"^\s*(```|~~~)\s*(\w*)")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s")
_RULE = re.compile(r"(?=[^-]*-)[\s:|-]+\Z")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_DRAWN = "mermaid"


@dataclass(frozen=True)
class Chunk:
    """A part of a document: the headings it stands under, outermost first, and its words."""

    heading: str
    text: str


@dataclass(frozen=True)
class _Block:
    """What is not torn apart without need; `head` is what every part of it repeats (the head of a table)."""

    text: str
    head: str = ""


def chunks(markdown: str, most: int = MOST_TOKENS) -> tuple[Chunk, ...]:
    """The parts of a document, in order. A heading with nothing under it but other headings makes none."""
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
        found = None if fence or mark else _HEADING.match(line)
        if found is None:
            lines.append(line)
            continue
        yield PATH.join(title for _, title in path), lines
        lines = []
        depth = len(found[1])
        path = [(level, title) for level, title in path if level < depth] + [(depth, _title(found[2]))]
    yield PATH.join(title for _, title in path), lines


def _title(text: str) -> str:
    """A heading without the signs that may close it."""
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
    """A block in pieces that fit beside its head: at lines, else at sentences, else at words, else anywhere."""
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
