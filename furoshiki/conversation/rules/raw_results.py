"""What a tool of somebody else's answered is put into words: its form (JSON, as a rule) is not for anybody to see.

The mind is told to do that. Where it hands the form on all the same, the values in it are said plainly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

MOST_TRIES = 64
MOST_VALUES = 40

_FENCE = re.compile(r"```[a-z]*+[ \t]*+\n?+([^`]*+)```")
_OPENING = re.compile(r'\{\s*(?=["}])|\[\s*(?=[\[{"]|-?\d[\d.]*\s*,)')
_DECODER = json.JSONDecoder()
_ASKED = re.compile(r"\bjson\b|\braw\b", re.IGNORECASE)


def worded(said: str, heard: str) -> str:
    """The words of an answer that rests on such a tool, with the values of any JSON in them said plainly; as they are
    when JSON was asked for (`heard` is what they answer)."""
    if _ASKED.search(heard):
        return said
    text = _FENCE.sub(_of_fence, said)
    parts, at = [], 0
    for _ in range(MOST_TRIES):
        opening = _OPENING.search(text, at)
        if opening is None:
            break
        begin = opening.start()
        try:
            value, end = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            parts.append(text[at : begin + 1])
            at = begin + 1
            continue
        parts += [text[at:begin], in_words(value)]
        at = end
    return "".join([*parts, text[at:]])


def growing(said: str, heard: str) -> str:
    """The same of words that are still being written: what may become JSON is held back."""
    if _ASKED.search(heard):
        return said
    text = worded(said, heard)
    opening = _OPENING.search(text)
    ends = [place for place in (text.find("```"), opening.start() if opening else -1) if place >= 0]
    return text[: min(ends)].rstrip() if ends else text


def in_words(value: object) -> str:
    """The values of some JSON, one after the other, each with its name."""
    said: list[str] = []
    _say(value, "", said)
    return "; ".join(said[:MOST_VALUES])


def _of_fence(found: re.Match[str]) -> str:
    try:
        value = json.loads(found.group(1))
    except (ValueError, RecursionError):
        return found.group()
    return in_words(value)


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
