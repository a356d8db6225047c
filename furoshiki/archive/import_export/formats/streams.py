"""JSON files of any size, one value at a time: a file is never held whole, and nothing in it can be without bound.

A file comes from anywhere. What would take all memory (lists nested without end, a string of gigabytes) ends the
reading with the reason; a record that cannot be understood costs only itself.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import ijson

from furoshiki.archive.import_export.formats.values import NOT_UNDERSTOOD, Bad, File, Found, wrong_form

DEEPEST = 64
"""Levels of lists and objects in one another. Exports have a dozen."""

LARGEST_VALUE = 4 * 1024 * 1024
"""Bytes of one string: the parser reads a string again with every piece of it that arrives."""

_REST = "what came before is taken in"
_MARK = b"\xef\xbb\xbf"
_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_LONG_NUMBER = re.compile(rb"[0-9.eE+-]{400}")  # the parser itself dies of one that Python refuses to read
_ALL_BUT_BRACKETS = bytes(sorted(set(range(256)) - set(b"[]{}")))
_OPENING = b"[{"


def after_mark(file: File) -> File:
    """The file, past the byte-order mark that some programs put first."""
    if file.read(len(_MARK)) != _MARK:
        file.seek(0)
    return file


def events(file: File) -> Iterator[tuple[str, str, Any]]:
    """Every value with the path to it, as `ijson.parse` tells them. Raises ValueError where the file is no JSON."""
    try:
        yield from ijson.parse(_Bounded(after_mark(file)))
    except ijson.JSONError as error:
        raise ValueError(f"not JSON from here on ({_describe_error(error)})") from error


def conversations(file: File, each: Callable[[int, Any], Iterator[Found]]) -> Iterator[Found]:
    """What `each` finds in the conversations of a file that is one list of them, numbered from 1.

    A conversation of another form is a `Bad`; where the file breaks off, one comes last.
    """
    number = 0
    try:
        for number, element in enumerate(ijson.items(_Bounded(after_mark(file)), "item"), 1):
            yield from understood(f"conversation {number}", lambda: each(number, element))  # noqa: B023 - used at once
    except ijson.JSONError as error:
        yield Bad(f"after conversation {number}", f"not JSON from here on ({_describe_error(error)}); {_REST}")
    except ValueError as error:
        yield Bad(f"after conversation {number}", f"{error}; {_REST}")


def understood(place: str, read: Callable[[], Iterator[Found]]) -> Iterator[Found]:
    """What a reader finds in one record; a value of a kind that the format does not have makes it a `Bad`."""
    try:
        yield from read()
    except NOT_UNDERSTOOD as error:
        yield Bad(place, wrong_form(error))


class _Bounded:
    """A file that ends with a ValueError where one value of it grows too long, or its lists nest too deep."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._since_quote = 0
        self._depth = 0
        self._in_string = False
        self._cut = b""
        self._before = b""

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        if not data:
            return data
        # an escape may be cut in two; without escapes every quote begins or ends a string
        whole = _ESCAPED.sub(b"", self._cut + data)
        self._cut = whole[-1:] if whole.endswith(b"\\") else b""
        pieces = whole.split(b'"')
        self._since_quote = len(data) + (self._since_quote if len(pieces) == 1 else 0)
        if self._since_quote > LARGEST_VALUE:
            raise ValueError(f"a value of more than {LARGEST_VALUE // 1024**2} MB")
        between = b"".join(pieces[1 if self._in_string else 0 :: 2])
        if _LONG_NUMBER.search(self._before + between):
            raise ValueError("a number of more than 400 digits")
        self._before = between[-400:]
        for bracket in between.translate(None, _ALL_BUT_BRACKETS):
            self._depth += 1 if bracket in _OPENING else -1
            if self._depth > DEEPEST:
                raise ValueError(f"nested more than {DEEPEST} levels deep")
        self._in_string ^= len(pieces) % 2 == 0
        return data


def _describe_error(error: Exception) -> str:
    """What the parser says, without the bytes it quotes: those are somebody's private words."""
    text = error.args[0] if error.args else ""
    line = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    return line.strip().split("\n")[0][:80] or "it breaks off"
