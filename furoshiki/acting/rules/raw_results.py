"""What a tool of somebody else's answered is put into words: its form (JSON, as a rule) is not for anybody to see.

The mind is told to do that. Where it hands the form on all the same, the values in it are said plainly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

MOST_TRIES = 64
MOST_VALUES = 40

_NEXT = re.compile(
    r"(?P<fence>```(?P<language>[A-Za-z][\w+#.-]*)?(?P<code>[^`]*(?:`(?!``)[^`]*)*)(?P<end>```|\Z))"
    r"|(?P<inline>`[^`\n]+`)"
    r'|\{\s*(?=")|\[\s*(?=[\[{"])'
)
"""Code, or where JSON may begin."""

_DECODER = json.JSONDecoder()
_ASKED = re.compile(r"\bjson\b|\braw\b", re.IGNORECASE)


def worded(said: str, heard: str) -> str:
    """The words of an answer that rests on such a tool, with the values of any JSON in them said plainly; as they are
    when JSON was asked for (`heard` is what they answer). Code and lists of numbers stay."""
    return said if _ASKED.search(heard) else _plainly(said)


def growing(said: str, heard: str) -> str:
    """The same of words that are still being written: what may become JSON is held back."""
    return said if _ASKED.search(heard) else _plainly(said, unfinished=True)


def _plainly(text: str, *, unfinished: bool = False) -> str:
    parts: list[str] = []
    at = look = failed = 0
    while failed < MOST_TRIES and (found := _NEXT.search(text, look)) is not None:
        begin, look = found.span()
        if found["inline"]:
            continue
        if found["fence"]:
            if unfinished and not found["end"]:
                return "".join([*parts, text[at:begin]]).rstrip()
            parts += [text[at:begin], _of_fence(found)]
            at = look
            continue
        try:
            value, look = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            if unfinished:
                return "".join([*parts, text[at:begin]]).rstrip()
            look, failed = begin + 1, failed + 1
            continue
        if _is_form(value):
            parts += [text[at:begin], in_words(value)]
            at = look
    return "".join([*parts, text[at:]])


def in_words(value: object) -> str:
    """The values of some JSON, one after the other, each with its name."""
    said: list[str] = []
    _say(value, "", said)
    return "; ".join(said[:MOST_VALUES])


def _of_fence(found: re.Match[str]) -> str:
    """What stands between fences: said plainly where it is JSON, as it is where it is code."""
    language = (found["language"] or "json?").lower()
    if not language.startswith("json"):
        return found.group()
    try:
        value = json.loads(found["code"])
    except (ValueError, RecursionError):
        said = _plainly(found["code"])
        return said.strip() if language == "json" and said != found["code"] else found.group()
    return in_words(value) if language != "json?" or _is_form(value) else found.group()


def _is_form(value: object) -> bool:
    """Whether it is JSON rather than numbers in brackets, as anybody writes them."""
    if isinstance(value, list):
        return any(isinstance(each, str) or _is_form(each) for each in value)
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
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else "nothing" if value is None else str(value)
