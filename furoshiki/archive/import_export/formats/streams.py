"""Streaming parser for JSON files of any size, with bounded memory.

Files are untrusted. Input that would exhaust memory (endless nesting, strings of gigabytes) ends
the reading with the reason; an invalid record only costs itself.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import ijson

from furoshiki.archive.import_export.formats.values import NOT_UNDERSTOOD, Bad, File, Found, wrong_form

DEEPEST = 64  # maximum nesting of lists and objects; exports have about a dozen levels

# maximum bytes of a string: the parser's time grows with its square
LARGEST_VALUE = 4 * 1024 * 1024

_REST = "what came before is taken in"
_MARK = b"\xef\xbb\xbf"
_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_LONG_NUMBER = re.compile(rb"[0-9.eE+-]{400}")  # the parser crashes on a number that Python refuses to parse
_ALL_BUT_BRACKETS = bytes(sorted(set(range(256)) - set(b"[]{}")))
_OPENING = b"[{"


def after_mark(file: File) -> File:
    """Return the file positioned after an optional byte-order mark."""
    if file.read(len(_MARK)) != _MARK:
        file.seek(0)
    return file


def events(file: File) -> Iterator[tuple[str, str, Any]]:
    """Yield values with their paths, like `ijson.parse`. Raises ValueError for invalid JSON."""
    try:
        yield from ijson.parse(_Bounded(after_mark(file)))
    except ijson.JSONError as error:
        raise ValueError(f"not JSON from here on ({_describe_error(error)})") from error


def conversations(file: File, each: Callable[[int, Any], Iterator[Found]]) -> Iterator[Found]:
    """Yield the results of `each` for the conversations in a file's list, numbered from 1.
    A conversation of another form is a `Bad`; so is the place where a file is truncated, as the
    last result."""
    number = 0
    try:
        for number, element in enumerate(ijson.items(_Bounded(after_mark(file)), "item"), 1):
            yield from understood(f"conversation {number}", lambda: each(number, element))  # noqa: B023 - used at once
    except ijson.JSONError as error:
        yield Bad(f"after conversation {number}", f"not JSON from here on ({_describe_error(error)}); {_REST}")
    except ValueError as error:
        yield Bad(f"after conversation {number}", f"{error}; {_REST}")


def understood(place: str, read: Callable[[], Iterator[Found]]) -> Iterator[Found]:
    """Yield a reader's results for one record; an unexpected type or value makes it a `Bad`."""
    try:
        yield from read()
    except NOT_UNDERSTOOD as error:
        yield Bad(place, wrong_form(error))


class _Bounded:
    """A file that raises ValueError when a value is too long or lists nest too deep."""

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
        # an escape may be split; without escapes every quote begins or ends a string
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
    """Return the parser's message without quoted bytes, which may be private."""
    text = error.args[0] if error.args else ""
    line = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    return line.strip().split("\n")[0][:80] or "it breaks off"
