"""JSON files of any size, one value at a time: a file is never held whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import ijson

from furoshiki.mind.remember.formats.said import Bad, File, Found

_MARK = b"\xef\xbb\xbf"


def after_mark(file: File) -> File:
    """The file, past the byte-order mark that some programs put first."""
    if file.read(len(_MARK)) != _MARK:
        file.seek(0)
    return file


def events(file: File) -> Iterator[tuple[str, str, Any]]:
    """Every value with the path to it, as `ijson.parse` tells them. Raises ValueError where the file is no JSON."""
    try:
        yield from ijson.parse(after_mark(file), use_float=True)
    except ijson.JSONError as error:
        raise ValueError(f"no JSON from here on ({_told(error)})") from error


def conversations(file: File, each: Callable[[int, Any], Iterator[Found]]) -> Iterator[Found]:
    """What `each` finds in the conversations of a file that is one list of them, numbered from 1.

    Where the file breaks off, a `Bad` comes last.
    """
    number = 0
    try:
        for number, element in enumerate(ijson.items(after_mark(file), "item", use_float=True), 1):
            yield from each(number, element)
    except ijson.JSONError as error:
        yield Bad(
            f"after conversation {number}", f"no JSON from here on ({_told(error)}); what came before is taken in"
        )


def _told(error: Exception) -> str:
    """What the parser says, without the bytes it quotes: those are somebody's private words."""
    text = error.args[0] if error.args else ""
    line = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    return line.strip().split("\n")[0][:80] or "it breaks off"
