"""Reads the JSON a language model meant, where it can be told for certain what that was.

Models wrap their answer in fences and prose, leave trailing commas, write Python's None, forget quotes, and stop in the
middle. All of that is mended. What cannot be known is not invented: a value that was cut short is left out, and so is
the unfinished last element of a list, because half a fact is a wrong fact.

The reader keeps its own stack, so depth cannot exhaust Python's, and refuses what is larger than it should be.
"""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass, replace
from typing import Any

LARGEST_CHARS = 1_000_000
DEEPEST = 64

MOST_FENCES = 3

_FENCED = re.compile(r"```[a-zA-Z0-9_-]*\s*([{\[])")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*")
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_BLANK = re.compile(r"\s*")
_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z))*")
_CLOSER = {"{": "}", "[": "]"}
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"', "'": "'"}
_WORDS: dict[str, Any] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "null": None,
    "None": None,
    "undefined": None,
}


class Unreadable(ValueError):
    """No JSON value could be read from the text; the message says why, in words a model understands."""


class _Cut(Exception):
    """The text ended in the middle of a value."""


@dataclass(frozen=True)
class Read:
    """A value that was read. `cut` when the text ended too early."""

    value: Any
    cut: bool = False


def read_json(text: str) -> Read:
    """The object or list in `text`; raises Unreadable when there is none, or it is too large or too deep."""
    if len(text) > LARGEST_CHARS:
        raise Unreadable(f"the answer has {len(text)} characters; {LARGEST_CHARS} are the most")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _mend(text)
    if not isinstance(value, dict | list):
        raise Unreadable("the answer is not a JSON object")
    return Read(_clean(value))


def _mend(text: str) -> Read:
    """The first place in the text that holds an object, else the first that holds a list."""
    reads = []
    for start in _starts(text):
        reader = _Reader(text, start)
        value = reader.read()
        reads.append(Read(value, cut=reader.cut))
        if isinstance(value, dict) or any(isinstance(item, dict) for item in value):
            break
    if not reads:
        raise Unreadable("there is no JSON object in the answer")
    return replace(reads[-1], value=_clean(reads[-1].value))


def _starts(text: str) -> list[int]:
    """Where the value may begin: after the first fences, at the first brace, at the first bracket."""
    fenced = [match.start(1) for match in itertools.islice(_FENCED.finditer(text), MOST_FENCES)]
    return fenced + sorted(at for at in (text.find("{"), text.find("[")) if at >= 0)


def _clean(value: Any) -> Any:
    """The value without what a database refuses: NUL, lone surrogates, numbers that are none. Checks the depth."""
    root: list[Any] = [value]
    waiting: list[tuple[Any, int]] = [(root, 0)]
    while waiting:
        holder, depth = waiting.pop()
        if depth > DEEPEST:
            raise Unreadable(f"the answer is nested more than {DEEPEST} levels deep")
        if isinstance(holder, dict):
            for key in [key for key in holder if _dirty(key)]:
                holder[clean_text(key)] = holder.pop(key)
        for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
            item = holder[key]
            if isinstance(item, str):
                holder[key] = clean_text(item)
            elif isinstance(item, float) and (item != item or item in (float("inf"), float("-inf"))):
                holder[key] = None
            elif isinstance(item, dict | list):
                waiting.append((item, depth + 1))
    return root[0]


def _dirty(text: str) -> bool:
    return "\0" in text or _SURROGATE.search(text) is not None


def clean_text(text: str) -> str:
    """`text` without NUL; surrogate pairs that were split are joined, lone ones become U+FFFD."""
    if not _dirty(text):
        return text
    joined = text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _SURROGATE.sub("\ufffd", joined)


