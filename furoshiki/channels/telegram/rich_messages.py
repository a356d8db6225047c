"""Converts Telegram's rich messages and checklists to text with quoted ranges.

A rich message is a tree of blocks (paragraphs, lists, tables, quotations, media) whose texts are
strings, lists, or objects with a text. Pure. Unknown blocks yield the texts inside.
"""

from collections.abc import Mapping
from typing import Any

from furoshiki.core.stored import list_of

Json = Mapping[str, Any]

DEEPEST = 30
"""Blocks nested deeper are left out."""

_QUOTATIONS = frozenset({"blockquote", "expandable_blockquote", "pullquote", "pre"})
_OWN_LINES = frozenset({"paragraph", "heading", "footer", "details", "list", "table", "collage", "slideshow"})
_INSIDE = ("summary", "text", "expression", "alternative_text", "blocks", "items", "cells", "caption", "credit")
"""Fields of a block with its content, in display order."""

_MEDIA = {
    "photo": "a photo",
    "video": "a video",
    "animation": "an animation",
    "audio": "a piece of audio",
    "voice_note": "a voice note",
    "document": "a file",
    "map": "a map",
}


class _Page:
    """The text so far and its quotations, as ranges [start, end)."""

    def __init__(self) -> None:
        self.text = ""
        self.quoted: list[tuple[int, int]] = []
        self._after_label = False

    def label(self, words: str) -> None:
        """Begin a list item: what follows is on its label's line."""
        self.text += f"{words} "
        self._after_label = True

    def line(self) -> None:
        """Begin a new line."""
        if self._after_label:
            self._after_label = False
        elif self.text and not self.text.endswith("\n"):
            self.text += "\n"

    def quote(self, start: int) -> None:
        """Mark everything from `start` on as a quotation."""
        while start < len(self.text) and self.text[start] == "\n":
            start += 1
        end = len(self.text.rstrip("\n"))
        if start < end:
            self.quoted.append((start, end))


def read_blocks(message: Json) -> tuple[str, list[tuple[int, int]]]:
    """Return the text of a rich message, and its ranges [start, end) of quotations or media."""
    page = _Page()
    _add(page, message.get("blocks"), DEEPEST)
    return page.text.rstrip(), page.quoted


def checklist(message: Json) -> str:
    """Format a checklist: its title, then each task with a box, ticked if done."""
    lines = [str(message.get("title") or "")]
    for task in message.get("tasks") or []:
        done = task.get("completion_date") or task.get("completed_by_user") or task.get("completed_by_chat")
        lines.append(f"{'☑' if done else '☐'} {task.get('text') or ''}")
    return "\n".join(lines).strip()


def _add(page: _Page, part: Any, depth: int) -> None:
    if depth == 0:
        return
    if isinstance(part, str):
        page.text += part
    elif isinstance(part, list | tuple):
        for one in part:
            _add(page, one, depth - 1)
    elif isinstance(part, Mapping):
        _add_block(page, part, depth - 1)


def _add_block(page: _Page, block: Json, depth: int) -> None:
    kind = str(block.get("type") or "")
    starts_line = _is_block(block, kind)
    if starts_line:
        page.line()
    start = len(page.text)
    if kind in _MEDIA and kind in block or kind == "map":
        page.text += f"[{_MEDIA[kind]}]"
        page.quote(start)
        page.line()
    if "label" in block:
        page.label(f"{_box(block)}{block['label']}")
    for name in _INSIDE:
        if name not in block:
            continue
        if name == "cells":
            _add_rows(page, block[name], depth)
        else:
            _add(page, block[name], depth)
            if starts_line and name != "blocks":
                page.line()
    if kind in _QUOTATIONS:
        page.quote(start)


def _add_rows(page: _Page, rows: Any, depth: int) -> None:
    for row in list_of(rows):
        page.line()
        for number, cell in enumerate(list_of(row)):
            page.text += " | " if number else ""
            _add(page, cell.get("text") if isinstance(cell, Mapping) else cell, depth)


def _box(item: Json) -> str:
    if not item.get("has_checkbox"):
        return ""
    return "☑ " if item.get("is_checked") else "☐ "


def _is_block(block: Json, kind: str) -> bool:
    """Return whether a block has lines of its own, instead of being inline."""
    return kind in _OWN_LINES or kind in _QUOTATIONS or kind in _MEDIA or "label" in block or "blocks" in block
