"""Lenient parsing of a language model's JSON, where its meaning is certain.

Accepted: code fences and surrounding text, trailing commas, Python's None, missing quotes, and a
truncated end. Nothing is invented: an incomplete value or last list element is left out, because
half a fact is a wrong fact.

The parser keeps its own stack, so nesting cannot exceed Python's limit, and bounds the size.
"""

import itertools
import json
import re
from collections.abc import Mapping
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
    """The text holds no JSON value; the message gives the reason in words a model understands."""


class _Cut(Exception):
    """The text ended in the middle of a value."""


@dataclass(frozen=True)
class Read:
    """A parsed value; `cut` when the text ended early."""

    value: Any
    cut: bool = False


def read_json(text: str) -> Read:
    """Return the object or list in `text`. Raises Unreadable if missing, too large or too deep."""
    if len(text) > LARGEST_CHARS:
        raise Unreadable(f"the answer has {len(text)} characters; {LARGEST_CHARS} are the most")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _mend(text)
    if isinstance(value, str):  # some write the object as a text
        return _mend(value)
    if not isinstance(value, dict | list):
        raise Unreadable("the answer is not a JSON object")
    return Read(_clean(value))


def _mend(text: str) -> Read:
    """Return the first object in the text, else the first list."""
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
    """Return where the value may begin: after fences, at the first brace or bracket."""
    fenced = [match.start(1) for match in itertools.islice(_FENCED.finditer(text), MOST_FENCES)]
    return fenced + sorted(at for at in (text.find("{"), text.find("[")) if at >= 0)


def _clean(value: Any) -> Any:
    """Clean a value for the database (NUL, lone surrogates, NaN, infinity); check the depth."""
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
    """Remove NUL, join split surrogate pairs, and replace lone surrogates by U+FFFD."""
    if not _dirty(text):
        return text
    joined = text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _SURROGATE.sub("\ufffd", joined)


class _Reader:
    """One lenient pass over a text, beginning at a brace or bracket."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.cut = False

    def read(self) -> Any:
        """Return the object or list that begins here."""
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
        """Read one token; returns an opened container (or None), and whether the root closed."""
        self._skip(",;" if stack else "")
        char = self._peek()
        if char in "}]":
            self.at += 1
            # closed by the wrong bracket: close the nearest matching container
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
        """Return whether this quote ends the string, or is one that was not escaped."""
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
        if not _HEX.fullmatch(digits):  # int() would accept "-10f"
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
    """Return `root` after a truncated text, without the incomplete last element of a list."""
    for outer, inner in zip(stack, stack[1:], strict=False):
        if isinstance(outer, list) and outer and outer[-1] is inner:
            outer.pop()
            break
    return root


# -- JSON answers of foreign tools as readable text --


MOST_VALUES = 40


def in_words(value: object) -> str:
    """List the values of a JSON value with their names, at most MOST_VALUES."""
    said: list[str] = []
    _say(value, "", said)
    return "; ".join(said[:MOST_VALUES])


def is_form(value: object) -> bool:
    """Return whether a value is an object or list that a person would not write so."""
    if isinstance(value, list):
        return any(isinstance(each, str) or is_form(each) for each in value)
    return isinstance(value, Mapping) and bool(value)


def _say(value: object, name: str, said: list[str]) -> None:
    if len(said) >= MOST_VALUES:
        return
    if isinstance(value, Mapping):
        for key, each in value.items():
            _say(each, " ".join(part for part in (name, str(key).replace("_", " ")) if part), said)
    elif isinstance(value, list):
        if all(not isinstance(each, (Mapping, list)) for each in value):
            plain = ", ".join(map(_plain, value))
            said.append(f"{name}: {plain}" if name else plain)
        else:
            for each in value:
                _say(each, name, said)
    else:
        said.append(f"{name}: {_plain(value)}" if name else _plain(value))


def _plain(value: object) -> str:
    if value is None:
        return "nothing"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