class _Reader:
    """One forgiving pass over a text, from a brace or a bracket on."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.cut = False

    def read(self) -> Any:
        """The object or list that begins here."""
        stack: list[Any] = []
        keys: list[str | None] = []
        root: Any = None
        while True:
            try:
                opened, done = self._step(stack, keys)
            except _Cut:
                self.cut = True
                return _close(root, stack)
            if opened is not None:
                if len(stack) > DEEPEST:
                    raise Unreadable(f"the answer is nested more than {DEEPEST} levels deep")
                if root is None:
                    root = opened
            if done:
                return root

    def _step(self, stack: list[Any], keys: list[str | None]) -> tuple[Any, bool]:
        """Reads one token: returns a container just opened (or None), and whether the outermost one was closed."""
        self._skip(",;" if stack else "")
        char = self._peek()
        if char in "}]":
            self.at += 1
            # a brace closed by the wrong bracket: the nearest fitting container is what was meant
            while stack and not _fits(stack[-1], char):
                stack.pop()
                keys.pop()
            if stack:
                stack.pop()
                keys.pop()
            return None, not stack
        if stack and isinstance(stack[-1], dict):
            keys[-1] = self._key()
            self._skip(":=")
            char = self._peek()
            if char in ",}":
                return None, False
        if char in "{[":
            self.at += 1
            fresh: Any = {} if char == "{" else []
            _put(stack, keys, fresh)
            stack.append(fresh)
            keys.append(None)
            return fresh, False
        _put(stack, keys, self._scalar())
        return None, False

    def _peek(self) -> str:
        if self.at >= len(self.text):
            raise _Cut
        return self.text[self.at]

    def _skip(self, also: str) -> None:
        while True:
            self.at = _end(_SPACE.match(self.text, self.at), self.at)
            if self.at < len(self.text) and self.text[self.at] in also:
                self.at += 1
                continue
            return

    def _key(self) -> str:
        if self._peek() in _QUOTES:
            return self._string()
        match = _WORD.match(self.text, self.at) or _NUMBER.match(self.text, self.at)
        if not match:
            self.at += 1
            return ""
        self.at = match.end()
        return match.group()

    def _scalar(self) -> Any:
        if self._peek() in _QUOTES:
            return self._string()
        match = _NUMBER.match(self.text, self.at)
        if match:
            self.at = match.end()
            if self.at >= len(self.text):
                raise _Cut
            return _number(match.group())
        match = _WORD.match(self.text, self.at)
        if match:
            self.at = match.end()
            if self.at >= len(self.text):
                raise _Cut
            return _WORDS.get(match.group(), match.group())
        self.at += 1
        return None

    def _string(self) -> str:
        closing = _QUOTES[self.text[self.at]]
        self.at += 1
        parts: list[str] = []
        while True:
            char = self._peek()
            self.at += 1
            if char == closing and self._closes():
                return "".join(parts)
            if char == "\\":
                parts.append(self._escape())
            else:
                parts.append(char)

    def _closes(self) -> bool:
        """Whether this quote ends the string, or is one the model forgot to escape."""
        after = _end(_BLANK.match(self.text, self.at), self.at)
        return after >= len(self.text) or self.text[after] in ",:}]\n;=`"

    def _escape(self) -> str:
        char = self._peek()
        self.at += 1
        if char != "u":
            return _ESCAPES.get(char, "\\" + char)
        digits = self.text[self.at : self.at + 4]
        if len(digits) < 4:
            raise _Cut
        if not _HEX.fullmatch(digits):  # int() would take "-10f", too
            return "\\u"
        self.at += 4
        return chr(int(digits, 16))


def _end(match: re.Match[str] | None, otherwise: int) -> int:
    return match.end() if match else otherwise


def _number(text: str) -> float | int | None:
    if re.fullmatch(r"[-+]?\d{1,18}", text):
        return int(text)
    return float(text)


def _fits(container: Any, closer: str) -> bool:
    return _CLOSER["{" if isinstance(container, dict) else "["] == closer


def _put(stack: list[Any], keys: list[str | None], value: Any) -> None:
    if not stack:
        return
    if isinstance(stack[-1], dict):
        stack[-1][keys[-1] or ""] = value
    else:
        stack[-1].append(value)


def _close(root: Any, stack: list[Any]) -> Any:
    """`root` after the text ended inside the containers of `stack`: an unfinished element of a list is left out."""
    for outer, inner in zip(stack, stack[1:], strict=False):
        if isinstance(outer, list) and outer and outer[-1] is inner:
            outer.pop()
            break
    return root
